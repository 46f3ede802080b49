/** What documents say, in their own words. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Span } from "../../domain/graph.ts";
import { sentences } from "../../engine/text/sentences.ts";
import type { IndexStore, StoredChunk } from "../../ports/store.ts";

/** A piece of a document's text; offsets into it in UTF-16 code units. */
export interface Quote extends ChunkKey, Span {
  readonly sourceDocId: string;
  readonly text: string;
}

export type Place = ChunkKey & Span;
type ChunkReader = Pick<IndexStore, "readChunks">;

const KEYS_A_CALL = 1_000;

/** The texts at these places, by place; those whose chunk is gone are not in it. */
export async function quotePlaces<Where extends Place>(
  store: ChunkReader,
  projectId: string,
  places: readonly Where[],
): Promise<ReadonlyMap<Where, Quote>> {
  const chunks = await readChunksOf(store, projectId, places);
  return new Map(
    places.flatMap((place) => {
      const chunk = chunks.get(idOf(place));
      return chunk === undefined ? [] : [[place, quote(chunk, place)] as const];
    }),
  );
}

/** A sentence of each chunk around one of these places: the first that says more than the name, in the order of the places. */
export async function quoteSentences(
  store: ChunkReader,
  projectId: string,
  places: readonly Place[],
): Promise<readonly Quote[]> {
  const chunks = await readChunksOf(store, projectId, places);
  return [...Map.groupBy(places, idOf)].flatMap(([id, own]) => {
    const chunk = chunks.get(id);
    if (chunk === undefined) return [];
    const quotes = own.map((place) => quote(chunk, sentenceAround(chunk, place)));
    const telling = quotes.find(({ start, end }, at) => {
      const place = own[at];
      return place !== undefined && end - start > place.end - place.start;
    });
    return telling ?? quotes[0] ?? [];
  });
}

function quote(chunk: StoredChunk, { start, end }: Span): Quote {
  const { versionId, position, sourceDocId } = chunk;
  const text = chunk.text.slice(Math.max(0, start - chunk.start), Math.max(0, end - chunk.start));
  return { versionId, position, sourceDocId, start, end, text };
}

/** The place itself where no sentence holds it. */
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
  const found = new Map<string, StoredChunk>();
  for (let from = 0; from < keys.length; from += KEYS_A_CALL) {
    const chunks = await store.readChunks({ projectId, keys: keys.slice(from, from + KEYS_A_CALL) });
    for (const chunk of chunks) if (chunk !== null) found.set(idOf(chunk), chunk);
  }
  return found;
}

function idOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
