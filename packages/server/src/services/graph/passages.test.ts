import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metadata } from "../../domain/metadata.ts";
import type { Entity, Relationship } from "../../ports/graph-store.ts";
import { type PassageStore, stateEntities, stateRelationships } from "./passages.ts";

const TEXT = "Dated: 4 May 2031\n\nAda Holm built the gate.";
const START = TEXT.indexOf("Ada");

/** Each version is a document of its own; odd ones have a date in their metadata. Version 9 is gone. */
function createStore() {
  const reads = { mostChunks: 0, mostDocuments: 0, documents: [] as string[], turns: new Set<number>() };
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const store: PassageStore = {
    async readChunks({ keys }) {
      reads.mostChunks = Math.max(reads.mostChunks, keys.length);
      return keys
        .map(({ versionId, position }) => ({
          ...{ versionId, position, sourceDocId: `d${versionId}`, header: "", start: 0, end: TEXT.length },
          get text() {
            reads.turns.add(turns);
            return TEXT;
          },
        }))
        .map((chunk) => (chunk.versionId === 9 ? null : chunk));
    },
    async readHeads({ versionIds }) {
      reads.mostDocuments = Math.max(reads.mostDocuments, versionIds.length);
      reads.documents.push(...versionIds.map((versionId) => `d${versionId}`));
      return versionIds.map((versionId) => ({
        get text() {
          reads.turns.add(turns);
          return TEXT;
        },
        metadata: versionId % 2 === 1 ? { date: "1994" } : ({} as Metadata),
      }));
    },
  };
  return { store, reads, stop: () => clearImmediate(immediate) };
}

const pages = async function* <T>(...all: readonly T[]) {
  yield* all;
};

function relationshipOf(versionId: number): Relationship {
  const place = { versionId, position: 1, start: START, end: TEXT.length, confidence: 1, extractor: "x" };
  const evidence = [{ ...place, validFrom: null, validTo: null }];
  return { type: "T", sourceId: "1", targetId: "2", chunks: 1, confidence: 1, evidence };
}

test("a passage has the date that its document's metadata, else its head, says; one that is gone is left out", async () => {
  const { store, reads, stop } = createStore();
  const page = [1, 2, 9, 1].map(relationshipOf);
  const parts = await Array.fromAsync(stateRelationships(store, "p", pages(page, page)));
  stop();
  assert.deepEqual(parts[0]?.items, page);
  const shown = page.map(({ evidence }) => parts[0]?.passages.get(evidence[0]!));
  assert.deepEqual(
    shown.map((passage) => passage && [passage.text, passage.sourceDocId, passage.documentDate]),
    [
      ["Ada Holm built the gate.", "d1", "1994"],
      ["Ada Holm built the gate.", "d2", "2031-05-04"],
      undefined,
      ["Ada Holm built the gate.", "d1", "1994"],
    ],
  );
  assert.deepEqual(reads.documents, ["d1", "d2"], "dates are read once");
});

test("passages are read in parts of bounded size, and dates a few in each turn of the event loop", async () => {
  const { store, reads, stop } = createStore();
  const entityOf = (id: number): Entity => {
    const properties = Array.from({ length: 50 }, (_, at) => ({
      ...{ property: "p", value: String(at), chunks: 3 },
      places: [0, 1, 2].map((place) => ({
        ...{ versionId: 10 + id * 150 + at * 3 + place, position: 0 },
        ...{ start: 0, end: 5 },
      })),
    }));
    const empty = { aliases: [], keys: [], chunks: 1, mentions: [] };
    return { entityId: String(id), type: "T", name: "N", ...empty, properties };
  };
  const readEntities = async ({ entityIds }: { entityIds: readonly string[] }) =>
    entityIds.map((id) => entityOf(Number(id)));
  const ids = Array.from({ length: 10 }, (_, at) => String(at));
  const parts = await Array.fromAsync(stateEntities({ ...store, readEntities }, "p", pages(ids, [])));
  const many = Array.from({ length: 500 }, (_, at) => relationshipOf(10 + at));
  const related = await Array.fromAsync(stateRelationships(store, "p", pages(many)));
  stop();
  assert.deepEqual(
    parts.map(({ items, passages }) => [items.length, passages.size]),
    [
      [4, 600],
      [4, 600],
      [2, 300],
      [0, 0],
    ],
  );
  assert.deepEqual(
    related.map(({ passages }) => passages.size),
    [100, 100, 100, 100, 100],
  );
  assert.ok(reads.mostChunks <= 600 && reads.mostDocuments <= 32, JSON.stringify(reads));
  assert.ok(reads.turns.size >= 1_500 / 16, `in ${reads.turns.size} turns`);
});
