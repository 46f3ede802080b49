import assert from "node:assert/strict";
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import type { ChunkGraph } from "../../../src/ports/graph-store.ts";
import { type Behaviour, commit, ingest } from "../scenario.ts";

/** A chunk's word is what it is about: "ada+lovelace" of "ada lovelace". Its record is the word's bytes. */
function graphOf(chunk: EmbeddedChunk): ChunkGraph {
  const name = chunk.text.replaceAll("+", " ");
  const kind = chunk.position === 0 ? ("title" as const) : ("section" as const);
  return {
    position: chunk.position,
    passage: new TextEncoder().encode(chunk.text),
    subjects: [
      { name, kind },
      { name, kind: "alias" },
    ],
  };
}

const about = { maxPerName: 10 };

export const passageBehaviours: readonly Behaviour[] = [
  [
    "passages are found by what they are about, beginnings of documents first",
    async (scenario) => {
      const { store } = scenario;
      const { projectId } = await scenario.project().then(async (made) => {
        await ingest(scenario, made, [["a", "x ada+lovelace ada+lovelace"]], { graphOf });
        await ingest(scenario, made, [["b", "ada+lovelace"]], { graphOf });
        return made;
      });
      const names = ["ada lovelace", "nobody", "ada lovelace", "x"];
      const found = await store.findAbout({ projectId, names, maxPerName: 3 });
      assert.deepEqual([...found.keys()].sort(), ["ada lovelace", "x"]);
      const { documents, passages } = found.get("ada lovelace")!; // Asserted above.
      assert.equal(documents, 2);
      assert.deepEqual(
        passages.map((passage) => [passage.name, passage.position, passage.versionId, passage.kind]),
        [
          ["ada lovelace", 0, 2, "alias"],
          ["ada lovelace", 0, 2, "title"],
          ["ada lovelace", 1, 1, "alias"],
        ],
      );
      assert.equal((await store.findAbout({ projectId: scenario.id("other"), names, ...about })).size, 0);
      assert.equal((await store.findAbout({ projectId, names: [], ...about })).size, 0);
    },
  ],
  [
    "names with the same first and last token are found together, in order of code units",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "ada+lovelace ada+k+lovelace ada+é+lovelace ada+Z+lovelace ada"]], {
        graphOf,
      });
      await ingest(scenario, made, [["b", "ada+lovelace"]], { graphOf });
      const ends = ["ada|lovelace", "ada|ada", "no|one"];
      const all = await store.findByEnds({ projectId, ends, maxPerEnd: 9 });
      assert.deepEqual(
        [...all],
        [["ada|lovelace", ["ada Z lovelace", "ada k lovelace", "ada lovelace", "ada é lovelace"]]],
      );
      const two = await store.findByEnds({ projectId, ends, maxPerEnd: 2 });
      assert.deepEqual(two.get("ada|lovelace"), ["ada Z lovelace", "ada k lovelace"]);
    },
  ],
  [
    "many names at once are looked up in one call",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "n1 n2 n3"]], { graphOf });
      const names = Array.from({ length: 700 }, (_, index) => `n${index}`);
      const found = await store.findAbout({ projectId, names, ...about });
      assert.deepEqual([...found.keys()].sort(), ["n1", "n2", "n3"]);
    },
  ],
  [
    "names that cannot be keys are left out, and nothing else with them",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const odd = ["", "a\u0000b", "a\nb", "\ud800", "x".repeat(10_000)];
      await ingest(scenario, made, [["a", "one"]], {
        graphOf: (chunk) => ({
          position: chunk.position,
          passage: null,
          subjects: [...odd, "good"].map((name) => ({ name, kind: "title" })),
        }),
      });
      const found = await store.findAbout({ projectId, names: [...odd, "good"], ...about });
      assert.deepEqual([...found.keys()], ["good"]);
      const keys = [{ versionId: 1, position: 0 }];
      assert.deepEqual(await store.readPassages({ projectId, keys }), [null]);
    },
  ],
  [
    "a first version's passages are seen from its first batch, a replacing one's only after the switch, and never both",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const keys = [0, 1].flatMap((position) => [1, 2].map((versionId) => ({ versionId, position })));
      const names = ["o1", "o2", "n1", "n2", "x o1", "x n1"];
      const look = async () => {
        const found = await store.findAbout({ projectId, names, ...about });
        const ends = await store.findByEnds({ projectId, ends: ["x|o1", "x|n1"], maxPerEnd: 5 });
        const records = await store.readPassages({ projectId, keys });
        const texts = records.map((record) => (record === null ? null : new TextDecoder().decode(record)));
        return [[...found.keys()].sort(), [...ends.values()].flat(), texts];
      };
      await scenario.accept(made, [["a", "x+o1 o2"]]);
      const first = await scenario.claim();
      await commit(store, first, { count: 1, graphOf });
      assert.deepEqual(await look(), [["x o1"], ["x o1"], ["x+o1", null, null, null]]);
      await commit(store, first, { from: 1, graphOf });
      const old = [["o2", "x o1"], ["x o1"], ["x+o1", null, "o2", null]];
      assert.deepEqual(await look(), old);

      await scenario.accept(made, [["a", "x+n1 n2"]]);
      const second = await scenario.claim();
      await commit(store, second, { count: 1, graphOf });
      assert.deepEqual(await look(), old);
      await commit(store, second, { from: 1, graphOf });
      assert.deepEqual(await look(), [["n2", "x n1"], ["x n1"], [null, "x+n1", null, "n2"]]);
      await store.deleteProject({ projectId });
      assert.deepEqual(await look(), [[], [], [null, null, null, null]]);
    },
  ],
];
