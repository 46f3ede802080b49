import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

const documents = [
  {
    source_doc_id: "mill",
    text: "Odile Brandt founded Larkspur Mill. Odile Brandt was born in Kestrel Bay.",
  },
  { source_doc_id: "works", text: "Maud Pell founded Harbour Works. Maud Pell was born in Whitby." },
];

test("the graph is drawn of one document and as of a time, and the address has both", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "scope@mail.example", documents, tab: "graph" });
  await page.getByText(/^All \d entities with relationships/).waitFor();
  await page.getByRole("button", { name: "Document" }).click();
  await page.getByRole("dialog", { name: "Document" }).getByRole("button", { name: "mill" }).click();
  await page.getByText("3 entities that the document names").waitFor();
  assert.match(page.url(), /document=mill/);
  await look(page, "graph-of-document");

  await page.getByRole("button", { name: "Time" }).click();
  const field = page.getByRole("textbox", { name: "As of a year, month or day" });
  await field.fill("soon");
  await page.keyboard.press("Enter");
  await page.getByText("Write a year, month or day").waitFor();
  await field.fill("1901");
  const asked = page.waitForRequest(/graph\/overview\?.*as_of=1901/);
  await page.keyboard.press("Enter");
  await asked;
  assert.match(page.url(), /asOf=/);
  await page.reload();
  await page.getByText("3 entities that the document names").waitFor();
  await page.getByRole("button", { name: /Document.*mill/ }).click();
  await page.getByRole("button", { name: "All documents" }).click();
  await page.getByText(/^All \d entities with relationships/).waitFor();
  await page.getByRole("button", { name: /Time.*1901/ }).waitFor();
});
