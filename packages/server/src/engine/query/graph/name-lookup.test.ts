import assert from "node:assert/strict";
import { test } from "node:test";
import type { PassagesAbout } from "../../../ports/graph-store.ts";
import type { GraphReader } from "./graph-reader.ts";
import { createNameLookup } from "./name-lookup.ts";

function readerOf(about: ReadonlyMap<string, PassagesAbout>): GraphReader {
  return {
    findAbout: async (names) =>
      new Map(
        names.flatMap((name) => {
          const found = about.get(name);
          return found === undefined ? [] : [[name, found] as const];
        }),
      ),
    findByEnds: async (ends) => new Map(ends.map((end) => [end, [...about.keys()]])),
    readPassages: async (keys) => keys.map(() => null),
  };
}

function aboutOf(name: string, versions: readonly number[], unlisted = 0): readonly [string, PassagesAbout] {
  const passages = versions.map((versionId) => ({ name, versionId, position: 0, kind: "title" as const }));
  return [name, { documents: versions.length + unlisted, passages }];
}

test("a document that is about several forms of a name counts once", async () => {
  const about = new Map([aboutOf("ann mary lee", [1, 2]), aboutOf("ann m lee", [2, 3])]);
  const found = await createNameLookup(readerOf(about)).find(["ann lee"]);
  assert.equal(found.get("ann lee")?.documents, 3);
  assert.equal(found.get("ann lee")?.isSynonym, true);
});

test("unlisted documents are added up over the forms", async () => {
  const about = new Map([aboutOf("ann mary lee", [1, 2], 30), aboutOf("ann m lee", [2], 5)]);
  const found = await createNameLookup(readerOf(about)).find(["ann lee"]);
  assert.equal(found.get("ann lee")?.documents, 37);
});
