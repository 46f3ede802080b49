import assert from "node:assert/strict";
import { test } from "node:test";
import { startWebhookReceiver } from "../../server/test/support/webhook-receiver.ts";
import { look } from "./support/look.ts";
import { openProject, setScene, signUp } from "./support/scene.ts";

const scene = setScene({ KCS_WEBHOOK_PRIVATE: "allow" });

test("a webhook is added, shows its secret once, is tested, lists its deliveries and is deleted", async () => {
  const receiver = await startWebhookReceiver();
  const page = await scene().open();
  await signUp(page, scene(), "hooks@mail.example");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("No webhook yet").waitFor();
  await look(page, "webhooks-empty");
  await page.getByRole("button", { name: "Add a webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("nothing like a URL");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByLabel("Description").fill("Importer");
  await look(page, "webhook-new");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await look(page, "webhook-secret");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page
    .getByRole("row", { name: /Importer.*Enabled/ })
    .getByRole("link")
    .click();
  await page.getByText("Nothing was sent yet").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The receiver accepted the test with 2\d\d/).waitFor();
  await page.getByRole("row", { name: /A test.*Delivered/ }).waitFor();
  await look(page, "webhook");
  await receiver.close();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The test was not accepted/).waitFor();
  await look(page, "webhook-refused");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No webhook yet").waitFor();
});

test("agents get a text with the address of the service, with the key that is written or without", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "agents@mail.example", isSearchOnly: true, tab: "" });
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByText(`--transport http knowledge ${scene().url}/mcp`).waitFor();
  await page.getByText("“Observatory” (prj_").waitFor();
  await look(page, "agents");
  await page.getByLabel("Key", { exact: true }).fill("kcs_written");
  for (const name of ["Claude Desktop", "Cursor", "VS Code"]) {
    await page.getByRole("tab", { name }).click();
    const text = await page.getByRole("tabpanel").locator("pre").textContent();
    assert.match(JSON.stringify(JSON.parse(text ?? "")), /Bearer kcs_written/, name);
  }
  await page.getByLabel("Key", { exact: true }).fill("");
  const text = await page.getByRole("tabpanel").locator("pre").textContent();
  assert.match(text ?? "", /input:kcs-key/);
});
