/** Who cannot use a mouse, and whose service stands behind a path. */
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { fillCredentials, freePort, owner, setScene } from "./support/scene.ts";

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
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent",
    );
    if (String(label).includes(name)) return;
  }
  assert.fail(`The key Tab does not lead to “${name}”.`);
}

test("behind a path before it every page, file and request goes there; the keyboard is enough", async () => {
  await withProxy(async (url) => {
    const page = await scene().open();
    const elsewhere: string[] = [];
    page.on("request", (sent) => {
      if (!sent.url().startsWith(`${url}/`)) elsewhere.push(sent.url());
    });
    await page.goto(`${url}/sign-up`);
    await fillCredentials(page, { ...owner, email: "keyboard@mail.example" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
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

test("the first press of Tab offers to skip to the page", async () => {
  await withProxy(async (url) => {
    const page = await scene().open();
    await page.goto(`${url}/sign-up`);
    await fillCredentials(page, { ...owner, email: "skip@mail.example" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
    await tabTo(page, "Skip to the page");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const focused = await page.evaluate("document.activeElement?.closest('main') !== null");
    assert.equal(focused, true);
  });
});
