import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
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
  return overviewOf([...chain, ...pairs.flat()], links);
}

/** Many groups of three. */
function inventGroups() {
  const groups = Array.from({ length: 40 }, (_, at) => ["A", "B", "C"].map((name) => `${name} ${at}`));
  const links = groups.flatMap(([a = "", b = "", c = ""]) => [
    [a, b, "KNOWS"] as const,
    [b, c, "KNOWS"] as const,
  ]);
  return overviewOf(groups.flat(), links);
}

function overviewOf(names: readonly string[], links: readonly (readonly [string, string, string])[]) {
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

test("the map has the window below one row of tools, and is shown without the rest until Esc", async () => {
  const page = await scene().open();
  await page.route(/\/graph\/overview\?/, (route) =>
    route.fulfill({ json: inventGroups(), headers: { "x-request-id": "req_test" } }),
  );
  await openProject(page, scene(), { email: "room@mail.example", tab: "graph" });
  const map = page.getByRole("application", { name: /^The graph/ });
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [box, finder, views] = await Promise.all(
      [
        map,
        page.getByRole("combobox", { name: "Find an entity" }),
        page.getByRole("radiogroup", { name: "View" }),
      ].map((each) => each.boundingBox()),
    );
    assert.ok(box != null && finder != null && views != null);
    assert.ok(Math.abs(finder.y - views.y) < 4, "the tools stand in one row");
    assert.ok(box.y < 260 && box.y + box.height > height - 60, JSON.stringify(box));
    assert.equal(await page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0);
  }
  await page.getByRole("button", { name: "Full screen", exact: true }).click();
  const navigation = page.getByRole("navigation", { name: "Project" });
  await navigation.waitFor({ state: "hidden" });
  const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
  assert.ok(width > 1400 && height > 740, `${width} by ${height}`);
  await look(page, "graph-full-screen");
  await page.keyboard.press("Escape");
  await navigation.waitFor();
  await page.getByRole("button", { name: "Full screen", exact: true }).waitFor();

  await page.setViewportSize({ width: 820, height: 1000 });
  const drawn = await drawnPart(page);
  assert.ok(drawn > 0.6, `The map has ${drawn} of the height of its canvas.`);
});

/** Of the height of the map: how much is between its highest and lowest entity. */
async function drawnPart(page: Page): Promise<number> {
  const map = page.getByRole("application", { name: /^The graph/ });
  let part = 0;
  // The layout comes in steps.
  for (let tries = 0; tries < 50 && part < 0.6; tries++) {
    await page.waitForTimeout(100);
    const picture = (await map.screenshot()).toString("base64");
    part = await page.evaluate<number>(`(async () => {
      const bytes = Uint8Array.from(atob("${picture}"), (each) => each.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      // The buttons that zoom are at the right.
      const { data, width, height } = context.getImageData(0, 0, bitmap.width - 150, bitmap.height);
      const rows = Array.from({ length: height }, (_, row) => row).filter((row) =>
        data.subarray(4 * row * width, 4 * (row + 1) * width).some((value) => value < 200));
      return rows.length === 0 ? 0 : (rows.at(-1) - rows[0]) / height;
    })()`);
  }
  return part;
}

test("where entities were dragged to is in the link to the view", async () => {
  const page = await scene().open();
  await page.context().addInitScript(keepNames);
  const documents = [{ source_doc_id: "one", text: "Odile Hart was born in Cork." }];
  await openProject(page, scene(), { email: "pins@mail.example", documents, tab: "graph" });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Odile Hart");
  await page.getByRole("option", { name: "Odile Hart" }).click();
  await page.getByText("The only relationship of Odile Hart").waitFor();
  const box = await page.getByRole("application", { name: /^The graph/ }).boundingBox();
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 160, y + 20, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await page.getByRole("button", { name: "Let 1 pinned go" }).waitFor();
  await page.waitForURL((url) => /^[^_]+_\d+_-?\d+$/.test(url.searchParams.get("pins") ?? ""));
  const other = await page.context().newPage();
  await other.goto(page.url());
  const release = other.getByRole("button", { name: "Let 1 pinned go" });
  await release.waitFor();
  await waitFor("the same picture", async () => {
    const [here, there] = await Promise.all([page, other].map((each) => each.evaluate(readNames)));
    return JSON.stringify(here) === JSON.stringify(there) ? true : null;
  });
  await look(other, "graph-pinned");
  await release.click();
  await other.waitForURL((url) => !url.searchParams.has("pins"));
  await release.waitFor({ state: "detached" });
});

/** Keeps where the names of the map were written last. */
const keepNames = `
  globalThis.placesOfNames = {};
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    if (this.canvas.classList?.contains("sigma-names")) globalThis.placesOfNames[text] = place.map(Math.round);
    return fillText.call(this, text, ...place);
  };`;
const readNames = `["Odile Hart", "Cork"].map((name) => globalThis.placesOfNames[name])`;

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
