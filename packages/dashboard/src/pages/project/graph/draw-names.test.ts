import assert from "node:assert/strict";
import { test } from "node:test";
import { drawLinks } from "./draw-links.ts";
import { createTakenRoom, drawNames, meets, type PlacedNode } from "./draw-names.ts";
import { paintOf } from "./type-sign.ts";

const size = { width: 1_000, height: 600 };
const node = (name: string, x: number, ends: PlacedNode["ends"]): PlacedNode => ({
  ...{ name, x, y: 300, size: 6, isImportant: true, isStrong: false, side: "right", ends },
});

/** Remembers what is written where; each letter is 7 pixels wide. */
function createCanvas() {
  const written = new Map<string, { readonly x: number; readonly y: number }>();
  const plates: number[] = [];
  const at = { x: 0, y: 0 };
  const canvas = {
    measureText: (text: string) => ({ width: 7 * text.length }),
    fillText: (text: string, x: number, y: number) => written.set(text, { x: at.x + x, y: at.y + y }),
    translate: (x: number, y: number) => Object.assign(at, { x, y }),
    restore: () => Object.assign(at, { x: 0, y: 0 }),
    ...{ strokeText: () => {}, save: () => {}, rotate: () => {}, fillRect: (x: number) => plates.push(x) },
  };
  return { context: canvas as unknown as CanvasRenderingContext2D, written, plates };
}

test("of two related entities no name is on their line, which has the type of the relationship", () => {
  const { context, written } = createCanvas();
  const [left, right] = [
    node("Ada Brandt", 380, [{ x: 620, y: 300 }]),
    node("Aarhus", 620, [{ x: 380, y: 300 }]),
  ];
  const taken = createTakenRoom(size);
  const paint = paintOf(false);
  drawNames(context, { nodes: [left, right], obstacles: [left, right], paint, limit: 9 }, taken);
  drawLinks(
    context,
    { edges: [{ text: "born in", from: left, to: right, isChosen: false }], obstacles: [], paint },
    taken,
  );
  assert.deepEqual(written.get("Ada Brandt"), { x: 380 - 6 - 5 - 70, y: 300 });
  assert.deepEqual(written.get("Aarhus"), { x: 620 + 6 + 5, y: 300 });
  assert.deepEqual(written.get("born in"), { x: 500, y: 300.5 });
});

test("a name without a line beside it keeps its side", () => {
  const { context, written } = createCanvas();
  const alone = node("Aarhus", 500, [{ x: 400, y: 300 }]);
  drawNames(
    context,
    { nodes: [alone], obstacles: [alone], paint: paintOf(false), limit: 9 },
    createTakenRoom(size),
  );
  assert.deepEqual(written.get("Aarhus"), { x: 511, y: 300 });
});

test("a name that stands in any case is moved off the edge, and one of a picture is whole", () => {
  const { context, written } = createCanvas();
  const name = "A name of more than thirty-two letters";
  const strong = { ...node(name, 20, []), isStrong: true, y: 4 };
  const input = { nodes: [strong], obstacles: [strong], paint: paintOf(false), limit: 9, isWhole: true };
  const taken = createTakenRoom(size);
  taken.take({ left: 0, top: 0, right: size.width, bottom: size.height });
  drawNames(context, input, taken);
  const place = written.get(name);
  assert.ok(place !== undefined && place.x >= 0 && place.y >= 9, JSON.stringify(place));
});

test("two names on one line have room between them", () => {
  const { context, written } = createCanvas();
  // 70 pixels of the one and 42 of the other fit in between, without room to spare.
  const [one, other] = [node("Ada Brandt", 400, []), { ...node("Aarhus", 536, []), side: "left" as const }];
  const input = { nodes: [one, other], obstacles: [one, other], paint: paintOf(false), limit: 9 };
  drawNames(context, input, createTakenRoom(size));
  assert.equal(written.get("Ada Brandt")?.x, 411);
  assert.equal(written.get("Aarhus")?.x, 547);
});

test("a name is at a corner where all sides are taken or crossed", () => {
  const { context, written } = createCanvas();
  const alone = node("Aarhus", 500, [
    { x: 900, y: 300 },
    { x: 100, y: 300 },
    { x: 500, y: 0 },
    { x: 500, y: 600 },
  ]);
  const input = { nodes: [alone], obstacles: [alone], paint: paintOf(false), limit: 9 };
  drawNames(context, input, createTakenRoom(size));
  const { x = 0, y = 0 } = written.get("Aarhus") ?? {};
  assert.ok(x > 500 && y < 300 - 6, "right of the line upwards, above the line to the right");
});

test("one of the best connected has its name also amid its neighbours, others then have none", () => {
  const ends = Array.from({ length: 8 }, (_, at) => ({
    x: 500 + 40 * Math.cos((at * Math.PI) / 4),
    y: 300 + 40 * Math.sin((at * Math.PI) / 4),
  }));
  const around = ends.map((end) => ({ ...node("", 0, []), ...end, size: 16 }));
  for (const isImportant of [true, false]) {
    const { context, written } = createCanvas();
    const hub = { ...node("The Lantern Keepers", 500, ends), isImportant };
    const input = { nodes: [hub], obstacles: [hub, ...around], paint: paintOf(false), limit: 9 };
    drawNames(context, input, createTakenRoom(size));
    assert.equal(written.has(hub.name), isImportant);
  }
});

test("no line strikes the name of the centre through", () => {
  const ends = Array.from({ length: 24 }, (_, at) => ({
    x: 500 + 200 * Math.cos((at * Math.PI) / 12),
    y: 300 + 200 * Math.sin((at * Math.PI) / 12),
  }));
  const centre = { ...node("Ada Brandt", 500, ends), isStrong: true };
  const { context, written, plates } = createCanvas();
  const input = { nodes: [centre], obstacles: [centre], paint: paintOf(false), limit: 9 };
  drawNames(context, input, createTakenRoom(size));
  assert.deepEqual(plates, [(written.get("Ada Brandt")?.x ?? 0) - 3]);
});

test("a line meets the boxes that it runs through, and none beside or behind it", () => {
  const box = { left: 10, right: 20, top: 10, bottom: 20 };
  const meetsLine = (from: readonly [number, number], to: readonly [number, number]) =>
    meets(box, { from: { x: from[0], y: from[1] }, to: { x: to[0], y: to[1] } });
  assert.ok(meetsLine([0, 15], [30, 15]));
  assert.ok(meetsLine([15, 0], [15, 30]));
  assert.ok(meetsLine([0, 0], [30, 30]));
  assert.ok(!meetsLine([0, 25], [30, 25]));
  assert.ok(!meetsLine([0, 15], [8, 15]));
  assert.ok(!meetsLine([0, 12], [12, 0]));
});

test("the type of a chosen line that is shorter than it stands beside the line, not on its ends", () => {
  const { context, written } = createCanvas();
  const [left, right] = [node("Ada Brandt", 500, []), node("Aarhus", 520, [])];
  const edges = [{ text: "born in", from: left, to: right, isChosen: true }];
  drawLinks(context, { edges, obstacles: [left, right], paint: paintOf(false) }, createTakenRoom(size));
  assert.deepEqual(written.get("born in"), { x: 510, y: 300.5 + 6 + 12 });
});

test("a type that has no room in the middle of its line stands nearer to an end, and never over an entity", () => {
  const [left, right] = [node("Ada Brandt", 300, []), node("Aarhus", 700, [])];
  const edges = [{ text: "born in", from: left, to: right, isChosen: false }];
  const amid = node("Hamburg", 500, []);
  const place = (obstacles: readonly PlacedNode[]) => {
    const { context, written } = createCanvas();
    drawLinks(context, { edges, obstacles, paint: paintOf(false) }, createTakenRoom(size));
    return written.get("born in");
  };
  assert.equal(place([left, right])?.x, 500);
  const { x = 500, y } = place([left, right, amid]) ?? {};
  assert.ok(Math.abs(x - 500) > 6 + 49 / 2 && y === 300.5, "on its line beside the entity");
  const row = Array.from({ length: 40 }, (_, at) => node("", 310 + 10 * at, []));
  assert.equal(place(row), undefined);
});

test("types of lines side by side that run across have room, where boxes around them would overlap", () => {
  const { context, written } = createCanvas();
  const edges = [0, 40].map((shift) => ({
    text: `located in ${shift}`,
    from: { ...node("", 300 + shift, []), y: 100 },
    to: { ...node("", 500 + shift, []), y: 300 },
    isChosen: false,
  }));
  drawLinks(context, { edges, obstacles: [], paint: paintOf(false) }, createTakenRoom(size));
  assert.deepEqual(
    [...written.values()],
    [
      { x: 400, y: 200.5 },
      { x: 440, y: 200.5 },
    ],
  );
});

test("on a path a type that is longer than its line stands beside it", () => {
  const { context, written } = createCanvas();
  const [left, right] = [node("Ada Brandt", 500, []), node("Aarhus", 560, [])];
  const edges = [{ text: "headquartered in", from: left, to: right, isChosen: false }];
  const input = { edges, obstacles: [left, right], paint: paintOf(false), isWhole: true };
  drawLinks(context, input, createTakenRoom(size));
  assert.deepEqual(written.get("headquartered in"), { x: 530, y: 300.5 + 6 + 12 });
});
