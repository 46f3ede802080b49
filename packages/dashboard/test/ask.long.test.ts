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
  const sentence = (await passage.locator("mark").allTextContents()).join("");
  assert.match(sentence, /founded in 1893 by the astronomer Agnes Thorley|born in Whitby/);
  assert.match((await passage.textContent()) ?? "", /(?:Relevant|Perhaps relevant|Of little relevance)/);
  assert.equal(
    await page.getByText("hybrid").count(),
    0,
    "codes of the service are under the explanation alone",
  );
  await page.evaluate("window.scrollTo(0, 0)");
  await look(page, "ask-cited");

  const graph = page.getByRole("complementary", { name: "From the graph" });
  await graph.getByRole("link", { name: "Agnes Thorley" }).first().waitFor();
  assert.match((await graph.locator("blockquote").first().textContent()) ?? "", /Thorley|Observatory/);
  await passage.getByRole("link").click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
  assert.equal(new URL(page.url()).pathname.split("/").at(-1), "document");
  const marked = (await page.locator("[data-marked]").allTextContents()).join("");
  assert.match(marked, /Observatory|Thorley/, "the sentence is marked in its document");
});

test("on a very wide screen sources stand beside the answer, and no line of text is long", async () => {
  const page = await scene().open({ viewport: { width: 2200, height: 1200 } });
  await askable(page, scene(), "wide@mail.example");
  await ask(page, sampleText.question);
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText(/Searched by/).waitFor();
  const passages = page
    .locator("ol")
    .filter({ has: page.locator("[data-place]") })
    .first();
  const graph = page.getByRole("complementary", { name: "From the graph" });
  await graph.locator("blockquote").first().waitFor();
  const boxOf = async (part: typeof answer) => {
    const box = await part.boundingBox();
    assert.ok(box !== null);
    return box;
  };
  for (const width of [2200, 1920]) {
    await page.setViewportSize({ width, height: 1200 });
    const [left, middle, right] = [await boxOf(answer), await boxOf(passages), await boxOf(graph)];
    assert.ok(middle.x > left.x + left.width && right.x > middle.x + middle.width, "beside each other");
    assert.ok(middle.y < left.y + left.height, "the first passage is beside the answer");
    assert.ok(right.x + right.width > width - 60, "they have the width of the window");
    const widest = await page.evaluate<number>(widestLine);
    assert.ok(widest < 42, `a line of text is ${widest} times as wide as its letters are high`);
  }
});

test("an asked question has an address: a reload, a new page and the Back key show it with its answer", async () => {
  const page = await scene().open();
  await askable(page, scene(), "address@mail.example");
  await ask(page, "Where was Agnes Thorley born?");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText(/Whitby/).waitFor();
  await ask(page, "When did the great refractor see first light?");
  await answer.getByText(/1896/).waitFor();
  await page.reload();
  await answer.getByText(/1896/).waitFor();
  assert.equal(
    await page.getByRole("textbox", { name: "Question" }).inputValue(),
    "When did the great refractor see first light?",
  );
  await page.goBack();
  await answer.getByText(/Whitby/).waitFor();
  const shared = await page.context().newPage();
  await shared.goto(page.url());
  await shared
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
  await shared.close();

  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await page.getByRole("heading", { name: "Earlier questions" }).count(), 0);
});

test("where nothing answers the page says so, with what comes nearest behind a line", async () => {
  const page = await scene().open();
  await askable(page, scene(), "nothing@mail.example");
  await ask(page, "What does article QX-7781 cost?");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText("No answer found").waitFor();
  await answer.getByText(/mentions “QX-7781”/).waitFor();
  assert.equal(await page.getByText(/First light/i).isVisible(), false);
  await look(page, "ask-none");
  await page.getByText(/What comes nearest: /).click();
  await page.locator("[data-place]").first().waitFor();
  await look(page, "ask-nearest");
});

test("both modes answer side by side, and an answer is copied with its sources and as code", async () => {
  const page = await scene().open({ permissions: ["clipboard-read", "clipboard-write"] });
  await askable(page, scene(), "compare@mail.example");
  await ask(page, sampleText.question);
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
  await page.getByRole("button", { name: "Also ask step by step" }).click();
  await page
    .getByRole("region", { name: "One search" })
    .getByText(/Whitby/)
    .waitFor();
  await page
    .getByRole("region", { name: "Step by step" })
    .getByText(/Whitby/)
    .waitFor();
  await look(page, "ask-compare");
  await page.reload();
  await page
    .getByRole("region", { name: "Step by step" })
    .getByText(/Whitby/)
    .waitFor();
  await page.getByRole("button", { name: "Show one answer" }).click();

  const thumb = page.getByRole("button", { name: "Good answer" });
  const place = await thumb.boundingBox();
  await page.getByRole("button", { name: "Bad answer" }).click();
  await page.getByText("Kept with the project, for evaluations").waitFor();
  await page.getByRole("button", { name: "Good answer" }).click();
  await page.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
  assert.deepEqual(await thumb.boundingBox(), place);
  await page.reload();
  await page.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
  await look(page, "ask-rated");
  const id = new URL(page.url()).pathname.split("/").at(-2);
  const given = await page.context().request.get(`${scene().url}/api/v1/projects/${id}/feedback`, {
    headers: { "sec-fetch-site": "same-origin" },
  });
  const { feedback } = await given.json();
  assert.equal(feedback.length, 1);
  assert.deepEqual(
    [feedback[0].rating, feedback[0].query, feedback[0].mode],
    ["up", sampleText.question, "static"],
  );
  assert.match(feedback[0].answer, /Whitby/);

  const copied = async (form: string): Promise<string> => {
    await page.getByRole("button", { name: /^Cop(?:y|ied)$/ }).click();
    await page.getByRole("menuitem", { name: form }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    return page.evaluate<string>("navigator.clipboard.readText()");
  };
  const markdown = await copied("Answer as Markdown, with sources");
  assert.match(markdown, /^\*\*Where was the founder/);
  assert.match(markdown, /Whitby.* \[1\]/s);
  assert.match(markdown, /- \[1\] \[The Brindlemoor Observatory\]\(http.*document\?id=.*&mark=\d+-\d+\)/);
  assert.match(await copied("Question as curl"), /"include":\["provenance"\]/);
  assert.match(await copied("Question as TypeScript"), /createClient\(\{/);
});

test("a question of some documents only is answered from these, and what was asked before is kept", async () => {
  const page = await scene().open();
  await askable(page, scene(), "filter@mail.example");
  await ask(page, "Where was Agnes Thorley born?");
  await page.getByRole("heading", { name: "Answer" }).waitFor();

  await openOptions(page);
  await page.getByRole("combobox", { name: "Only in these documents" }).fill("tid");
  await page.getByRole("option", { name: "tides" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "tides" }).waitFor();
  await look(page, "ask-filter");
  await ask(page, "What did Agnes Thorley see?");
  await page.getByRole("link", { name: /Where was Agnes Thorley born/ }).waitFor();
  await page.getByText(/only 1 document/).waitFor();
  await page.locator("[data-place]").first().waitFor({ state: "attached" });
  assert.deepEqual(await sources(page), ["tides"]);

  await page.getByRole("link", { name: /Where was Agnes Thorley born/ }).click();
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
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
  await openOptions(page);
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

  await page.getByText(/only metadata/).click();
  await page.getByRole("textbox", { name: "Value" }).fill("early");
  await page.getByText("Enter a number.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled());
});

test("how an answer was found is shown step by step, with codes and numbers", async () => {
  const page = await scene().open();
  await askable(page, scene(), "explain@mail.example");
  await ask(page, sampleText.question);
  await page.getByText("Explain how it was found").click();
  await page.getByRole("heading", { name: "How it was found" }).waitFor();
  for (const step of ["Plan", "Retrievers", "Graph", "Ranking", "Timings"]) {
    await page.getByRole("tab", { name: step }).click();
    if (step === "Plan") await page.getByText(/^hybrid/).waitFor();
    await page.evaluate("window.scrollTo(0, 0)");
    await look(page, `ask-explain-${step.toLowerCase()}`);
  }
  await page.getByText("Total in the service").waitFor();
});

test("a dynamic question is asked with the keyboard alone", async () => {
  const page = await scene().open();
  await askable(page, scene(), "keyboard@mail.example");
  await page.getByRole("textbox", { name: "Question" }).focus();
  await page.keyboard.type("Which of Agnes Thorley and Samuel Okoro");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("became director in 1912?");
  for (let tabs = 0; tabs < 2; tabs++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: /dynamic/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: /Retrieval/ })
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText(/^Searched for each part of the question, in \d+ searches/).waitFor();
  await look(page, "ask-steps");
  await page.getByText("Explain how it was found").click();
  await page.getByText("dynamic_builtin").waitFor();
  await page.getByRole("tab", { name: "Searches" }).click();
  const searches = page.getByRole("table", { name: "Searches" }).getByRole("row");
  await searches.filter({ hasText: "Which of Agnes Thorley" }).first().waitFor();
  assert.ok((await searches.count()) > 2);
});

test("the path to the answer of a dynamic question names what was followed, and where it was found", async () => {
  const page = await scene().open();
  const documents = [
    {
      source_doc_id: "mill",
      text: "Larkspur Mill\n\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.",
    },
    {
      source_doc_id: "founder",
      text: "Odile Brandt\n\nOdile Brandt kept bees all her life. Odile Brandt was born in Kestrel Bay.",
    },
  ];
  await openProject(page, scene(), { email: "path@mail.example", documents, tab: "ask" });
  const search = new URLSearchParams({
    question: "Where was the founder of Larkspur Mill born?",
    mode: "dynamic",
  });
  await page.goto(`${page.url()}?${search}`);
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Kestrel Bay/)
    .waitFor();
  const path = page.getByRole("list", { name: "Path to the answer" });
  await path.getByRole("link", { name: "Odile Brandt" }).waitFor();
  await path.getByRole("link", { name: "mill" }).waitFor();
  await look(page, "ask-path");
  await path.getByRole("button", { name: /founder/ }).click();
  assert.match((await page.locator("li:focus mark").allTextContents()).join(""), /Kestrel Bay/);
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
  await openOptions(page);
  await page.getByRole("textbox", { name: "Per document" }).fill("1");
  await page.keyboard.press("Shift+Tab");
  await look(page, "ask-options");
  await ask(page, "When does the tide turn at Orrin, says the log?");
  await page.getByText(/1 of a document/).waitFor();
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  assert.equal(await page.locator("[data-place]").count(), 3);
  assert.deepEqual([...(await sources(page))].sort(), ["long", "noon", "tides"]);
});

test("a refused question says why and keeps its words; a long one can be stopped", async () => {
  const page = await scene().open();
  await askable(page, scene(), "faults@mail.example");
  const answers = "**/query";
  await page.route(answers, (route) =>
    route.fulfill({
      status: 503,
      headers: { "x-request-id": "req_1" },
      json: { detail: "Too much is asked at once. Try again in 2 seconds." },
    }),
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
  await page.getByText("Stopped before an answer was found.").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

/** Of texts, in sizes of their letters, of which about two stand in one. */
const widestLine = `(() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let widest = 0;
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.closest(".visually-hidden, textarea") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const size = parseFloat(getComputedStyle(walker.currentNode.parentElement).fontSize);
    for (const { width } of range.getClientRects()) widest = Math.max(widest, width / size);
  }
  return widest;
})()`;

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

async function openOptions(page: Page): Promise<void> {
  await page.getByText("One search, 10 passages").click();
}

async function sources(page: Page): Promise<readonly string[]> {
  const links = page.locator("[data-place] > div > a");
  return [...new Set(await links.allTextContents())];
}
