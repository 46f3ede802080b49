import assert from "node:assert/strict";
import { test } from "node:test";
import type { FilePlace } from "../../domain/file.ts";
import type { RankedChunk } from "../../domain/query.ts";
import { placeQuoted, quotedSentences, withPlaces } from "./quoted-places.ts";

const TEXT =
  "## Pumps\n\nThe pump is old.\n\n### Seals\n\nA seal lasts a year.\n\n## Valves\n\nThe valve is of brass.";

function chunkOf(place: FilePlace | null, given: Partial<RankedChunk> = {}): RankedChunk {
  const own = { versionId: 1, position: 2, sourceDocId: "a", text: TEXT, start: 100, end: 100 + TEXT.length };
  return { ...own, similarity: 0.5, ...(place === null ? {} : { place }), ...given };
}

/** The place of the sentence that begins so, in a text whose second page begins behind "Seals", and how often pages were read. */
async function placeOf(chunk: RankedChunk, beginning: string) {
  let reads = 0;
  const store = {
    async readPagesAt({ places }: { places: readonly { readonly offset: number }[] }) {
      reads += 1;
      return places.map(({ offset }) => (offset > chunk.start + TEXT.indexOf("Seals") ? 8 : 7));
    },
  };
  const { versionId, position, sourceDocId } = chunk;
  const quoted = [{ versionId, position, sourceDocId, start: chunk.start + chunk.text.indexOf(beginning) }];
  const [found] = await placeQuoted([chunk], quoted, { projectId: "p", store });
  return [found?.place.page, found?.place.section, reads];
}

test("a quotation has the page and the section in which it stands", async () => {
  const chunk = chunkOf({ page: 7, section: "Manual > Parts" });
  assert.deepEqual(await placeOf(chunk, "The pump"), [7, "Manual > Parts > Pumps", 1]);
  assert.deepEqual(await placeOf(chunk, "A seal"), [8, "Manual > Parts > Pumps > Seals", 1]);
  assert.deepEqual(await placeOf(chunk, "The valve"), [8, "Manual > Parts > Valves", 1]);
});

test("the title of a document is above all its sections", async () => {
  const text = "# Manual\n\n# Pumps\n\nThe pump is old.";
  const chunk = chunkOf({ page: null, section: null }, { text, start: 0 });
  assert.deepEqual(await placeOf(chunk, "The pump"), [null, "Manual > Pumps", 0]);
});

test("pages are read only for what stands behind the beginning of a chunk of a file with pages", async () => {
  assert.deepEqual(await placeOf(chunkOf(null), "A seal"), [undefined, undefined, 0]);
  assert.deepEqual((await placeOf(chunkOf({ page: null, section: null }), "A seal"))[2], 0);
  assert.deepEqual(await placeOf(chunkOf({ page: 7, section: "Manual" }), "## Pumps"), [7, "Manual", 0]);
});

test("a chunk has the place of the first of its sentences in the summary, others keep theirs", async () => {
  const chunks = [
    chunkOf({ page: 7, section: "Manual" }),
    chunkOf({ page: 9, section: null }, { position: 3 }),
  ];
  const quoted = ["The valve", "A seal"].map((part) => ({ chunk: 0, start: 100 + TEXT.indexOf(part) }));
  const starts = quotedSentences(chunks, quoted);
  const store = { readPagesAt: async () => [8] };
  const placed = withPlaces(chunks, await placeQuoted(chunks, starts, { projectId: "p", store }));
  assert.deepEqual(
    placed.map(({ place }) => place),
    [
      { page: 8, section: "Manual > Valves" },
      { page: 9, section: null },
    ],
  );
});
