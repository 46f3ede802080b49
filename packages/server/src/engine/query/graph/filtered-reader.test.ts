import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkKey } from "../../../domain/document.ts";
import type { AboutPassage, PassagesAbout } from "../../../ports/graph-store.ts";
import { createFilteredReader } from "./filtered-reader.ts";
import { type GraphReader, idOf } from "./graph-reader.ts";

function passage(name: string, versionId: number): AboutPassage {
  return { name, versionId, position: 0, kind: "title" };
}

function readerOf(about: Readonly<Record<string, readonly number[]>>): GraphReader {
  return {
    async findAbout(names) {
      return new Map(
        names.flatMap((name): (readonly [string, PassagesAbout])[] => {
          const versions = about[name] ?? [];
          const passages = versions.map((versionId) => passage(name, versionId));
          return passages.length === 0 ? [] : [[name, { documents: passages.length, passages }]];
        }),
      );
    },
    findByEnds: async () => new Map(),
    readPassages: async (keys) => keys.map(() => null),
  };
}

/** Scores all chunks except those of the excluded versions. */
function scoresWithout(...excluded: readonly number[]) {
  const scored: string[] = [];
  const scoresOf = async (keys: readonly ChunkKey[]) => {
    scored.push(...keys.map(idOf));
    return keys.map(({ versionId, position }) =>
      excluded.includes(versionId)
        ? null
        : { versionId, position, sourceDocId: `d${versionId}`, lexical: 0, dense: 0, score: 0 },
    );
  };
  return { scored, scoresOf };
}

test("excluded documents neither make a name found nor count towards its documents", async () => {
  const reader = readerOf({ shared: [1, 2, 3], hidden: [2, 3], open: [1, 4] });
  const filtered = createFilteredReader(reader, scoresWithout(2, 3));
  const found = await filtered.findAbout(["shared", "hidden", "open", "unknown"], 24);
  assert.deepEqual(
    [...found],
    [
      ["shared", { documents: 1, passages: [passage("shared", 1)] }],
      ["open", { documents: 2, passages: [passage("open", 1), passage("open", 4)] }],
    ],
  );
});

test("each passage is scored once, and none when no name is found", async () => {
  const scores = scoresWithout();
  const filtered = createFilteredReader(readerOf({ one: [1], other: [1] }), scores);
  await filtered.findAbout(["one", "other"], 24);
  assert.deepEqual(scores.scored, ["1/0"]);
  await filtered.findAbout(["unknown"], 24);
  assert.deepEqual(scores.scored, ["1/0"]);
});
