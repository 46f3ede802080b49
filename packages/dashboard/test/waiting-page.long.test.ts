import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import Fastify from "fastify";
import type { Browser } from "playwright-core";
import { addDashboardRoutes } from "../../server/src/http/routes/dashboard.ts";
import { launchBrowser, openPage } from "./support/browser.ts";
import { look } from "./support/look.ts";

const app = Fastify();
let browser: Browser | null = null;
after(async () => {
  await browser?.close();
  await app.close();
});

test("the one-time link, opened while the dashboard is being built, opens it with its token when it is ready", async () => {
  let page: string | null = null;
  const dashboard = { assets: tmpdir(), readPage: async () => page, fault: () => null };
  await addDashboardRoutes(app, { dashboard, publicUrl: "http://localhost:8080", signUp: "closed" });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  browser = await launchBrowser();
  const visit = await openPage(browser);
  await visit.page.goto(`${url}/set-up#token=abc`);
  await visit.page.getByRole("heading", { name: "The dashboard is being built" }).waitFor();
  await look(visit.page, "being-built");
  page = '<!doctype html><html lang="en"><title>Built</title><h1>Set up</h1></html>';
  await visit.page.getByRole("heading", { name: "Set up" }).waitFor();
  assert.equal(new URL(visit.page.url()).hash, "#token=abc");
  assert.deepEqual(visit.faults, []);
});
