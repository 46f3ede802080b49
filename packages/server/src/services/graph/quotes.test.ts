import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredChunk } from "../../ports/store.ts";
import { quotePlaces, quoteSentences } from "./quotes.ts";

const TEXT = "Ada Holm\n\nAda Holm built the gate. She left it to Bo Lind.";
const OFFSET = 1_000;

/** Has one chunk, which begins at `OFFSET` of its document. */
const store = {
  readChunks: async ({ keys }: { keys: readonly { versionId: number; position: number }[] }) =>
    keys.map(({ versionId, position }): StoredChunk | null =>
      versionId === 1
        ? {
            versionId,
            position,
            sourceDocId: "d",
            header: "",
            text: TEXT,
            start: OFFSET,
            end: OFFSET + TEXT.length,
          }
        : null,
    ),
};

function placeOf(name: string, from = 0, versionId = 1) {
  const start = OFFSET + TEXT.indexOf(name, from);
  return { versionId, position: 0, start, end: start + name.length };
}

test("a place is quoted verbatim; a place whose chunk no longer exists is left out", async () => {
  const [existing, deleted] = [placeOf("the gate"), placeOf("the gate", 0, 2)];
  const quotes = await quotePlaces(store, "p", [existing, deleted]);
  assert.equal(quotes.get(existing)?.text, "the gate");
  assert.equal(quotes.get(deleted), undefined);
});

test("the first sentence of a chunk that is longer than the name is quoted", async () => {
  const places = [placeOf("Ada Holm"), placeOf("Ada Holm", 9), placeOf("Ada Holm", 9)];
  const [quote, ...others] = await quoteSentences(store, "p", places);
  assert.equal(quote?.text, "Ada Holm built the gate.");
  assert.deepEqual(others, []);
  assert.equal(quote?.start, OFFSET + TEXT.indexOf("Ada Holm built"));
});

test("a name that stands alone in all its places is quoted itself", async () => {
  const [quote] = await quoteSentences(store, "p", [placeOf("Ada Holm")]);
  assert.equal(quote?.text, "Ada Holm");
});

test("a sentence in the overlap of two chunks is quoted once, and the second chunk with another one", async () => {
  const [first, shared, last] = ["Ada built the gate.", "She left it to Bo.", "Bo sold it."];
  const chunks = [
    { start: 0, text: `${first} ${shared}` },
    { start: first.length + 1, text: `${shared} ${last}` },
    { start: first.length + 1, text: shared },
  ];
  const readChunks = async ({ keys }: { keys: readonly { position: number }[] }) =>
    keys.map(({ position }): StoredChunk => {
      const { start, text } = chunks[position] ?? assert.fail();
      const end = start + text.length;
      return { versionId: 1, position, sourceDocId: "d", header: "", text, start, end };
    });
  const at = first.length + 1 + shared.indexOf("Bo");
  const later = first.length + shared.length + 2;
  const places = [
    { versionId: 1, position: 0, start: at, end: at + 2 },
    { versionId: 1, position: 1, start: at, end: at + 2 },
    { versionId: 1, position: 1, start: later, end: later + 2 },
    { versionId: 1, position: 2, start: at, end: at + 2 },
  ];
  const quotes = await quoteSentences({ readChunks }, "p", places);
  assert.deepEqual(
    quotes.map(({ position, text }) => [position, text]),
    [
      [0, shared],
      [1, last],
    ],
  );
});

test("the texts of chunks are cut into sentences a few in each turn of the event loop", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const text = "Ada met Bo. ".repeat(100);
  const readIn: number[] = [];
  const chunkAt = (position: number): StoredChunk => ({
    ...{ versionId: 1, position, sourceDocId: "d", header: "" },
    ...{ start: position * text.length, end: (position + 1) * text.length },
    get text() {
      readIn.push(turns);
      return text;
    },
  });
  const startOf = (at: number) => (at % 100) * text.length + 12 * (at % 90);
  const places = Array.from({ length: 400 }, (_, at) => ({
    ...{ versionId: 1, position: at % 100 },
    ...{ start: startOf(at), end: startOf(at) + 3 },
  }));
  const readChunks = async ({ keys }: { keys: readonly { position: number }[] }) =>
    keys.map(({ position }) => chunkAt(position));
  const quotes = await quoteSentences({ readChunks }, "p", places);
  clearImmediate(immediate);
  assert.equal(quotes.length, 100);
  assert.ok(new Set(readIn).size >= 15, `in ${new Set(readIn).size} turns`);
});
