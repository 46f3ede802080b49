/** Reads quotes from the stored chunks. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Span } from "../../domain/graph.ts";
import { createPace } from "../../engine/text/pace.ts";
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
/** Text that is cut into sentences in a turn of the event loop, in about two milliseconds. */
const UNITS_PER_TURN = 8_000;

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
 * One sentence per chunk: of the sentences around its places that no chunk before has, in the order of the places, the first
 * that is longer than the name itself, else the first one. Chunks that overlap have sentences in common. A hundred chunks of short sentences take tens of milliseconds, so they are
 * read in turns of the event loop, each once.
 */
export async function quoteSentences(
  store: ChunkReader,
  projectId: string,
  places: readonly Place[],
): Promise<readonly Quote[]> {
  const chunks = await readChunksOf(store, projectId, places);
  const pace = createPace(UNITS_PER_TURN);
  const quotes: Quote[] = [];
  const quoted = new Set<string>();
  for (const [id, placesOfChunk] of Map.groupBy(places, idOf)) {
    const chunk = chunks.get(id);
    if (chunk === undefined) continue;
    await pace(chunk.text.length);
    const best = quoteSentence(chunk, placesOfChunk, quoted);
    if (best === null) continue;
    quotes.push(best);
    quoted.add(spanIn(chunk, best));
  }
  return quotes;
}

function spanIn({ versionId }: ChunkKey, { start, end }: Span): string {
  return `${versionId}/${start}-${end}`;
}

function quoteSentence(
  chunk: StoredChunk,
  places: readonly Place[],
  quoted: ReadonlySet<string>,
): Quote | null {
  const spans = [...sentences(chunk.text)].map(({ start, end }) => ({
    start: start + chunk.start,
    end: end + chunk.start,
  }));
  const found = places
    .map((place) => ({ place, span: sentenceAround(place, spans) }))
    .filter(({ span }) => !quoted.has(spanIn(chunk, span)));
  const longer = found.find(({ place, span }) => span.end - span.start > place.end - place.start);
  const best = longer ?? found[0];
  return best === undefined ? null : quote(chunk, best.span);
}

function quote(chunk: StoredChunk, { start, end }: Span): Quote {
  const { versionId, position, sourceDocId } = chunk;
  const text = chunk.text.slice(Math.max(0, start - chunk.start), Math.max(0, end - chunk.start));
  return { versionId, position, sourceDocId, start, end, text };
}

/** The place itself if no single sentence contains it. */
function sentenceAround(place: Span, all: readonly Span[]): Span {
  return all.find(({ start, end }) => start <= place.start && place.end <= end) ?? place;
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
