import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { openProject, type Scene, setScene } from "./support/scene.ts";
import { OWN, openTab } from "./support/steps.ts";

const tokenLimit = 20_000;
const scene = setScene({ KCS_TOKEN_LIMIT: String(tokenLimit), KCS_SIGN_UP: "open" });

const longText = Array.from({ length: 3_000 }, (_, at) => `Sentence ${at} of a long report on tides.`).join(
  " ",
);

test("while jobs run every page of the project says so, and all of them are cancelled at once", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "before", text: "What was done before does not count." }];
  await openProject(page, scene(), {
    ...{ email: "queue@mail.example", isSearchOnly: true, tab: "documents" },
    documents,
  });
  await send(page, scene(), 40, longText);
  await page.reload();
  const bar = page.getByRole("link", { name: /documents to go/ });
  await bar.waitFor();
  await look(page, "busy");
  await bar.click();
  const queue = page.getByRole("region", { name: "Queue" });
  await queue.getByText(/^\d+ of 40 jobs are done/).waitFor();
  await page.getByRole("region", { name: "Processing now" }).getByRole("progressbar").first().waitFor();
  assert.equal(await bar.count(), 0, "the page of jobs says it itself");
  await page
    .getByText(/^\d+ of \d+ chunks|^reading the text$/)
    .first()
    .waitFor();
  assert.ok((await emptyRoom(page)) < 2, "the list of what runs has no room for more than runs at once");
  await look(page, "jobs-busy");

  await queue.getByRole("button", { name: "Cancel all" }).click();
  await page
    .getByRole("dialog")
    .getByText(/Their texts are not kept/)
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Keep them running" }).waitFor();
  await look(page, "jobs-cancel-all");
  const held = Promise.withResolvers<void>();
  await page.route(/queue\/cancel$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Cancel all jobs" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await queue.getByText(/^Cancelling: \d+ of \d+ have ended/).waitFor();
  assert.equal(await queue.getByRole("button", { name: "Cancel all" }).count(), 0);
  await look(page, "jobs-cancelling");
  await openTab(page, "Documents");
  await bar.getByText("cancelling").waitFor();
  await openTab(page, "Jobs");
  await queue.getByText(/^Cancelling/).waitFor();
  held.resolve();
  await queue.getByText("Nothing is waiting").waitFor();
  const cancelled = page.getByRole("region", { name: "Cancelled" }).getByRole("listitem");
  assert.match((await cancelled.first().textContent()) ?? "", /^\d+Its text is not kept/);
  await cancelled.getByRole("link", { name: /^note/ }).first().waitFor();
  // A job that ran can have failed before.
  const failed = page.getByRole("region", { name: "Failures" });
  assert.equal(await failed.getByText(/Its text is not kept/).count(), 0);
  await openTab(page, "Documents");
  await bar.waitFor({ state: "detached" });
});

test("the list of a busy queue begins with what runs, and what waits comes last", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "order@mail.example", isSearchOnly: true, tab: "documents" });
  await send(page, scene(), 60, longText);
  await openTab(page, "Jobs");
  const rows = page.getByRole("table", { name: "Jobs" }).getByRole("row");
  await rows.filter({ hasText: "Processing" }).first().waitFor();
  const texts = await rows.allTextContents();
  const isWaiting = texts.slice(1).map((text) => text.includes("Waiting"));
  const first = isWaiting.indexOf(true);
  assert.ok(first > 0, texts.slice(0, 5).join("; "));
  assert.ok(isWaiting.slice(first).every(Boolean));
  assert.equal(isWaiting.length, 50);
  await look(page, "jobs-in-order");
  await page.getByRole("button", { name: "Cancel all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel all jobs" }).click();
  await page.getByText("Nothing is waiting").waitFor();
});

test("failures are grouped by reason and retried together, and jobs are listed by state, which the address has", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "failures@mail.example", isSearchOnly: true, tab: "jobs" });
  await send(page, scene(), 3, "A short note on tides.");
  // Uses up the tokens of the account.
  await send(page, scene(), 4, longText, "report");
  const failures = page.getByRole("region", { name: "Failures" });
  await failures.getByText(/Wait until the next month/).waitFor();
  const retry = failures.getByRole("button", { name: /^Retry/ });
  await page.getByText("Nothing is waiting").waitFor();
  await failures.getByRole("link", { name: "report 0" }).waitFor();
  await failures.getByRole("link", { name: "and 1 more" }).waitFor();
  await look(page, "jobs-failures");
  await retry.first().click();
  await page.getByRole("alert").filter({ hasText: "Token usage limit exceeded" }).waitFor();

  await page.getByRole("radio", { name: /^Indexed 3/ }).click();
  await page
    .getByRole("row", { name: /report/ })
    .first()
    .waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).searchParams.get("state"), "completed");
  await page.reload();
  await page.getByRole("row", { name: /note/ }).first().waitFor();
  assert.equal(await page.getByRole("row", { name: /note|doc/ }).count(), 3);
  await page.getByRole("radio", { name: /^Waiting 0/ }).click();
  await page.getByText("No job in this state.").waitFor();
});

test("with all columns of a graph every button of a row is in view", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "columns@mail.example", tab: "jobs" });
  await send(page, scene(), 12, longText, "report-of-the-harbour-office-2031-04-09-second-edition");
  const table = page.getByRole("table", { name: "Jobs" });
  await table.getByText("Chunks", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Processing now" }).getByRole("progressbar").first().waitFor();
  const cancel = table.getByRole("button", { name: /^Cancel report/ });
  await cancel.first().waitFor();
  await look(page, "jobs-graph");
  for (const width of [1280, 1100, 900]) {
    await page.setViewportSize({ width, height: 800 });
    const [frame, button] = [await table.locator("..").boundingBox(), await cancel.first().boundingBox()];
    assert.ok(frame !== null && button !== null);
    const over = button.x + button.width - (frame.x + frame.width);
    assert.ok(over < 0, `At ${width} pixels the button is cut by ${over}.`);
  }
  await page.getByRole("button", { name: "Cancel all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel all jobs" }).click();
  await page.getByText("Nothing is waiting").waitFor();
});

test("the reason of a failure has room at every width, and a damaged file is to be repaired, not retried", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "damaged@mail.example", tab: "jobs" });
  await sendFile(page, scene(), "report.pdf", "%PDF-1.4 and nothing else");
  await page.reload();
  const table = page.getByRole("table", { name: "Jobs" });
  const reason = table.getByText(
    /^The PDF .*Repair the file, or convert it to another type, and send it again\.$/,
  );
  await reason.waitFor();
  await page
    .getByRole("region", { name: "Failures" })
    .getByText(/Repair the file/)
    .waitFor();
  await page.getByText("Nothing is waiting").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Retry/ }).count(), 0);
  for (const width of [1440, 1280, 1000, 820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const [frame, box] = [await table.locator("..").boundingBox(), await reason.boundingBox()];
    assert.ok(frame !== null && box !== null);
    assert.ok(box.width > 0.7 * Math.min(frame.width, 500), `At ${width} pixels it has ${box.width}.`);
    assert.ok(box.x + box.width <= frame.x + frame.width, `At ${width} pixels it is cut.`);
  }
  await look(page, "jobs-damaged");
});

test("while documents are read again, progress is that of these documents, not of the jobs before", async () => {
  const page = await scene().open();
  const queue = {
    ...{ pending: 100, running: 8, completed: 240, failed: 3, others_unfinished: 0, failures: [] },
    ...{ batch: { completed: 10, failed: 2 }, jobs_per_minute: 60, seconds_left: 188 },
    reread: { documents_processed: 12, documents_failed: 2, documents_queued: 108, documents_total: 200 },
  };
  let reply: object = queue;
  await page.route(/\/queue$/, (route) => route.fulfill({ headers: OWN, json: reply }));
  await openProject(page, scene(), { email: "again@mail.example", tab: "jobs" });
  const head = page.getByRole("region", { name: "Queue" });
  await head.getByText("10 of 200 documents are read again").waitFor();
  await head.getByText("60 documents a minute, 3 min left · 2 failed or cancelled").waitFor();
  await openTab(page, "Documents");
  await page.getByRole("link", { name: /^188 documents to go/ }).waitFor();
  // No document has a job, because other projects have as many as the account may have.
  reply = {
    ...queue,
    ...{ pending: 0, running: 0, others_unfinished: 900, jobs_per_minute: null, seconds_left: null },
    reread: { ...queue.reread, documents_queued: 0 },
  };
  await page.getByRole("link", { name: /^188 documents to go · waiting behind 900 jobs/ }).waitFor();
  await openTab(page, "Jobs");
  await head.getByRole("button", { name: "Cancel all" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Documents that were not read again yet stay as they are.").waitFor();
  assert.equal(await dialog.getByText("send them again").count(), 0);
});

/** Of the list of what runs: the height without a job, in heights of a job. */
async function emptyRoom(page: Page): Promise<number> {
  const list = page.getByRole("region", { name: "Processing now" }).getByRole("list");
  const [all, one] = [await list.boundingBox(), await list.getByRole("listitem").first().boundingBox()];
  assert.ok(all !== null && one !== null);
  return all.height / one.height - (await list.getByRole("listitem").count());
}

async function sendFile(page: Page, { url }: Scene, name: string, content: string): Promise<void> {
  const path = new URL(page.url()).pathname.split("/").slice(0, 3).join("/");
  const reply = await page.context().request.post(`${url}/api/v1${path}/files`, {
    multipart: { file: { name, mimeType: "application/pdf", buffer: Buffer.from(content) } },
    headers: { origin: url, "sec-fetch-site": "same-origin" },
  });
  assert.ok(reply.ok(), await reply.text());
}

/** Many documents at once, by the API. */
async function send(page: Page, { url }: Scene, count: number, text: string, name = "note"): Promise<void> {
  const path = new URL(page.url()).pathname.split("/").slice(0, 3).join("/");
  const documents = Array.from({ length: count }, (_, at) => ({
    source_doc_id: `${name} ${at}`,
    text: `${name} ${at}. ${text}`,
  }));
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const reply = await page.context().request.post(`${url}/api/v1${path}/ingest/batch`, {
    data: { documents },
    headers,
  });
  assert.ok(reply.ok(), await reply.text());
}
