import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { createGateway } from "./support/gateway.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { OWN, openTab } from "./support/steps.ts";

const scene = setScene();

test("while the service is gone every page says so, and goes on by itself when it is back", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    ...{ email: "gone@mail.example", isSearchOnly: true, tab: "documents" },
    documents: [{ source_doc_id: "tides", text: "The tide turns at noon." }],
  });
  await page.getByRole("table").waitFor();
  const everything = /\/(api|assets|health)/;
  await page.route(everything, (route) => route.abort("connectionrefused"));
  const usage = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" });
  const place = await usage.boundingBox();
  await page.getByRole("searchbox", { name: "Find by name" }).fill("tides");
  await page.getByText("The service cannot be reached. This page connects again by itself.").waitFor();
  assert.deepEqual(await usage.boundingBox(), place, "nothing moves under the pointer");
  await look(page, "gone");
  const bottom = await page.evaluate(
    "document.querySelector('[aria-label=\"Sign out\"]').getBoundingClientRect().bottom - innerHeight",
  );
  assert.ok(Number(bottom) <= 0, "the account is on the screen");
  // The code of this page was not loaded yet.
  await usage.click();
  await page.getByText("and shows what is missing as soon as the service answers").waitFor();
  await look(page, "gone-unloaded");
  assert.equal(await page.getByText(/preload|import/i).count(), 0, "no error of the loader");

  await page.unroute(everything);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.getByText("The service cannot be reached").first().waitFor({ state: "detached" });
  assert.deepEqual(await page.evaluate(unstyled), []);
});

test("pages that were opened one after the other while the service is gone get their styles when it is back", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "styles@mail.example", tab: "" });
  await page.getByRole("heading", { name: "Observatory", level: 1 }).waitFor();
  const everything = /\/(api|assets|health)/;
  await page.route(everything, (route) => route.abort("connectionrefused"));
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Graph" }).click();
  await page.getByRole("status").getByText("The service cannot be reached.").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).click();
  await page.getByText("and shows what is missing as soon as the service answers").waitFor();
  await page.unroute(everything);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.getByText("The service cannot be reached").first().waitFor({ state: "detached" });
  // Those of the page that was left in between come, too: it does not ask for them again.
  await waitFor("all styles", async () =>
    (await page.evaluate<readonly string[]>(unstyled)).length === 0 ? true : null,
  );
  await look(page, "gone-and-back");
});

/** The addresses of style sheets whose rules are not there. */
const unstyled = `[...document.querySelectorAll("link[rel=stylesheet]")].flatMap((link) => {
  try { return link.sheet.cssRules.length > 0 ? [] : [link.href]; } catch { return [link.href]; }
})`;

test("a page on which nobody does anything notices, too", async () => {
  const page = await scene().open();
  await page.clock.install();
  await openProject(page, scene(), { email: "idle@mail.example", isSearchOnly: true, tab: "settings" });
  await page.getByRole("textbox", { name: "Name of the project" }).waitFor();
  await page.route(/\/health/, (route) => route.abort("connectionrefused"));
  await page.clock.runFor(16_000);
  await page.getByText("The service cannot be reached.").waitFor();
  await page.unroute(/\/health/);
  await page.clock.runFor(3_000);
  await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
});

test("a page that is opened while the service is gone keeps the menu", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "menu@mail.example", isSearchOnly: true, tab: "documents" });
  await page.route(/\/(api|health)/, (route) => route.abort("connectionrefused"));
  await page.reload();
  await page.getByRole("heading", { name: "Not available", level: 1 }).waitFor();
  await page.getByText("This page connects again by itself, and shows what is missing").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).waitFor();
  await look(page, "gone-opened");
  await page.unroute(/\/(api|health)/);
  await page.getByText("No document yet").waitFor();
});

for (const [path, name, wanted] of [
  ["/projects", "Projects", "Observatory"],
  ["/ontologies", "Ontologies", "No ontology of yours yet"],
] as const)
  test(`${name} say that the service is gone, and what will happen, when their first load fails`, async () => {
    const page = await scene().open();
    const email = `first-${name.toLowerCase()}@mail.example`;
    await openProject(page, scene(), { email, isSearchOnly: true, tab: "documents" });
    await page.getByText("No document yet").waitFor();
    // The session is known and the code is loaded; the data is not.
    await page.route(/\/(api\/v1|health)/, (route) => route.abort("connectionrefused"));
    await page.goto(`${scene().url}${path}`);
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByText("This page connects again by itself, and shows what is missing").waitFor();
    assert.equal(await page.getByRole("status", { name: "Loading" }).count(), 0);
    await look(page, `gone-${name.toLowerCase()}`);
    await page.unroute(/\/(api\/v1|health)/);
    await page.getByText(wanted).first().waitFor();
  });

test("a question that is asked while the service is gone keeps its page, and is answered when it is back", async () => {
  const page = await scene().open();
  // The session is read again only when what was read is a minute old.
  await page.clock.install();
  await openProject(page, scene(), {
    ...{ email: "asks@mail.example", isSearchOnly: true, tab: "ask" },
    documents: [{ source_doc_id: "tides", text: "The tide turns at noon." }],
  });
  const question = page.getByRole("textbox", { name: "Question" });
  await question.waitFor();
  await page.route(/\/(api|health|projects)/, (route) => route.abort("connectionrefused"));
  await page.clock.runFor(61_000);
  await question.fill("When does the tide turn?");
  await question.press("Enter");
  await page.clock.runFor(10_000);
  await page.getByText("The question is asked when the service can be reached again.").waitFor();
  assert.equal(await page.getByText("Stopped before an answer").count(), 0);
  assert.equal(await question.inputValue(), "When does the tide turn?");
  assert.equal(await page.getByRole("heading", { name: "Not available" }).count(), 0);
  await look(page, "gone-asked");
  await page.unroute(/\/(api|health|projects)/);
  await page.clock.runFor(5_000);
  await page.getByText("The tide turns at noon").first().waitFor();
});

describe("while the service is stopped", async () => {
  const gateway = await createGateway();
  const stopped = setScene({ KCS_PUBLIC_URL: gateway.url });
  const banner = "The service cannot be reached. This page connects again by itself.";
  afterEach(() => gateway.close());
  const at = () => ({ ...stopped(), url: gateway.url });

  test("the page of sent documents catches up with what was read meanwhile, and sends again what was not sent", async () => {
    const page = await stopped().open();
    await gateway.open(stopped().url);
    await openProject(page, at(), { email: "stop@mail.example", isSearchOnly: true, tab: "ingest" });
    await chooseFiles(page, 30, "report");
    await page.getByText(/^[1-9]\d* of 30 documents/).waitFor();
    const attempts = failedStreams(page);
    await gateway.close();
    await page.getByText(banner).waitFor();
    await look(page, "gone-ingest");
    // Then the client of the API follows its stream no more by itself.
    await waitFor("an attempt to follow", async () => (attempts() > 0 ? true : null));
    await chooseFiles(page, 2, "late");
    const unsent = page.getByRole("alert").filter({ hasText: "2 files were not sent: late 0.txt" });
    await unsent.getByText("The service could not be reached.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send again" }).isDisabled(), true);
    await look(page, "gone-ingest-unsent");

    await gateway.open(stopped().url);
    await page.getByText("30 of 32 done, 2 not sent").waitFor();
    assert.equal(await page.getByText("cannot be reached").count(), 0);
    await look(page, "back-ingest-unsent");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("32 of 32 done").waitFor();
    assert.equal(await page.getByText("not sent").count(), 0);
  });

  test("pages keep what they have, a page without anything says why, and all come back by themselves", async () => {
    const page = await stopped().open();
    await gateway.open(stopped().url);
    const documents = [{ source_doc_id: "mill", text: "Larkspur Mill was founded by Odile Brandt." }];
    await openProject(page, at(), { email: "pages@mail.example", documents, tab: "jobs" });
    const jobs = page.getByRole("table", { name: "Jobs" });
    await jobs.getByText("mill").waitFor();
    await openTab(page, "Overview");
    const figure = page.getByText("Entities", { exact: true });
    await figure.waitFor();
    const busy = { pending: 9, running: 1, completed: 3, failed: 0, others_unfinished: 0, failures: [] };
    const batch = { completed: 3, failed: 0 };
    const json = { ...busy, batch, jobs_per_minute: 60, seconds_left: 19, reread: null };
    await page.route(/\/queue$/, (route) => route.fulfill({ headers: OWN, json }));
    const listed = page.waitForResponse(/status=pending/);
    await openTab(page, "Jobs");
    await listed;
    await page.getByText("60 documents a minute, 19 s left").waitFor();
    await page.unroute(/\/queue$/);
    await gateway.close();
    await page.getByText(banner).waitFor({ timeout: 8_000 });
    assert.equal(await page.getByText(/s left/).count(), 0, "a countdown that stands still");
    await openTab(page, "Overview");
    await figure.waitFor();
    await page.getByText("10 documents to go · when last read").waitFor();
    await look(page, "gone-overview");
    await openTab(page, "Graph");
    await page.getByText("and shows what is missing").waitFor();
    await look(page, "gone-graph");
    await openTab(page, "Ask");
    await page.getByText("and shows what is missing").waitFor();
    await page.getByRole("link", { name: "Ontologies" }).click();
    await page.getByText("and shows what is missing").waitFor();
    await look(page, "gone-ontologies");
    await page.goBack();
    await openTab(page, "Jobs");
    await jobs.getByText("mill").waitFor();
    await look(page, "gone-jobs");
    for (const words of ["could not be loaded", "Try again"])
      assert.equal(await page.getByText(words).count(), 0, words);

    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByText("and shows what is missing").waitFor();
    await gateway.open(stopped().url);
    await page.getByText(banner).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.goBack();
    await page.getByText("Nothing is waiting").waitFor();
  });
});

/** Files that take a moment to be read. */
async function chooseFiles(page: Page, count: number, name: string): Promise<void> {
  const text = Array.from({ length: 400 }, (_, at) => `Sentence ${at} of a report on tides.`).join(" ");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles(
    Array.from({ length: count }, (_, at) => ({
      ...{ name: `${name} ${at}.txt`, mimeType: "text/plain" },
      buffer: Buffer.from(`${name} ${at}. ${text}`),
    })),
  );
}

/** How often the stream of events was asked for in vain, from now on. */
function failedStreams(page: Page): () => number {
  let failed = 0;
  page.on("requestfailed", (sent) => {
    if (sent.url().endsWith("/events")) failed++;
  });
  return () => failed;
}
