/** The built package in a real browser, from a page of another origin. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { launchBrowser } from "../../dashboard/test/support/browser.ts";
import { sqlite, withHome, withService } from "../../server/test/support/service.ts";

const ROOT = join(import.meta.dirname, "../../..");
const place = sqlite;

test("the SDK works in a browser: creates, ingests, follows events, asks in both ways, and meets an error", {
  timeout: 180_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-sdk-browser-"));
  await promisify(execFile)(process.execPath, [join(ROOT, "scripts/build-package.ts"), "sdk", folder]);
  const { server, origin } = await serve(folder);
  try {
    await withHome(place, (home) =>
      withService({ home, env: { KCS_CORS_ORIGINS: origin } }, async ({ baseUrl }) => {
        const said = await runInPage(origin, { baseUrl, apiKey: home.ownerKey });
        assert.deepEqual(said, {
          events: true,
          texts: ["The lamp of Orrin was lit in 1852.", "The lamp of Orrin was lit in 1852."],
          error: "NotFoundError",
          requestId: true,
        });
      }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function runInPage(origin: string, options: { baseUrl: string; apiKey: string }): Promise<unknown> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    return await page.evaluate(async ({ baseUrl, apiKey }) => {
      // The page's own address, which the compiler here cannot know.
      const address = "/index.js";
      const sdk = (await import(address)) as typeof import("../src/index.ts");
      const kcs = sdk.createClient({ baseUrl, apiKey });
      const { project_id: id } = await kcs.projects.create({ name: "Browser", vector_only: true });
      const text = "The lamp of Orrin was lit in 1852.";
      const job = await kcs.documents.ingest(id, { source_doc_id: "log", text });
      let events = false;
      for await (const event of kcs.jobs.events(id, job.job_id)) events = event.type === "completed";
      const question = { query: "Which lamp?" };
      const whole = await kcs.query(id, question);
      let streamed = sdk.emptyAnswer;
      for await (const event of kcs.streamQuery(id, question)) streamed = sdk.addToAnswer(streamed, event);
      const error = await kcs.projects.get("prj_none").catch((fault: unknown) => fault);
      const isApiError = error instanceof sdk.ApiError;
      return {
        events,
        texts: [whole, streamed].map(({ results }) => results.chunks[0]?.text),
        error: isApiError ? error.name : String(error),
        requestId: isApiError && error.requestId !== null,
      };
    }, options);
  } finally {
    await browser.close();
  }
}

/** The files of a folder, and an empty page. */
async function serve(folder: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://x").pathname);
    if (path === "/") {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>SDK</title>");
      return;
    }
    readFile(join(folder, path)).then(
      (bytes) => response.setHeader("content-type", "text/javascript").end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { server, origin: `http://127.0.0.1:${address.port}` };
}
