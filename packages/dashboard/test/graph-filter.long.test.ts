import assert from "node:assert/strict";
import { test } from "node:test";
import { moveToFirms } from "./support/firms.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();
const chain = Array.from({ length: 30 }, (_, at) => `Person ${at}`);
const pairs = Array.from({ length: 12 }, (_, at) => [`Film ${at}`, `Director ${at}`] as const);

/** A chain of people and pairs of films and directors, of a larger graph. */
function inventOverview() {
  const links = [
    ...chain.slice(1).map((name, at) => [chain[at] ?? "", name, "KNOWS"] as const),
    ...pairs.map(([film, director]) => [film, director, "DIRECTED_BY"] as const),
  ];
  const names = [...chain, ...pairs.flat()];
  return {
    entities: names.map((name) => ({ entity_id: name, name, type: name.split(" ")[0], degree: 1 })),
    relationships: links.map(([source, target, type], at) => ({
      ...{ relationship_id: String(at), source, target, type, chunks: 1 },
    })),
    ...{ connected_entities: names.length, total_relationships: links.length, is_complete: true },
  };
}

/** What a canvas writes from now on. */
const keepTexts = `(() => {
  window.writtenTexts = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.writtenTexts.push(text);
    return fillText.call(this, text, ...rest);
  };
})()`;

test("a filter of relationships draws the pairs that the map leaves out, and no entity without a line", async () => {
  const page = await scene().open();
  await page.route(/\/graph\/overview\?/, (route) =>
    route.fulfill({ json: inventOverview(), headers: { "x-request-id": "req_test" } }),
  );
  await openProject(page, scene(), { email: "pairs@mail.example", tab: "graph" });
  await page
    .getByText("The 30 best connected of 54 entities with relationships; pairs are left out")
    .waitFor();
  await page.getByRole("button", { name: "Relationships", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Relationships" });
  await dialog.getByRole("button", { name: "Only directed by" }).click();
  await page.getByText("24 of 54 entities are drawn, 30 hidden by the filter", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await look(page, "graph-only-pairs");
  await page.evaluate(keepTexts);
  await page.getByRole("button", { name: "Save the graph as a file" }).click();
  await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: /PNG/ }).click()]);
  const caption = "Observatory · 24 of 54 entities are drawn, 30 hidden by the filter";
  assert.ok((await page.evaluate<readonly string[]>("window.writtenTexts")).includes(caption));
  await page.getByRole("button", { name: /^Relationships/ }).click();
  await dialog.getByRole("button", { name: "All", exact: true }).click();
  await page.getByText("pairs are left out").waitFor();
  await page.keyboard.press("Escape");
  const finder = page.getByRole("combobox", { name: "Find an entity" });
  await finder.fill("Can Go Through Skin");
  const { width = 0 } = (await finder.boundingBox()) ?? {};
  assert.ok(width >= 300, `The field is ${width} pixels wide.`);
  // The open list hides the rest of the page from screen readers.
  const document = await page
    .getByRole("button", { name: "Document", exact: true, includeHidden: true })
    .boundingBox();
  const field = await finder.boundingBox();
  assert.ok(document !== null && field !== null && document.x >= field.x + field.width, "covers no button");
});

test("the link to a view is copied, with what is hidden in it", async () => {
  const page = await scene().open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.route(/\/graph\/overview\?/, (route) =>
    route.fulfill({ json: inventOverview(), headers: { "x-request-id": "req_test" } }),
  );
  await openProject(page, scene(), { email: "view-link@mail.example", tab: 'graph?withoutLinks=["KNOWS"]' });
  await page.getByText("24 of 54 entities are drawn, 30 hidden by the filter", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy the link to this view" }).click();
  await page.getByText("The link to this view was copied.").waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  assert.equal(copied, page.url());
  assert.match(decodeURIComponent(copied), /KNOWS/);
});

test("the name of an ontology stays within the card of its project on a phone", async () => {
  const page = await scene().open({ viewport: { width: 390, height: 800 } });
  await openProject(page, scene(), { email: "long-badge@mail.example", tab: "graph" });
  await moveToFirms(page, scene().url, [], "Employees, offices and all the suppliers of these");
  await page.goto(`${scene().url}/projects`);
  const badge = page.getByRole("table").getByText(/^Graph · Employees/);
  const [inner, outer] = [await badge.boundingBox(), await page.getByRole("table").boundingBox()];
  assert.ok(inner !== null && outer !== null);
  assert.ok(inner.x + inner.width <= outer.x + outer.width, JSON.stringify({ inner, outer }));
  await look(page, "projects-long-badge", "phone");
});
