/** Who cannot use a mouse, and whose service stands behind a path. */
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import { tabTo } from "./support/keys.ts";
import { look } from "./support/look.ts";
import { completeSignUp, freePort, setScene } from "./support/scene.ts";

const prefix = "/tools/kcs";
const publicPort = await freePort();
const scene = setScene({ KCS_PUBLIC_URL: `http://127.0.0.1:${publicPort}${prefix}` });

/** What a proxy does: takes the path before the service's own off. */
async function withProxy(run: (url: string) => Promise<void>): Promise<void> {
  const target = new URL(scene().url);
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const path = incoming.url.slice(prefix.length);
    const sent = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((listening) => proxy.listen(publicPort, "127.0.0.1", listening));
  try {
    await run(`http://127.0.0.1:${publicPort}${prefix}`);
  } finally {
    proxy.closeAllConnections();
    await new Promise((closed) => proxy.close(closed));
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
