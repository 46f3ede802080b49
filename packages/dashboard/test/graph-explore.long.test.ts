import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { GraphOverview } from "@kcs/sdk";
import type { Locator, Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { sampleText } from "../src/first-run/sample-text.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { OWN, openTab, paste } from "./support/steps.ts";

const scene = setScene();

/** A chain from Tomas Vell to Hamburg, and a pair apart. */
const CHAIN = [
  { source_doc_id: "one", text: "Maria Gonzalez was born in Porto. Tomas Vell was born in Porto." },
  { source_doc_id: "two", text: "Maria Gonzalez founded Nordvik Robotics." },
  { source_doc_id: "three", text: "Nordvik Robotics is headquartered in Hamburg." },
  { source_doc_id: "four", text: "Odile Hart was born in Cork. Present were Ilse Brandt and Jon Feld." },
];
const MINUTES = [{ source_doc_id: "minutes", text: "Present were Ilse Brandt, Tomas Vell and Odile Hart." }];

const panelOf = (page: Page) => page.getByRole("complementary", { name: "Selection" });
const drawingOf = (page: Page) => page.getByRole("application", { name: /^The graph/ });

async function choose(page: Page, name: string): Promise<Locator> {
  await page.getByRole("combobox", { name: "Find an entity" }).fill(name);
  await page.getByRole("option", { name }).click();
  const panel = panelOf(page);
  await panel.getByRole("heading", { name, level: 2 }).waitFor();
  return panel;
}

/** Keeps what was written last into the layer of names. */
const recordNames = `
  globalThis.namesDrawn = [];
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  const isOfNames = ({ canvas }) => canvas.classList.contains("sigma-names");
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    if (isOfNames(this)) globalThis.namesDrawn = [];
    return clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    if (isOfNames(this)) globalThis.namesDrawn.push(text);
    return fillText.call(this, text, ...place);
  };`;

async function openChain(email: string, tab = "graph", script = ""): Promise<Page> {
  const page = await scene().open();
  await page.addInitScript(script);
  await openProject(page, scene(), { email, documents: CHAIN, tab });
  return page;
}

const searchOf = (page: Page) => new URL(page.url()).searchParams;

test("an empty graph says what is missing; a found entity is shown with its sentences and documents", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "graph@mail.example", tab: "graph" });
  await page.getByText("No relationship to draw yet").waitFor();
  await look(page, "graph-empty");
  await paste(page, sampleText.name, sampleText.text);
  await page.getByText("Ready.").first().waitFor();
  await openTab(page, "Graph");
  await page.getByText(/^All \d+ entities with relationships$/).waitFor();
  await look(page, "graph-overview");

  await page.getByRole("combobox", { name: "Find an entity" }).fill("nothing of the kind");
  await page.getByText("No entity with this name.").waitFor();
  const panel = await choose(page, "Agnes Thorley");
  await panel.getByRole("heading", { name: /born in/ }).waitFor();
  await panel.getByText("Agnes Thorley was born in Whitby").first().waitFor();
  await look(page, "graph-entity");
  await panel.getByRole("link", { name: sampleText.name }).first().click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
});

test("Esc and Back undo each step, an address shows the same again, neighbours are expanded and collapsed", async () => {
  const page = await openChain("steps@mail.example");
  await page.getByText("All 7 entities with relationships").waitFor();
  const panel = await choose(page, "Porto");
  await page.getByText("All 2 relationships of Porto").waitFor();
  await panel.getByRole("button", { name: "Expand Maria Gonzalez" }).click();
  await panel.getByRole("button", { name: "Collapse Maria Gonzalez" }).waitFor();
  await page.getByText("All 2 relationships of Porto, and 1 more with 1 expanded entity").waitFor();
  assert.match(searchOf(page).get("open") ?? "", /\d/);
  await page.reload();
  await panel.getByRole("button", { name: "Collapse Maria Gonzalez" }).click();
  await panel.getByRole("button", { name: "Expand Maria Gonzalez" }).waitFor();
  assert.equal(searchOf(page).get("open"), null);

  await panel.getByRole("radio", { name: "2 steps" }).click();
  await page.waitForURL(/depth=2/);
  await panel.getByRole("link", { name: "Tomas Vell" }).click();
  await panel.getByRole("heading", { name: "Tomas Vell", level: 2 }).waitFor();
  await page.goBack();
  await panel.getByRole("heading", { name: "Porto", level: 2 }).waitFor();
  await page.waitForURL(/depth=2/);
  await drawingOf(page).focus();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("depth"));
  await panel.getByRole("button", { name: "Close" }).focus();
  for (let step = 0; step < 6 && searchOf(page).has("entity"); step++) {
    const before = page.url();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.href !== before);
  }
  await panel.waitFor({ state: "detached" });
  await page.getByText("All 7 entities with relationships").waitFor();
});

test("a path between two entities is drawn and told with its sentences", async () => {
  const page = await openChain("path@mail.example", "graph", recordNames);
  const panel = await choose(page, "Tomas Vell");
  await panel.getByRole("combobox", { name: /^Find a path to/ }).fill("hamburg");
  await page.getByRole("option", { name: "Hamburg" }).click();
  await page.getByText("A shortest path: 4 steps").waitFor();
  await waitFor("all names and types", async () => {
    const drawn = await page.evaluate<readonly string[]>("namesDrawn");
    const wanted = ["Tomas Vell", "Hamburg", "born in", "founded by", "headquartered in"];
    return wanted.every((text) => drawn.includes(text)) ? true : null;
  });
  await panel.getByText("Nordvik Robotics is headquartered in Hamburg.").waitFor();
  const steps = panel.locator("ol > li");
  assert.deepEqual(
    await Promise.all((await steps.all()).map((step) => step.getByRole("link").first().textContent())),
    ["Tomas Vell", "Porto", "Maria Gonzalez", "Nordvik Robotics"],
    "each step begins where the one before has led",
  );
  await look(page, "graph-path");
  await page.keyboard.press("Escape");
  await panel.getByRole("heading", { name: "Tomas Vell", level: 2 }).waitFor();
  await panel.getByRole("combobox", { name: /^Find a path to/ }).fill("odile");
  await page.getByRole("option", { name: "Odile Hart" }).click();
  await page.getByRole("heading", { name: "No path" }).waitFor();
  for (const kind of ["entities", "relationships"])
    await page.getByTitle(`Nothing is drawn that could be filtered by ${kind}.`).waitFor();
});

test("an entity that is clicked is in the middle, one that is dragged stays, a line shows its sentences", async () => {
  const page = await openChain("drag@mail.example", "graph", recordNames);
  const panel = await choose(page, "Odile Hart");
  await page.getByText("The only relationship of Odile Hart").waitFor();
  const box = await drawingOf(page).boundingBox();
  assert.ok(box !== null);
  // The only neighbour is above or below the middle.
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  const named = () => page.evaluate<readonly string[]>("globalThis.namesDrawn");
  await waitFor("the name on the plate alone, which is drawn over the others", async () =>
    JSON.stringify(await named()) === '["Cork","born in","Odile Hart","Person"]' ? true : null,
  );
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 20, { steps: 4 });
  await page.mouse.up();
  const release = page.getByRole("button", { name: "Let 1 pinned go" });
  await release.click();
  await release.waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "Close" }).click();
  await page.waitForURL((url) => !url.searchParams.has("entity"));

  const path = `/api/v1/projects/${new URL(page.url()).pathname.split("/").at(-2)}/graph/overview`;
  const read = await page.evaluate<string, string>(async (from) => (await fetch(from)).text(), path);
  const listed: GraphOverview = JSON.parse(read);
  // A line between two entities alone runs through the middle of the picture.
  const entities = listed.entities.filter(({ name }) => name === "Odile Hart" || name === "Cork");
  const relationships = listed.relationships.filter(
    ({ source }) => source === entities[0]?.entity_id || source === entities[1]?.entity_id,
  );
  await page.route(/\/graph\/overview\?/, (route) =>
    route.fulfill({ headers: OWN, json: { ...listed, entities, relationships, connected_entities: 2 } }),
  );
  await page.reload();
  await page.getByText("All 2 entities with relationships").waitFor();
  // A few pixels beside the line.
  const whole = await drawingOf(page).boundingBox();
  assert.ok(whole !== null);
  await drawingOf(page).click({ position: { x: whole.width / 2, y: whole.height / 2 + 6 } });
  await panel.getByRole("heading", { name: "Relationship", exact: true }).waitFor();
  await panel.getByText("Odile Hart was born in Cork.").waitFor();
  await panel.getByRole("button", { name: /^Confirm: Odile Hart/ }).waitFor();
  await panel.getByRole("button", { name: /^Reject: Odile Hart/ }).waitFor();
  await look(page, "graph-line");
  await page.setViewportSize({ width: 390, height: 800 });
  const alone = page.getByRole("region", { name: "Selection" });
  await alone.getByText("Odile Hart was born in Cork.").waitFor();
  assert.equal(await page.getByRole("table", { name: "Entities" }).count(), 0);
  await look(page, "graph-line", "phone");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await panel.getByText("Odile Hart was born in Cork.").waitFor();
  await page.goBack();
  await panel.waitFor({ state: "detached" });
  await page.getByText("All 2 entities with relationships").waitFor();
  await page.goForward();
  await panel.getByText("Odile Hart was born in Cork.").waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
});

test("types are filtered one by one, all, none and only; the address keeps it", async () => {
  const page = await openChain("filter@mail.example");
  await page.getByText("All 7 entities with relationships").waitFor();
  await page.getByRole("button", { name: "Entities", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Entities" });
  await dialog.getByRole("button", { name: "Only Person" }).click();
  const status = page.getByText(/hidden by the filter/);
  await status.waitFor();
  assert.equal(await dialog.getByRole("checkbox", { name: /Person/ }).isChecked(), true);
  assert.equal(await dialog.getByRole("checkbox", { name: /Location/ }).isChecked(), false);
  await dialog.getByRole("button", { name: "None" }).click();
  await page.getByRole("heading", { name: "Everything is hidden" }).waitFor();
  await page.keyboard.press("Escape");
  await look(page, "graph-hidden");
  await page.getByRole("button", { name: "Show all types" }).click();
  await status.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Entities", exact: true }).click();
  await dialog.getByRole("button", { name: "None" }).click();
  await dialog.getByRole("button", { name: "All", exact: true }).click();
  await status.waitFor({ state: "detached" });
  await dialog.getByRole("checkbox", { name: /Location/ }).focus();
  await page.keyboard.press("Space");
  await status.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.reload();
  await status.waitFor();
  assert.match(searchOf(page).get("without") ?? "", /Location/);
});

test("entities are listed by their relationships, name and type, those without relationships apart", async () => {
  const page = await openChain("list@mail.example");
  await page.getByRole("radio", { name: "List" }).click();
  const table = page.getByRole("table", { name: "Entities" });
  await table.getByRole("row", { name: /Nordvik Robotics/ }).waitFor();
  const numbers = await table.getByRole("row").locator("td:last-child").allTextContents();
  assert.deepEqual(numbers, ["2", "2", "2", "1", "1", "1", "1", "0", "0"], "the best connected come first");
  await look(page, "graph-list-all");
  await page.getByRole("radio", { name: "Map" }).click();
  await page.getByRole("combobox", { name: "Find an entity" }).fill("il");
  // Odile has a relationship, and Ilse has none, though her name begins with what is looked for.
  await page.getByRole("option", { name: "Maria Gonzalez" }).waitFor({ state: "detached" });
  assert.deepEqual(await page.getByRole("option").allTextContents(), [
    "Odile HartPerson · 1 relationship",
    "Ilse BrandtPerson · no relationship",
  ]);
  await page.getByRole("combobox", { name: "Find an entity" }).fill("");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "2 without relationships" }).click();
  await table.getByRole("row", { name: /Nordvik Robotics/ }).waitFor({ state: "detached" });
  await table.getByRole("link", { name: "Jon Feld" }).waitFor();
  assert.deepEqual(await table.getByRole("link").allTextContents(), ["Ilse Brandt", "Jon Feld"]);
  await look(page, "graph-list");
  await page.getByText("Without relationships").click();
  await page.getByRole("searchbox", { name: "Find by name" }).fill("porto");
  await table.getByRole("row", { name: /Maria/ }).waitFor({ state: "detached" });
  await page.waitForURL(/name=porto/);
  await page.getByRole("status").getByText("1 entity matches").waitFor();
  await table.getByRole("link", { name: "Porto" }).click();
  await panelOf(page).getByRole("heading", { name: "Porto", level: 2 }).waitFor();
  await drawingOf(page).waitFor();
});

test("what is only mentioned together is told apart from relationships, with the sentence that does so", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "together@mail.example", documents: MINUTES, tab: "graph" });
  await page.getByText("No relationship to draw yet").waitFor();
  const panel = await choose(page, "Ilse Brandt");
  await page.getByText("Ilse Brandt has no relationship").waitFor();
  await panel.getByRole("heading", { name: /^Mentioned together/ }).waitFor();
  await panel
    .getByText(MINUTES[0]?.text ?? "")
    .first()
    .waitFor();
  await panel.getByText("Same passage").waitFor();
  await page.getByText("Mentioned together, no relationship").waitFor();
  await look(page, "graph-together");
  await panel.getByRole("combobox", { name: /^Find a path to/ }).fill("tomas");
  await page.getByRole("option", { name: "Tomas Vell" }).click();
  await panel.getByText("Ilse Brandt and Tomas Vell are only mentioned together").waitFor();
  await look(page, "graph-no-path");
  await page.keyboard.press("Escape");
  await panel.getByRole("link", { name: "Tomas Vell" }).click();
  await panel.getByRole("heading", { name: "Tomas Vell", level: 2 }).waitFor();
});

test("on a phone there are lists with neighbourhoods", async () => {
  const page = await openChain("phone@mail.example");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("table", { name: "Entities" }).getByRole("link", { name: "Porto" }).click();
  const neighbourhood = page.getByRole("region", { name: "Selection" });
  await neighbourhood.getByText("Maria Gonzalez was born in Porto.").first().waitFor();
  assert.equal(await drawingOf(page).count(), 0);
  await look(page, "graph-neighbourhood", "phone");
  await neighbourhood.getByRole("link", { name: "Maria Gonzalez" }).click();
  await neighbourhood.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();
  await neighbourhood.getByRole("button", { name: "Close" }).click();
  await neighbourhood.getByRole("heading", { name: "Porto", level: 2 }).waitFor();
  await neighbourhood.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("button", { name: "Rename" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Show in the graph" }).count(), 0, "there is no map");
});

test("an entity has a page with its relationships, passages and documents", async () => {
  const page = await openChain("page@mail.example");
  const panel = await choose(page, "Maria Gonzalez");
  await panel.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Relationships", level: 2 }).waitFor();
  await page.getByRole("heading", { name: /founded by/ }).waitFor();
  const documents = page.getByRole("region", { name: "Documents" });
  assert.deepEqual(await documents.getByRole("listitem").allTextContents(), [
    "one 1 sentence quoted",
    "two 1 sentence quoted",
  ]);
  await page.getByRole("heading", { name: "founded by 1 relationship" }).waitFor();
  await look(page, "entity");
  await page.getByRole("link", { name: "Nordvik Robotics" }).first().click();
  await page.getByRole("heading", { name: "Nordvik Robotics", level: 2 }).waitFor();
  await page.getByRole("link", { name: "Show in the graph" }).click();
  await panel.getByRole("heading", { name: "Nordvik Robotics", level: 2 }).waitFor();
});

test("the whole graph is saved from the map and from the list", async () => {
  const page = await openChain("save-all@mail.example");
  await page.getByText("All 7 entities with relationships").waitFor();
  const save = async (item: string) => {
    await page.getByRole("button", { name: "Save the graph as a file" }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item, exact: true }).click(),
    ]);
    return readFileSync(await file.path(), "utf8");
  };
  assert.equal((await save("GraphML")).match(/<node /g)?.length, 9, "also those without relationships");
  await page.getByRole("radio", { name: "List" }).click();
  await page.waitForURL(/view=list/);
  assert.match(await save("Entities as CSV"), /Maria Gonzalez/);
  assert.equal(await page.getByRole("menuitem", { name: /PNG/ }).count(), 0, "nothing is drawn");
});

test("what is drawn is saved as a picture and as a graph", async () => {
  const page = await openChain("save@mail.example");
  await page.getByText("All 7 entities with relationships").waitFor();
  await drawingOf(page).waitFor();
  const save = async (item: string) => {
    await page.getByRole("button", { name: "Save the graph as a file" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item }).click(),
    ]);
    assert.match(file.suggestedFilename(), /^Observatory(?: \(drawn\)\.graphml|\.png)$/);
    return readFile(await file.path());
  };
  const text = (await save("As a graph (GraphML)")).toString();
  assert.equal(text.match(/<node /g)?.length, 7);
  assert.match(text, /<data key="type">BORN_IN<\/data>/);
  const picture = await save("PNG");
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  assert.ok(picture.length > 5_000, String(picture.length));
  const box = await drawingOf(page).boundingBox();
  const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  assert.equal(width, 2 * Math.round(box?.width ?? 0), "two pixels for each of the page");
  const rows = height / 2 - Math.round(box?.height ?? 0);
  assert.ok(rows > 60, `The caption and the legend have ${rows} rows of pixels.`);
});

const PROPOSALS = {
  proposals: [
    {
      type: "MEETS",
      source: {
        ...{ entity_id: "1", name: "Ilse Brandt", type: "Person" },
        ...{ confirmed_type: "Person", same_name: [] },
      },
      target: {
        ...{ entity_id: null, name: "the committee", type: "Organization" },
        ...{ confirmed_type: "Organization", same_name: [] },
      },
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

test("proposed relationships are listed beside their sentences when they are asked for", async () => {
  const page = await scene().open();
  let total = 10_000;
  await page.route(/\/graph\/proposals\?/, (route) =>
    route.fulfill({ headers: OWN, json: { ...PROPOSALS, total } }),
  );
  await openProject(page, scene(), { email: "proposed@mail.example", documents: MINUTES, tab: "graph" });
  await page.getByRole("radio", { name: "Proposed 10,000+" }).waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "and 10,000+ proposed" }).waitFor();
  total = 1;
  await page.reload();
  await page.getByRole("link", { name: "and 1 proposed" }).waitFor();
  await look(page, "overview-proposals");
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Graph" }).click();
  await page.getByRole("radio", { name: "Proposed 1", exact: true }).waitFor();
  await look(page, "graph-proposals-counted");
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "and 1 proposed" }).click();
  const row = page
    .getByRole("row")
    .filter({ hasText: /Ilse Brandt.*Person.*meets the committee.*Organization/ });
  await row.getByText("62 %").waitFor();
  await row.getByText("Present were Ilse Brandt").waitFor();
  await look(page, "graph-proposals");
  await page.getByRole("radio", { name: "Map" }).click();
  await page.getByText("No relationship to draw yet").waitFor();
});
