/** Who cannot use a mouse, and whose service stands behind a path. */
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { completeSignUp, freePort, owner, setScene } from "./support/scene.ts";

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

async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent",
    );
    if (String(label).includes(name)) return;
  }
  assert.fail(`The key Tab does not lead to “${name}”.`);
}

async function typeCredentials(page: Page, email: string): Promise<void> {
  await tabTo(page, "E-mail address");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
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

test("the keyboard alone leads from nothing to a first answer in under two minutes", async (t) => {
  await withProxy(async (url) => {
    const page = await scene().open();
    const began = performance.now();
    await page.goto(`${url}/sign-up`);
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await typeCredentials(page, "first-by-keyboard@mail.example");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await typeCredentials(page, "first-by-keyboard@mail.example");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    await tabTo(page, "Try it with a sample text");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /Where was the founder/ }).waitFor();
    await tabTo(page, "Where was the founder");
    await page.keyboard.press("Enter");
    // The question is there, and so is the focus.
    await page.getByRole("textbox", { name: "Question" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: "Answer" })
      .getByText(/Whitby/)
      .waitFor();
    const seconds = (performance.now() - began) / 1_000;
    t.diagnostic(`${seconds.toFixed(1)} s, with no time to think`);
    assert.ok(seconds < 60, `${seconds} s`);
  });
});

test("on a phone everything is behind two buttons that tell where one is", async () => {
  await withProxy(async (url) => {
    const page = await scene().open({ viewport: { width: 390, height: 800 } });
    await page.goto(`${url}/sign-up`);
    await completeSignUp(page, "phone@mail.example");
    await page.getByRole("button", { name: "Try it with a sample text" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
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

test("the first press of Tab offers to skip to the page", async () => {
  await withProxy(async (url) => {
    const page = await scene().open();
    await page.goto(`${url}/sign-up`);
    await completeSignUp(page, "skip@mail.example");
    await page.reload();
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    // What Tab reaches after the skip.
    await page.getByRole("main").getByRole("button").first().waitFor();
    await tabTo(page, "Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const focused = await page.evaluate("document.activeElement?.closest('main') !== null");
    assert.equal(focused, true);
  });
});
