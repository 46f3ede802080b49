import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutScene } from "./radial-layout.ts";
import type { Scene } from "./scene.ts";

function sceneOf(
  kind: "around" | "path",
  names: readonly string[],
  links: readonly (readonly [string, string])[],
) {
  return {
    kind,
    centre: kind === "around" ? (names[0] ?? null) : null,
    nodes: names.map((id) => ({ id, name: id, type: "Person", degree: 1 })),
    edges: links.map(([source, target]) => ({
      ...{ id: `${source} ${target}`, source, target, chunks: 1 },
      ...{ types: ["KNOWS"], there: ["KNOWS"], back: [] },
    })),
  } satisfies Scene;
}

test("no line of the centre runs where its name stands, however many it has", () => {
  for (const count of [1, 2, 5, 13, 60]) {
    const names = ["centre", ...Array.from({ length: count }, (_, at) => `near ${at}`)];
    const places = layOutScene(
      sceneOf(
        "around",
        names,
        names.slice(1).map((name) => ["centre", name]),
      ),
    );
    for (const name of names.slice(1)) {
      const { x, y } = places.get(name) ?? { x: 0, y: 0 };
      assert.ok(x < 0 || Math.abs(y / x) > 0.4, `${name} of ${count}: ${x} ${y}`);
    }
  }
});

test("a path is one row, a long one rows of lines that are long enough for their types", () => {
  const pathOf = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => String(at));
    const places = layOutScene(
      sceneOf(
        "path",
        names,
        names.slice(1).map((name, at) => [String(at), name]),
      ),
    );
    return names.map((name) => places.get(name) ?? { x: 0, y: 0 });
  };
  assert.equal(new Set(pathOf(5).map(({ y }) => y)).size, 1);
  const long = pathOf(10);
  assert.deepEqual([new Set(long.map(({ x }) => x)).size, new Set(long.map(({ y }) => y)).size], [5, 2]);
  for (const [at, { x, y }] of long.entries()) {
    const next = long[at + 1];
    if (next !== undefined) assert.ok(Math.hypot(next.x - x, next.y - y) >= 130);
  }
});
