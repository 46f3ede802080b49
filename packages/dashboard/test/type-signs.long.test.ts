/** Types whose names prefer the same colour, some the same shape, too. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphOverview } from "@kcs/sdk";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { OWN } from "./support/steps.ts";

const scene = setScene();
const TYPES = ["Film", "Ship", "Award", "Company", "Voyage", "Director", "Actor", "Place", "City", "Product"];

test("types on one map differ in colour and shape, which the legend shows as the map does", async () => {
  const page = await scene().open();
  await inventGraph(page);
  await openProject(page, scene(), { email: "signs@mail.example", tab: "graph" });
  const legend = page.getByRole("list").filter({ hasText: "Film" });
  await legend.getByText("Product").waitFor();
  assert.deepEqual((await legend.getByRole("listitem").allTextContents()).map((each) => each.trim()).sort(), [
    ...TYPES.toSorted(),
  ]);
  const readMarks = () =>
    legend
      .locator("path")
      .evaluateAll((paths) => paths.map((path) => [path.getAttribute("fill"), path.getAttribute("d")]));
  const coloursIn = (all: Awaited<ReturnType<typeof readMarks>>) =>
    new Set(all.map(([colour]) => colour)).size;
  let marks = await readMarks();
  // The types of the project are known a moment after the graph.
  for (let tries = 0; coloursIn(marks) < 8 && tries < 50; tries++) {
    await page.waitForTimeout(100);
    marks = await readMarks();
  }
  assert.equal(coloursIn(marks), 8, "all eight colours");
  assert.equal(new Set(marks.map((mark) => mark.join(" "))).size, TYPES.length);
  const drawn = await coloursOf(page);
  for (const [colour = ""] of marks) assert.ok(drawn.includes(colour ?? ""), `${colour} is not on the map.`);
  await look(page, "type-signs");
});

/** One entity of each type, all linked to the first. */
async function inventGraph(page: Page): Promise<void> {
  const entities = TYPES.map((type, at) => ({
    ...{ entity_id: String(at), name: `The ${type}`, type },
    degree: at === 0 ? TYPES.length - 1 : 1,
  }));
  const overview: GraphOverview = {
    entities,
    relationships: entities.slice(1).map(({ entity_id: target }, at) => ({
      ...{ relationship_id: String(at), source: "0", target, type: "NAMES", chunks: 1 },
    })),
    ...{ connected_entities: TYPES.length, total_relationships: TYPES.length - 1, is_complete: true },
  };
  await page.route(/\/graph\/overview\?/, (route) => route.fulfill({ headers: OWN, json: overview }));
  await page.route(/\/stats$/, async (route) => {
    // The service takes a cookie from its own pages only.
    const headers = { ...route.request().headers(), origin: scene().url, "sec-fetch-site": "same-origin" };
    const stats = await (await route.fetch({ headers })).json();
    return route.fulfill({
      headers: OWN,
      json: { ...stats, entities_by_type: TYPES.map((type) => ({ type, count: 1 })) },
    });
  });
}

/** Those of the map, as `#rrggbb`. */
async function coloursOf(page: Page): Promise<readonly string[]> {
  const picture = await page.getByRole("application", { name: /^The graph/ }).screenshot();
  return page.evaluate<string[]>(`(async () => {
    const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const hex = (at) => data[at].toString(16).padStart(2, "0");
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4) colours.add("#" + hex(at) + hex(at + 1) + hex(at + 2));
    return [...colours];
  })()`);
}
