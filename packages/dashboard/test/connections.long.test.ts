import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { startWebhookReceiver } from "../../server/test/support/webhook-receiver.ts";
import { look } from "./support/look.ts";
import { openProject, setScene, signUp } from "./support/scene.ts";
import { OWN } from "./support/steps.ts";

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
  await dialog
    .getByText(
      "An http address and one of a private network are refused, unless whoever operates the service",
    )
    .waitFor();
  await dialog.getByLabel("URL").fill("nothing like a URL");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByLabel("Description").fill("Importer");
  await look(page, "webhook-new");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await look(page, "webhook-secret");
  await page.getByRole("button", { name: "I have copied it" }).click();
  const added = page.getByRole("row", { name: /Importer.*Enabled/ });
  assert.deepEqual(await added.getByRole("listitem").allTextContents(), [
    "A document was indexed",
    "A document could not be indexed",
    "A project was deleted",
  ]);
  await added.getByRole("link").click();
  await page.getByText("Nothing was sent yet").waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The receiver accepted the test with 2\d\d/).waitFor();
  await page.getByRole("row", { name: /A test.*Delivered/ }).waitFor();
  await look(page, "webhook");
  await receiver.close();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText(/The test was not accepted/).waitFor();
  await look(page, "webhook-refused");
  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("URL").fill("ftp://hooks.example/in");
  await dialog.getByLabel("Description").fill("Importer of reports");
  await dialog.getByText("A project was deleted").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/The URL is not an http or https URL/).waitFor();
  await look(page, "webhook-edit");
  await dialog.getByLabel("URL").fill("https://hooks.example/in");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Importer of reports" }).waitFor();
  assert.equal(await page.getByRole("definition").getByText("A project was deleted").count(), 0);
  await page.getByRole("button", { name: "Disable" }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Its owner has disabled it").waitFor();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("button", { name: "Disable" }).waitFor();
  await page.getByRole("link", { name: "All webhooks" }).click();
  await page
    .getByRole("row", { name: /hooks\.example\/in.*Enabled/ })
    .getByRole("link")
    .click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No webhook yet").waitFor();
});

test("on a phone the state of a delivery is a badge with one sentence beside it", async () => {
  const page = await scene().open({ viewport: { width: 390, height: 800 } });
  const delivery = {
    ...{ project_id: "prj_0123456789abcdef0123456789abcdef", job_id: "job_1", source_doc_id: "tides.md" },
    ...{ delivery_id: "msg_1", event: "job.failed", status: "pending", attempts: 2, duration_ms: 3 },
    ...{ error: "The receiver answered 500", response_status: 500, created_at: "2026-05-01T10:00:00Z" },
    next_attempt_at: "2026-05-01T10:05:00Z",
  };
  await page.route(/\/deliveries/, (route) => {
    const wanted = new URL(route.request().url()).searchParams.get("status") ?? delivery.status;
    const deliveries = wanted === delivery.status ? [delivery] : [];
    return route.fulfill({
      headers: OWN,
      json: { deliveries, total: deliveries.length, limit: 50, offset: 0 },
    });
  });
  await signUp(page, scene(), "phone-hooks@mail.example");
  await page.goto(`${scene().url}/webhooks`);
  await page.getByRole("button", { name: "Add a webhook" }).first().click();
  await page.getByRole("dialog").getByLabel("URL").fill("https://hooks.example/in");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page
    .getByRole("row", { name: /hooks\.example/ })
    .getByRole("link")
    .click();
  const badge = page.getByRole("cell").getByText("To be sent", { exact: true });
  const box = await badge.boundingBox();
  assert.ok(box !== null && box.height < 26, `The badge is ${box?.height} pixels high.`);
  const cell = page.getByRole("cell", { name: "To be sent again: The receiver answered 500" });
  assert.equal(await cell.locator(":scope > *").count(), 1, "it is one text");
  await page.getByRole("cell", { name: /tides\.md.*Deleted project prj_01234567 · msg_1/ }).waitFor();
  await look(page, "webhook-delivery", "phone");
  await page.getByRole("radio", { name: "Delivered" }).click();
  await page.getByText("No delivery in this state.").waitFor();
  await page.getByRole("radio", { name: "To be sent" }).click();
  await badge.waitFor();
});

test("pages of the web become documents, and what cannot be fetched says why", async () => {
  const web = createServer((request, response) => {
    response.statusCode = request.url === "/mills.html" ? 200 : 404;
    response.setHeader("content-type", "text/html").end("<h1>Mills</h1><p>Maud Pell built three mills.</p>");
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const at = web.address();
  const home = `http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`;
  const page = await scene().open();
  await openProject(page, scene(), { email: "web@mail.example", isSearchOnly: true, tab: "ingest" });
  await page.getByRole("tab", { name: "From the web" }).click();
  await page.getByLabel("Address of a page").fill(`${home}/nothing.html`);
  await page.getByText("Add metadata (optional)").click();
  await page.getByRole("button", { name: "Add a key and a value" }).click();
  await page.getByLabel("Key").fill("year");
  await page.getByLabel("Value").fill("1994");
  await page.getByRole("button", { name: "Fetch and add" }).click();
  await page.getByText(/404/).waitFor();
  await look(page, "ingest-url");
  await page.getByLabel("Address of a page").fill(`${home}/mills.html`);
  await page.getByRole("button", { name: "Fetch and add" }).click();
  await page.getByText("1 of 1 done").waitFor();
  await page.getByRole("link", { name: `${home}/mills.html` }).click();
  await page.getByText("Maud Pell built three mills.").first().waitFor();
  await page.getByRole("definition").getByText("1994").waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Text" }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), "mills.html.txt");
  web.close();
});

test("agents get a text with the address of the service, with the key that is written or without", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "agents@mail.example", isSearchOnly: true, tab: "" });
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByText(`--transport http knowledge ${scene().url}/mcp`).waitFor();
  await page.getByText("“Observatory” (prj_").waitFor();
  await look(page, "agents");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Assistant");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const created = await page.getByLabel("Key", { exact: true }).inputValue();
  assert.match(created, /^kcs_/);
  await page.getByRole("tabpanel").getByText(`Bearer ${created}`).waitFor();
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
