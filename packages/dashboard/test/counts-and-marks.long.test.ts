/** Small things that were wrong on a page while all of its parts worked. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page, Route } from "playwright-core";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { OWN, openTab } from "./support/steps.ts";

const scene = setScene();
const phone = { width: 390, height: 800 };
const documents = [
  {
    source_doc_id: "harbour",
    text: "# Harbour of Porto\n\nMaria Gonzalez leads the harbour office of Porto.\n\n## Tides\n\nThe highest tide of Porto rose 61 metres.",
  },
];

test("the figure of documents has those that can be searched, and says how many are to be read or failed", async () => {
  const page = await scene().open();
  await inventCounts(page);
  await openProject(page, scene(), { email: "counts@mail.example", documents, tab: "" });
  const figure = page.getByRole("definition").filter({ hasText: /^\d+$/ }).first();
  await page.getByRole("link", { name: "and more to be read" }).waitFor();
  await page.getByRole("link", { name: "and 20 failed or cancelled" }).waitFor();
  assert.equal(await figure.textContent(), "3");
  await page.getByRole("link", { name: "127 documents to go" }).waitFor();
  await look(page, "overview-counts");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page
    .getByRole("row", { name: /Observatory/ })
    .getByText("130", { exact: true })
    .waitFor();
});

test("of a file whose length is not known yet no part of the bar is drawn as done", async () => {
  const page = await scene().open();
  await page.route(/\/jobs\?.*status=running/, async (route) => {
    const { jobs: all, ...rest } = await answerTo(
      route,
      route.request().url().replace("running", "completed"),
    );
    const jobs = all.map((job: object) => ({ ...job, status: "running", chunks_processed: 0 }));
    await route.fulfill({ headers: OWN, json: { ...rest, jobs } });
  });
  await inventCounts(page);
  await openProject(page, scene(), { email: "unknown-length@mail.example", documents, tab: "jobs" });
  const bar = page.getByRole("region", { name: "Processing now" }).getByRole("progressbar");
  await bar.getByText("reading the text").waitFor();
  const widths = await bar
    .locator("rect")
    .evaluateAll((parts) => parts.map((part) => part.getAttribute("width")));
  assert.deepEqual(widths, ["100"], "it cannot go back to the beginning once the length is known");
  await look(page, "jobs-unknown-length");
});

test("a project can move to a ready-made ontology, which is made first", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "ready-made@mail.example", documents, tab: "settings" });
  await page.getByRole("button", { name: "Change the ontology" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /Ontology/ }).click();
  await page.getByRole("option", { name: "Business (ready-made)" }).click();
  await look(page, "settings-ready-made");
  await dialog.getByRole("button", { name: "Make it an ontology of mine" }).click();
  await dialog.getByText(/^The ontology has no type for these|^Nothing has to leave the graph/).waitFor();
  await dialog.getByText("With an ontology texts are read in another way than without one").waitFor();
  await dialog.getByRole("button", { name: "Change and read again" }).click();
  await page.getByText("Business, version 1").waitFor();
});

test("on a phone a message covers no button of the page", async () => {
  const page = await scene().open({ viewport: phone });
  await openProject(page, scene(), { email: "messages@mail.example", documents, tab: "settings" });
  await page.getByLabel("Name of the project").fill("Observatory of the north coast and its islands");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  const message = page.getByRole("region", { name: "Notifications" }).getByText(/^The project is called/);
  await message.waitFor();
  const uncovered = async (buttons: Locator) => {
    const box = await message.locator("..").boundingBox();
    assert.ok(box !== null);
    for (const button of await buttons.filter({ visible: true }).all()) {
      const other = await button.boundingBox();
      if (other === null) continue;
      const isBeside: boolean = other.x >= box.x + box.width || other.x + other.width <= box.x;
      const isAside: boolean = other.y >= box.y + box.height || other.y + other.height <= box.y;
      assert.ok(isBeside || isAside, `It covers ${await button.textContent()}.`);
    }
  };
  await uncovered(page.locator("main button, main form a, header button"));
  const last = page.getByRole("button", { name: "Read again" });
  await last.evaluate((button) => button.scrollIntoView({ block: "end" }));
  await uncovered(last);
  await look(page, "message", "phone");
});

test("passages and quotes are shown without the signs of headings", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "headings@mail.example", documents, tab: "ask" });
  await page.getByRole("textbox", { name: /question/i }).fill("How high did the highest tide of Porto rise?");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  const main = page.getByRole("main");
  await main
    .getByText(/Harbour of Porto/)
    .first()
    .waitFor();
  assert.doesNotMatch((await main.textContent()) ?? "", /# /);
  await look(page, "ask-headings");
});

/** What the service answers to a request of the page; it takes a cookie from its own pages only. */
async function answerTo(route: Route, url = route.request().url()) {
  const headers = { ...route.request().headers(), origin: scene().url, "sec-fetch-site": "same-origin" };
  return (await route.fetch({ url, headers })).json();
}

/** 150 documents, of which 20 failed and 127 wait. */
async function inventCounts(page: Page): Promise<void> {
  await page.route(/\/stats$/, async (route) => {
    const stats = await answerTo(route);
    const jobs = { pending: 125, running: 2, completed: 3, failed: 20 };
    await route.fulfill({ headers: OWN, json: { ...stats, documents: 150, jobs } });
  });
  const totals: Readonly<Record<string, number>> = { pending: 125, running: 2, failed: 20 };
  await page.route(/\/documents\?.*status=/, async (route) => {
    const state = new URL(route.request().url()).searchParams.get("status") ?? "";
    const listed = await answerTo(route);
    await route.fulfill({ headers: OWN, json: { ...listed, total: totals[state] ?? 0 } });
  });
  await page.route(/\/queue$/, (route) =>
    route.fulfill({
      headers: OWN,
      json: {
        ...{ pending: 125, running: 2, completed: 3, failed: 20, others_unfinished: 0, failures: [] },
        batch: { completed: 3, failed: 20 },
        ...{ reread: null, jobs_per_minute: null, seconds_left: null },
      },
    }),
  );
}

test("a project without documents says so where something would be asked or drawn, and leads to adding some", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "none@mail.example", tab: "ask" });
  await page.getByText("No document to ask yet").waitFor();
  await look(page, "ask-no-documents");
  const main = page.getByRole("main");
  assert.equal(await main.getByText("Ask in your own words").count(), 0);
  await main.getByRole("link", { name: "Add texts" }).click();
  await page.waitForURL(/\/ingest$/);
  await openTab(page, "Graph");
  await main.getByText("Relationships are extracted from documents.").waitFor();
  assert.equal(await main.getByText(/choose an entity/).count(), 0);
  await look(page, "graph-no-documents");
});
