/** Reads quotes from the stored chunks. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Span } from "../../domain/graph.ts";
import { sentences } from "../../engine/text/sentences.ts";
import type { IndexStore, StoredChunk } from "../../ports/store.ts";

/** A part of a document's text. Offsets are into the document, in UTF-16 code units. */
export interface Quote extends ChunkKey, Span {
  readonly sourceDocId: string;
  readonly text: string;
}

export type Place = ChunkKey & Span;
type ChunkReader = Pick<IndexStore, "readChunks">;

const KEYS_PER_CALL = 1_000;

/** Maps each place to the text there. Places whose chunk no longer exists are left out. */
export async function quotePlaces<SomePlace extends Place>(
  store: ChunkReader,
  projectId: string,
  places: readonly SomePlace[],
): Promise<ReadonlyMap<SomePlace, Quote>> {
  const chunks = await readChunksOf(store, projectId, places);
  return new Map(
    places.flatMap((place) => {
      const chunk = chunks.get(idOf(place));
      return chunk === undefined ? [] : [[place, quote(chunk, place)] as const];
    }),
  );
}

/**
 * One sentence per chunk: of the sentences around its places, in the order of the places, the first that is
 * longer than the name itself, else the first one.
 */
export async function quoteSentences(
  store: ChunkReader,
  projectId: string,
  places: readonly Place[],
): Promise<readonly Quote[]> {
  const chunks = await readChunksOf(store, projectId, places);
  return [...Map.groupBy(places, idOf)].flatMap(([id, placesOfChunk]) => {
    const chunk = chunks.get(id);
    if (chunk === undefined) return [];
    const quotes = placesOfChunk.map((place) => quote(chunk, sentenceAround(chunk, place)));
    const longerThanName = quotes.find(({ start, end }, index) => {
      const place = placesOfChunk[index];
      return place !== undefined && end - start > place.end - place.start;
    });
    return longerThanName ?? quotes[0] ?? [];
  });
}

function quote(chunk: StoredChunk, { start, end }: Span): Quote {
  const { versionId, position, sourceDocId } = chunk;
  const text = chunk.text.slice(Math.max(0, start - chunk.start), Math.max(0, end - chunk.start));
  return { versionId, position, sourceDocId, start, end, text };
}

/** The place itself if no single sentence contains it. */
function sentenceAround(chunk: StoredChunk, place: Span): Span {
  for (const { start, end } of sentences(chunk.text)) {
    const sentence = { start: start + chunk.start, end: end + chunk.start };
    if (sentence.start <= place.start && place.end <= sentence.end) return sentence;
  }
  return place;
}

async function readChunksOf(
  store: ChunkReader,
  projectId: string,
  places: readonly Place[],
): Promise<ReadonlyMap<string, StoredChunk>> {
  const keys = [
    ...new Map(
      places.map(({ versionId, position }) => [idOf({ versionId, position }), { versionId, position }]),
    ).values(),
  ];
  const chunkById = new Map<string, StoredChunk>();
  for (let from = 0; from < keys.length; from += KEYS_PER_CALL) {
    const chunks = await store.readChunks({ projectId, keys: keys.slice(from, from + KEYS_PER_CALL) });
    for (const chunk of chunks) if (chunk !== null) chunkById.set(idOf(chunk), chunk);
  }
  return chunkById;
}

function idOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
