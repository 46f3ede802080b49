import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleText } from "../src/first-run/sample-text.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { openTab, paste } from "./support/steps.ts";

const scene = setScene();

test("an entity is found, its properties and relationships are shown, and a quote leads to its document", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "graph@mail.example", tab: "graph" });
  await page.getByText("No relationship to draw yet").waitFor();
  await look(page, "graph-empty");
  await paste(page, sampleText.name, sampleText.text);
  await page.getByText("Ready.").first().waitFor();
  await openTab(page, "Graph");
  await page.getByRole("listbox", { name: "Entities" }).getByRole("option").first().waitFor();

  await page.getByLabel("Find an entity").fill("nothing of the kind");
  await page.getByText("No entity with this name.").waitFor();
  await page.getByLabel("Find an entity").fill("thorley");
  await page.getByRole("option", { name: /Agnes Thorley/ }).click();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("heading", { name: "Agnes Thorley", exact: true }).waitFor();
  await page.getByText(/relationships? drawn$/).waitFor();
  await look(page, "graph-entity");
  const lines = page.getByRole("group", { name: "Relationships drawn" }).getByRole("checkbox").first();
  await lines.uncheck({ force: true });
  assert.equal(await lines.isChecked(), false);
  await panel.getByRole("button", { name: "Draw its neighbourhood" }).click();
  const relationship = panel
    .getByRole("listitem")
    .filter({ hasText: /BORN_IN/ })
    .first();
  await relationship.getByRole("button").first().click();
  await relationship.getByText("Agnes Thorley was born in Whitby").waitFor();
  await panel.getByRole("link", { name: sampleText.name }).first().click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
});

test("the sentences that state a relationship are one click on its line away", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: sampleText.name, text: sampleText.text }];
  await openProject(page, scene(), { email: "edge@mail.example", documents, tab: "ingest" });
  // With one relationship alone its line runs through the middle of the picture.
  const project = new URL(page.url()).pathname.split("/").at(-2);
  const listed = await page.evaluate<object, string>(
    async (path) => (await fetch(path)).json(),
    `/api/v1/projects/${project}/relationships?limit=1`,
  );
  await page.route(/\/relationships\?limit=500&offset=0/, (route) =>
    route.fulfill({ json: { ...listed, total: 1 } }),
  );
  await openTab(page, "Graph");
  await page.getByText("2 entities and 1 relationship drawn").waitFor();
  const picture = page.getByRole("img", { name: /^The graph/ });
  await picture.click();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("heading", { level: 2 }).waitFor();
  const quoted = await panel.getByRole("blockquote").first().textContent();
  assert.ok(quoted !== null && sampleText.text.includes(quoted), String(quoted));
  await look(page, "graph-edge");
  await panel.getByRole("link", { name: sampleText.name }).first().click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
});
