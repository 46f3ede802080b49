import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { sampleText } from "../src/first-run/sample-text.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

/** Below 0.1 is good by the usual measure; what moves under a finger while a page loads is a fault long before. */
const maxShift = 0.025;

const tabs = ["", "ingest", "documents", "ask", "graph", "jobs", "settings"];
const pages = [
  "projects",
  "ontologies",
  "ontologies/new",
  "api-keys",
  "agents",
  "webhooks",
  "usage",
  "account",
  "docs",
];

const observe = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

for (const [device, viewport] of [
  ["a desktop", { width: 1280, height: 800 }],
  ["a phone", { width: 390, height: 800 }],
] as const) {
  test(`nothing moves while a page loads on ${device}`, async () => {
    const page = await scene().open({ viewport });
    const email = `shift-${viewport.width}@mail.example`;
    const documents = [{ source_doc_id: sampleText.name, text: sampleText.text }];
    await openProject(page, scene(), { email, documents, tab: "" });
    const project = page.url().replace(/\/$/, "");
    await page.addInitScript(observe);
    const urls = [
      `${project}/document?id=${encodeURIComponent(sampleText.name)}`,
      ...tabs.map((tab) => `${project}/${tab}`),
      ...pages.map((path) => `${scene().url}/${path}`),
    ];
    await sendDamaged(page, project);
    const shifts: Record<string, number> = {};
    for (const url of urls) {
      await page.goto(url);
      await page.getByRole("main").waitFor();
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      const shift = Number(await page.evaluate("window.shift"));
      if (shift > maxShift) shifts[url.replace(scene().url, "")] = shift;
    }
    assert.deepEqual(shifts, {});
  });
}

/** Files that cannot be read, for different reasons. */
async function sendDamaged(page: Page, project: string): Promise<void> {
  const path = `${scene().url}/api/v1${new URL(project).pathname}`;
  const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
  const start = { "report.pdf": "%PDF-1.7\n", "letter.docx": "PK\u0003\u0004", "scan.png": "\u0089PNG\r\n" };
  for (const [name, content] of Object.entries(start)) {
    const files = { name, mimeType: "application/octet-stream", buffer: Buffer.from(content, "latin1") };
    await page.context().request.post(`${path}/files`, { multipart: { files }, headers });
  }
  await waitFor("the failures", async () => {
    const queue = await (await page.context().request.get(`${path}/queue`, { headers })).json();
    return queue.failed === 3 ? true : null;
  });
}
