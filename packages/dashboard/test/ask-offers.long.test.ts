import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

test("what may be a part of the answer has one button for step by step, which keeps the focus, and stays so called", async () => {
  const page = await scene().open();
  const text = "Larkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
  const documents = [{ source_doc_id: "mill", text }];
  await openProject(page, scene(), { email: "part@mail.example", documents, tab: "ask" });
  await ask(page, "Who is the husband of the founder of Larkspur Mill?");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByRole("heading", { name: "No passage that was found mentions “husband”." }).waitFor();
  await page
    .getByRole("status")
    .getByText(/^No passage .* mentions “husband”\. What comes nearest/)
    .waitFor();
  await look(page, "ask-unsaid");
  const button = page.getByRole("button", { name: /step by step/ });
  assert.deepEqual(await button.allTextContents(), [" Ask step by step"]);
  await button.focus();
  await page.keyboard.press("Enter");
  const back = page.getByRole("button", { name: "Show one answer" });
  await back.and(page.locator(":focus")).waitFor();
  const further = page.getByRole("region", { name: "Step by step" });
  await further.getByText(/Odile Brandt/).waitFor();
  await further.getByRole("heading", { name: /mentions “husband”|No answer found/ }).waitFor();
  await look(page, "ask-part");
  await page.keyboard.press("Enter");
  await button.and(page.locator(":focus")).waitFor();
});

test("on a phone the answer that is asked for step by step comes into view with the focus", async () => {
  const page = await scene().open({ viewport: { width: 390, height: 800 } });
  const text = "Larkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
  const documents = [
    { source_doc_id: "mill", text },
    { source_doc_id: "tides", text: "The tide at Orrin turns at noon. Agnes Thorley never saw it." },
  ];
  await openProject(page, scene(), { email: "phone-steps@mail.example", documents, tab: "ask" });
  await ask(page, "Who is the husband of the founder of Larkspur Mill?");
  await page.getByRole("button", { name: "Ask step by step" }).click();
  const further = page.getByRole("region", { name: "Step by step" });
  await further.waitFor();
  await page.getByRole("group", { name: "Step by step" }).and(page.locator(":focus")).waitFor();
  const { y = -1 } = (await further.boundingBox()) ?? {};
  assert.ok(y >= 0 && y < 400, `It begins ${y} pixels below the top.`);
  await look(page, "ask-steps", "phone");
  await page.getByRole("button", { name: "Show one answer" }).click();
  await page.getByRole("button", { name: "Ask step by step" }).and(page.locator(":focus")).waitFor();
});

test("whatever is not plainly the answer of one search is offered step by step, in one place", async () => {
  const page = await scene().open();
  const documents = [
    {
      source_doc_id: "mill",
      text: "Larkspur Mill was founded by Odile Brandt. Odile Brandt was born in Porto.",
    },
    { source_doc_id: "tides", text: "The tide at Orrin turns at noon. Agnes Thorley never saw it." },
  ];
  await openProject(page, scene(), { email: "offered@mail.example", documents, tab: "ask" });
  const button = page.getByRole("button", { name: /step by step/i });
  const answer = page.getByRole("region", { name: "Answer" });
  await ask(page, "What does article QX-7781 cost?");
  await answer.getByText("No answer found").waitFor();
  assert.deepEqual(await button.allTextContents(), [" Ask step by step"]);
  await ask(page, "Is the tide or the mill older?");
  await answer
    .getByRole("heading", { name: /^(?:Perhaps the answer|Not sure|No passage|No answer)/ })
    .waitFor();
  assert.deepEqual(await button.allTextContents(), [" Ask step by step"]);
  await look(page, "ask-offered");
  await ask(page, "Where was Odile Brandt born?");
  await page.getByRole("heading", { name: "Answer", exact: true }).waitFor();
  assert.deepEqual(await button.allTextContents(), [" Also ask step by step"]);
});

test("a table in a passage is shown as one, and what a document has of HTML as text", async () => {
  const page = await scene().open();
  const rows = ["| Tern | 9 crowns |", "| Skua | <b>7</b> crowns |"];
  const text = `Fares of the boats at Orrin\n\n| Boat | Fare |\n| --- | --- |\n${rows.join("\n")}`;
  const documents = [{ source_doc_id: "fares", text }];
  await openProject(page, scene(), {
    ...{ email: "table@mail.example", isSearchOnly: true, documents, tab: "ask" },
  });
  await ask(page, "What is the fare of the boat Tern?");
  const table = page.locator("[data-place='0']").getByRole("table");
  await table.getByRole("columnheader", { name: "Fare" }).waitFor();
  await table.getByRole("cell", { name: "9 crowns" }).waitFor();
  await table.getByRole("cell", { name: "<b>7</b> crowns" }).waitFor();
  assert.equal(await page.getByText("| --- |").count(), 0);
  await look(page, "ask-table");
});

test("a passage in the middle of a long table has the names of its columns", async () => {
  const page = await scene().open();
  const rows = Array.from({ length: 90 }, (_, at) => `| Boat ${at} | ${at + 3} crowns | Captain ${at} |`);
  const text = `Fares\n\n| Boat | Fare | Skipper |\n| --- | --- | --- |\n${rows.join("\n")}`;
  await openProject(page, scene(), {
    ...{ email: "long-table@mail.example", isSearchOnly: true, tab: "ask" },
    documents: [{ source_doc_id: "fares", text }],
  });
  await ask(page, "What is the fare of Boat 78?");
  const table = page.getByRole("table").filter({ has: page.getByRole("cell", { name: "81 crowns" }) });
  await table.getByRole("columnheader", { name: "Fare" }).waitFor();
  await table.getByRole("columnheader", { name: "Skipper" }).waitFor();
  await look(page, "ask-long-table");
});

test("an answer that is a row has the names of its columns, also where the service quotes cells alone", async () => {
  const page = await scene().open();
  const rows = ["| Fare | 9 crowns | 7 crowns |", "| Skipper | Vell | Marsh |"];
  const text = `# Boats\n\nThe fleet of Orrin.\n\n|  | Tern | Gull |\n| --- | --- | --- |\n${rows.join("\n")}`;
  const documents = [{ source_doc_id: "fleet", text }];
  await openProject(page, scene(), {
    ...{ email: "row-answer@mail.example", isSearchOnly: true, documents, tab: "ask" },
  });
  await ask(page, "What is the fare of the Tern?");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText("Fare · Tern: 9 crowns · Gull: 7 crowns").waitFor();
  await look(page, "ask-row-answer");
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.keyboard.press("Enter");
}
