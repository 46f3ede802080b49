/** Who cannot use a mouse, and whose service stands behind a path. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createGateway } from "./support/gateway.ts";
import { tabTo } from "./support/keys.ts";
import { look } from "./support/look.ts";
import { completeSignUp, setScene } from "./support/scene.ts";

const prefix = "/tools/kcs";
const gateway = await createGateway(prefix);
const scene = setScene({ KCS_PUBLIC_URL: gateway.url });

async function withProxy(run: (url: string) => Promise<void>): Promise<void> {
  await gateway.open(scene().url);
  try {
    await run(gateway.url);
  } finally {
    await gateway.close();
  }
}

test("behind a path before it every page, file and request goes there; the keyboard is enough", async () => {
  await withProxy(async (url) => {
    const page = await scene().open();
    const elsewhere: string[] = [];
    page.on("request", (sent) => {
      if (!sent.url().startsWith(`${url}/`)) elsewhere.push(sent.url());
    });
    await page.goto(`${url}/sign-up`);
    await completeSignUp(page, "keyboard@mail.example");
    assert.equal(new URL(page.url()).pathname, `${prefix}/projects`);

    await tabTo(page, "New project");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "By keyboard", level: 1 }).waitFor();
    await tabTo(page, "Documents");
    await page.keyboard.press("Enter");
    await page.getByText("No document yet").waitFor();
    await page.reload();
    await page.getByText("No document yet").waitFor();
    assert.deepEqual(elsewhere, []);
  });
});

test("on a phone everything is behind two buttons that tell where one is", async () => {
  await withProxy(async (url) => {
    const page = await scene().open({ viewport: { width: 390, height: 800 } });
    await page.goto(`${url}/sign-up`);
    await completeSignUp(page, "phone@mail.example");
    await page.getByRole("button", { name: "Try it with a sample text" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    // Work that ends moves what is below its bar, while the page is looked at.
    await page
      .locator("div")
      .filter({ hasText: /^Chunks[1-9]/ })
      .first()
      .waitFor();
    await page.getByText(/ to go\b/).waitFor({ state: "hidden" });
    const menu = page.getByRole("button", { name: "Menu" });
    const main = page.getByRole("navigation", { name: "Main" });
    assert.equal(await main.isVisible(), false);
    await menu.click();
    await main.waitFor();
    await look(page, "phone-menu", "phone");
    await page.keyboard.press("Escape");
    await main.waitFor({ state: "hidden" });
    assert.ok(await menu.evaluate((button) => button === button.ownerDocument.activeElement));

    const pages = page.getByRole("navigation", { name: "Project" });
    await pages.getByRole("button", { name: "Overview" }).click();
    await look(page, "phone-pages", "phone");
    await pages.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("table", { name: "Jobs" }).waitFor();
    await pages.getByRole("button", { name: "Jobs" }).waitFor();
    assert.equal(await pages.getByRole("link", { name: "Ask" }).isVisible(), false);
    await menu.click();
    await main.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    assert.equal(await main.isVisible(), false);
  });
});
