import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleText } from "../src/first-run/sample-text.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { openTab, paste } from "./support/steps.ts";

const scene = setScene();

const PROPOSALS = {
  proposals: [
    {
      type: "MEETS",
      source: { entity_id: "1", name: "Ilse Brandt", type: "Person" },
      target: { entity_id: null, name: "the committee", type: "Organization" },
      chunks: 1,
      confidence: 0.62,
      valid_from: null,
      valid_to: null,
      evidence: [
        { chunk_id: "1:0", source_doc_id: "minutes", start: 0, end: 24, text: "Present were Ilse Brandt" },
      ],
    },
  ],
  total: 1,
  limit: 50,
  offset: 0,
};
const MINUTES = "Present were Ilse Brandt, Tomas Vell and Odile Hart.";

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
  await page.getByText(/associations? drawn$/).waitFor();
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

test("entities that are mentioned together are told apart from relationships, with the sentence that does so", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "minutes", text: MINUTES }];
  await openProject(page, scene(), { email: "together@mail.example", documents, tab: "graph" });
  // Without a relationship the associations are drawn unasked.
  await page.getByText(/^3 entities, 0 relationships, 3 associations drawn$/).waitFor();
  await page.getByRole("option", { name: /Ilse Brandt/ }).click();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("heading", { name: "Associated with" }).waitFor();
  assert.equal(await panel.getByRole("heading", { name: "Relationships" }).count(), 0);
  const other = panel.getByRole("listitem").filter({ hasText: /^Tomas Vell/ });
  await other.getByRole("button").first().click();
  await other.getByText("Present were Ilse Brandt, Tomas Vell and Odile Hart.").waitFor();
  await look(page, "graph-associations");
  await other.getByRole("button", { name: "Go to Tomas Vell" }).click();
  await panel.getByRole("heading", { name: "Tomas Vell", exact: true }).waitFor();

  const drawn = page.getByRole("checkbox", { name: "Associations" });
  await drawn.uncheck({ force: true });
  await page.getByText("No relationship to draw yet").waitFor();
  await drawn.check({ force: true });
  await page.getByText(/3 associations drawn$/).waitFor();
});

test("proposed relationships are listed beside their sentences when they are asked for", async () => {
  const page = await scene().open();
  await page.route(/\/graph\/proposals\?/, (route) => route.fulfill({ json: PROPOSALS }));
  const documents = [{ source_doc_id: "minutes", text: MINUTES }];
  await openProject(page, scene(), { email: "proposed@mail.example", documents, tab: "graph" });
  await page.getByText(/3 associations drawn$/).waitFor();
  assert.equal(await page.getByRole("table", { name: "Proposed relationships" }).count(), 0);
  await page.getByRole("checkbox", { name: "Proposed" }).check({ force: true });
  const row = page.getByRole("row").filter({ hasText: "Ilse Brandt MEETS the committee" });
  await row.getByText("62 %").waitFor();
  await row.getByText("Present were Ilse Brandt").waitFor();
  await look(page, "graph-proposals");
  await page.getByRole("checkbox", { name: "Proposed" }).uncheck({ force: true });
  await page.getByText(/3 associations drawn$/).waitFor();
  assert.equal(await page.getByRole("table", { name: "Proposed relationships" }).count(), 0);
});

test("the sentence that mentions two entities together is one click on their line away", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "minutes", text: "Present were Ilse Brandt and Tomas Vell." }];
  await openProject(page, scene(), { email: "line@mail.example", documents, tab: "graph" });
  await page.getByText(/^2 entities, 0 relationships, 1 association drawn$/).waitFor();
  await page.getByRole("img", { name: /^The graph/ }).click();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("heading", { name: "Ilse Brandt is associated with" }).waitFor();
  await panel.getByText("Present were Ilse Brandt and Tomas Vell.").waitFor();
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
  await page.route(/\/graph\/associations\?/, (route) =>
    route.fulfill({ json: { associations: [], total: 0, limit: 100, offset: 0 } }),
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
