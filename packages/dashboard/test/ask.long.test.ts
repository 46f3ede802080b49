import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sampleText } from "../src/first-run/sample-text.ts";
import { look } from "./support/look.ts";
import { openProject, type Scene, setScene } from "./support/scene.ts";

const scene = setScene();
const tides = "The tide at Orrin turns at noon. Agnes Thorley never saw it.";

test("an answer cites its passages, which are marked, scored and lead to their documents", async () => {
  const page = await scene().open();
  await askable(page, scene(), "citations@mail.example");
  await page.getByText("Ask in your own words").waitFor();
  await look(page, "ask-empty");
  await ask(page, sampleText.question);
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  await look(page, "ask");

  await page.getByRole("button", { name: "Passage 1" }).first().click();
  const passage = page.locator("li:focus");
  assert.ok((await passage.locator("mark").allTextContents()).includes("Observatory"));
  assert.match((await passage.textContent()) ?? "", /Score 0\.\d\d/);

  await page.getByRole("complementary", { name: "From the graph" }).getByRole("link").first().waitFor();
  await passage.getByRole("link").click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
  assert.equal(new URL(page.url()).pathname.split("/").at(-1), "document");
});

test("a question of some documents only is answered from these, and what was asked before is kept", async () => {
  const page = await scene().open();
  await askable(page, scene(), "filter@mail.example");
  await ask(page, "Where was Agnes Thorley born?");
  await page.getByRole("heading", { name: "Answer" }).waitFor();

  await page.getByRole("combobox", { name: "Only in these documents" }).fill("tid");
  await page.getByRole("option", { name: "tides" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "tides" }).waitFor();
  await look(page, "ask-filter");
  await ask(page, "What did Agnes Thorley see?");
  await page.getByRole("region", { name: "Answer" }).getByText("What did Agnes Thorley see?").waitFor();
  assert.deepEqual(await sources(page), ["tides"]);

  await page.getByRole("button", { name: /Where was Agnes Thorley born/ }).click();
  await page.getByRole("region", { name: "Answer" }).getByText("Where was Agnes Thorley born?").waitFor();
  assert.ok((await sources(page)).includes(sampleText.name));
  assert.equal(
    await page.getByRole("textbox", { name: "Question" }).inputValue(),
    "Where was Agnes Thorley born?",
  );
  await look(page, "ask-history");
});

test("a question of documents with certain metadata only is answered from these", async () => {
  const page = await scene().open();
  const documents = [1890, 1905, 1912].map((year) => ({
    source_doc_id: `logbook ${year}`,
    text: `The Ilse sailed under Ines Falk in ${year}.`,
    metadata: { year, ship: "Ilse" },
  }));
  const email = "metadata@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, documents, tab: "ask" });
  await page.getByRole("button", { name: "Filter by metadata" }).click();
  await page.getByRole("combobox", { name: "Key" }).click();
  await page.getByRole("option", { name: "year" }).click();
  await page.getByRole("textbox", { name: "Value" }).fill("1900");
  await page.getByRole("button", { name: /Comparison/ }).click();
  await page.getByRole("option", { name: "is at least" }).click();
  await look(page, "ask-metadata");
  await ask(page, "Who sailed the Ilse?");
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  assert.deepEqual([...(await sources(page))].sort(), ["logbook 1905", "logbook 1912"]);

  await page.getByRole("textbox", { name: "Value" }).fill("early");
  await page.getByText("Enter a number.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled());
});

test("how an answer was found is shown step by step, and as code it asks the same", async () => {
  const page = await scene().open();
  await askable(page, scene(), "explain@mail.example");
  await page.getByLabel("Explain how it was found").check({ force: true });
  await ask(page, sampleText.question);
  await page.getByRole("heading", { name: "How it was found" }).waitFor();
  for (const step of ["Plan", "Retrievers", "Graph", "Ranking", "Timings"]) {
    await page.getByRole("tab", { name: step }).click();
    await look(page, `ask-explain-${step.toLowerCase()}`);
  }
  await page.getByText("Total in the service").waitFor();
  const curl = await page.getByRole("figure").locator("pre").textContent();
  assert.match(curl ?? "", /"include":\["provenance","explain"\]/);
  await page.getByRole("tab", { name: "SDK" }).click();
  await page.getByText("createClient({").waitFor();
});

test("a dynamic question is asked with the keyboard alone", async () => {
  const page = await scene().open();
  await askable(page, scene(), "keyboard@mail.example");
  await page.getByRole("textbox", { name: "Question" }).focus();
  await page.keyboard.type("Which of Agnes Thorley and Samuel Okoro");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("became director in 1912?");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: /Dynamic/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: /Retrieval/ })
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(/^dynamic_builtin/).waitFor();
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  assert.match((await steps.first().textContent()) ?? "", /^Which of Agnes Thorley .* – \d+ passages?$/s);
  assert.ok((await steps.count()) > 1);
  await look(page, "ask-steps");
});

test("as many passages of one document are shown as the options say", async () => {
  const page = await scene().open();
  const tide = (at: number) => `At Orrin the tide of day ${at} turns at noon, says the log. `;
  const documents = [
    { source_doc_id: "long", text: Array.from({ length: 300 }, (_, at) => tide(at)).join("\n\n") },
    { source_doc_id: "tides", text: tides },
    { source_doc_id: "noon", text: "Noon is when the sun stands in the south." },
  ];
  await openProject(page, scene(), {
    email: "spread@mail.example",
    isSearchOnly: true,
    documents,
    tab: "ask",
  });
  await ask(page, "When does the tide turn at Orrin?");
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  await page.getByText("More options").click();
  await page.getByRole("textbox", { name: "Passages of one document" }).fill("1");
  await page.keyboard.press("Tab");
  await look(page, "ask-options");
  await ask(page, "When does the tide turn at Orrin, says the log?");
  await page.getByRole("region", { name: "Answer" }).getByText("says the log?").waitFor();
  assert.equal(await page.getByRole("listitem").filter({ hasText: "Score" }).count(), 3);
  assert.deepEqual([...(await sources(page))].sort(), ["long", "noon", "tides"]);
});

test("a refused question says why and keeps its words; a long one can be stopped", async () => {
  const page = await scene().open();
  await askable(page, scene(), "faults@mail.example");
  const answers = "**/query";
  await page.route(answers, (route) =>
    route.fulfill({ status: 503, json: { detail: "Too much is asked at once. Try again in 2 seconds." } }),
  );
  await ask(page, "Where was Agnes Thorley born?");
  await page
    .getByRole("alert")
    .getByText(/Too much is asked at once/)
    .waitFor();
  await look(page, "ask-refused");
  assert.equal(
    await page.getByRole("textbox", { name: "Question" }).inputValue(),
    "Where was Agnes Thorley born?",
  );

  await page.unroute(answers);
  await page.route(answers, () => undefined); // Never answered.
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Ask", exact: true }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

/** An account with a project of two documents, at the page where questions are asked. */
async function askable(page: Page, at: Scene, email: string): Promise<void> {
  const documents = [
    { source_doc_id: sampleText.name, text: sampleText.text },
    { source_doc_id: "tides", text: tides },
  ];
  await openProject(page, at, { email, documents, tab: "ask" });
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.keyboard.press("Enter");
}

async function sources(page: Page): Promise<readonly string[]> {
  const links = page.getByRole("listitem").filter({ hasText: "Score" }).getByRole("link");
  return [...new Set(await links.allTextContents())];
}
