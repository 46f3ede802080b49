/** Where in its file the first sentence of a chunk stands that a summary quotes: a chunk can go over pages and sections. */
import type { ChunkKey } from "../../domain/document.ts";
import type { FilePlace } from "../../domain/file.ts";
import type { QuotedPlace, QuotedSentence, RankedChunk } from "../../domain/query.ts";
import type { IndexStore } from "../../ports/store.ts";
import { blocks } from "../text/blocks.ts";
import { enterSection, findTitle, type SectionPath } from "../text/headings.ts";

/** `quoted`: with the indexes of their chunks. */
export function quotedSentences(
  chunks: readonly RankedChunk[],
  quoted: readonly { readonly chunk: number; readonly start: number }[],
): readonly QuotedSentence[] {
  return quoted.flatMap(({ chunk: at, start }) => {
    const chunk = chunks[at];
    if (chunk === undefined) return [];
    const { versionId, position, sourceDocId } = chunk;
    return [{ versionId, position, sourceDocId, start }];
  });
}

/** The chunks that have a file and are quoted: only these have places that quotations change. */
export function quotedOfFiles(
  chunks: readonly RankedChunk[],
  quotes: readonly QuotedSentence[],
): readonly RankedChunk[] {
  return chunks.filter((chunk) => chunk.place !== undefined && quotes.some((quote) => isOf(quote, chunk)));
}

/**
 * Of chunks, with the places of their beginnings, that have a file and are quoted. One statement, and only where a sentence of a file with pages
 * stands behind the beginning of its chunk. `quotes`: in the order of the summary.
 */
export async function placeQuoted(
  chunks: readonly RankedChunk[],
  quotes: readonly QuotedSentence[],
  { projectId, store }: { readonly projectId: string; readonly store: Pick<IndexStore, "readPagesAt"> },
): Promise<readonly QuotedPlace[]> {
  const found = chunks.flatMap((chunk) => {
    const first = quotes.find((quote) => isOf(quote, chunk));
    return chunk.place === undefined || first === undefined
      ? []
      : [{ chunk, offset: first.start, place: chunk.place }];
  });
  const paged = found.filter(({ chunk, offset, place }) => place.page !== null && offset > chunk.start);
  const places = paged.map(({ chunk: { versionId }, offset }) => ({ versionId, offset }));
  const read = places.length === 0 ? [] : await store.readPagesAt({ projectId, places });
  const pages = new Map(paged.map((each, at) => [each, read[at] ?? null]));
  return found.map((each) => {
    const { chunk, offset, place } = each;
    const { versionId, position } = chunk;
    const page = pages.get(each) ?? place.page;
    return { versionId, position, place: { page, section: sectionAt(chunk, offset, place) } };
  });
}

/** The chunks with these places. */
export function withPlaces(
  chunks: readonly RankedChunk[],
  places: readonly QuotedPlace[],
): readonly RankedChunk[] {
  if (places.length === 0) return chunks;
  return chunks.map((chunk) => {
    const own = places.find((place) => isOf(place, chunk));
    return own === undefined ? chunk : { ...chunk, place: own.place };
  });
}

/** The section of a chunk is what all of it stands under; the headings in it lead on from there. */
function sectionAt(
  { text, start }: Pick<RankedChunk, "text" | "start">,
  offset: number,
  { section }: FilePlace,
): string | null {
  const title = start === 0 ? findTitle(text) : undefined;
  let path: SectionPath = title === undefined || title.end > offset ? [] : [title];
  for (const block of blocks(text)) {
    if (start + block.end > offset) break;
    if (block.kind === "heading") path = enterSection(path, text, block);
  }
  const names = [...(section === null ? [] : [section]), ...path.map((heading) => heading.text)];
  const said = names.filter((name, at) => name !== "" && name !== names[at - 1]);
  return said.length === 0 ? null : said.join(" > ");
}

function isOf(one: ChunkKey, other: ChunkKey): boolean {
  return one.versionId === other.versionId && one.position === other.position;
}
