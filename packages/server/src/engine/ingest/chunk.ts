/** Splits a document into chunks: the pieces of text that are embedded, indexed and cited. */

import type { Chunk, TableAround } from "../../domain/document.ts";
import { indexedText } from "../../domain/document.ts";
import {
  COLUMNS_LEVEL,
  commonPath,
  type Heading,
  namesAbove,
  type SectionPath,
  writeHeader,
} from "../text/headings.ts";
import { groupUnits, type UnitGroup } from "./chunk-group.ts";
import { type ChunkBudget, type ChunkUnit, chunkUnits, maxUnitsPerToken } from "./chunk-units.ts";

export interface ChunkOptions {
  /** Target length of a chunk's text; up to 1.5 times as much where sentences need it. */
  readonly targetTokens: number;
  /** Length of the end of a chunk that the next one repeats, in whole sentences; at most half the target. */
  readonly overlapTokens: number;
  /** Limit of the embedding model, header and its special tokens included. */
  readonly maxTokens: number;
  /** Counts tokens as the model does, with or without special tokens. Called only with text of bounded length. */
  readonly countTokens: (text: string) => number;
}

/** Maximum length of a header; less where the model's limit is small. */
const headerTokens = 32;
/** A longer row of column names is not handed on, nor are rows beyond as many units. */
const maxRowUnits = 4000;

/**
 * Yields the chunks of a document in order, lazily, in linear time and with constant memory. Every character except white
 * space is in a chunk. No chunk is blank or longer than `maxTokens` (except a single code point that is), and no surrogate pair
 * is cut. Blank text has no chunks. Each sentence is counted once, each chunk once more, each header once per section.
 */
export function* chunkDocument(text: string, options: ChunkOptions): Generator<Chunk> {
  const specialTokens = options.countTokens("");
  const limit = Math.max(1, options.maxTokens - specialTokens);
  const headerLimit = Math.min(headerTokens, Math.floor(limit / 4));
  const budget = chunkBudget(options, limit - headerLimit, specialTokens);
  const header = headerWriter(text, headerLimit, (name) => options.countTokens(name) - specialTokens);
  let position = 0;
  let lastStart = -1;
  for (const group of groupUnits(chunkUnits(text, budget), budget)) {
    for (const chunk of fittingChunks(startAfter(lastStart, group), { text, options, header })) {
      yield { position: position++, ...chunk };
      lastStart = chunk.start;
    }
  }
}

function chunkBudget(options: ChunkOptions, room: number, specialTokens: number): ChunkBudget {
  const target = Math.max(1, options.targetTokens);
  // One token is reserved for the line break between header and text, which some tokenizers count.
  const hard = Math.max(1, Math.min(Math.ceil(target * 1.5), room - 1));
  const soft = Math.min(target, hard);
  return {
    soft,
    hard,
    overlap: Math.min(options.overlapTokens, soft / 2),
    cost: (text) =>
      Math.max(options.countTokens(text) - specialTokens, Math.ceil(text.length / maxUnitsPerToken)),
  };
}

/** Writes the header of a run of units; caches the last one, because the chunks of a section share it. */
function headerWriter(text: string, limit: number, countTokens: (name: string) => number) {
  let last = { key: "", header: "" };
  return (units: readonly ChunkUnit[]): string => {
    const first = units[0];
    if (first === undefined) return "";
    const path = units.reduce((shared, unit) => commonPath(shared, unit.path), first.path);
    const names = namesAbove(sectionsOf(path), text, first.start);
    const columns = columnsAbove(first)?.text ?? "";
    const key = [...names, columns].join("\n");
    if (key !== last.key) {
      const section = writeHeader(names, limit, countTokens);
      const room = limit - countTokens(section);
      const table = columns === "" ? "" : writeHeader([columns], Math.max(0, room), countTokens);
      last = { key, header: table === "" ? section : `${section}\n${table}` };
    }
    return last.header;
  };
}

function sectionsOf(path: SectionPath): SectionPath {
  return path.filter(({ level }) => level < COLUMNS_LEVEL);
}

/** The column names where a chunk begins in the middle of a table. */
function columnsAbove(first: ChunkUnit | undefined): Heading | null {
  const innermost = first?.path.at(-1);
  if (first === undefined || innermost?.level !== COLUMNS_LEVEL) return null;
  return innermost.end <= first.start ? innermost : null;
}

/** Drops units that begin before the last chunk: where that chunk was halved, the overlap could reach into its first half. */
function startAfter(lastStart: number, { units, overlap }: UnitGroup): UnitGroup {
  const first = units.findIndex((unit) => unit.start > lastStart);
  return { units: units.slice(first), overlap: Math.max(0, overlap - first) };
}

interface Rendering {
  readonly text: string;
  readonly options: ChunkOptions;
  readonly header: (units: readonly ChunkUnit[]) => string;
}

/**
 * Yields the chunk of these units, or several where it would be too long. The sum of the units' tokens is only an estimate (a
 * wide gap, or a tokenizer that merges across a cut, makes it wrong). A chunk that is too long is tried without its overlap,
 * then halved; a single unit loses its header.
 */
function* fittingChunks(group: UnitGroup, rendering: Rendering): Generator<Omit<Chunk, "position">> {
  const { units, overlap } = group;
  const chunk = render(units, rendering, rendering.header(units));
  if (chunk.tokenCount <= rendering.options.maxTokens) {
    yield chunk;
  } else if (overlap > 0) {
    yield* fittingChunks({ units: units.slice(overlap), overlap: 0 }, rendering);
  } else if (units.length > 1) {
    const half = units.length >> 1;
    yield* fittingChunks({ units: units.slice(0, half), overlap: 0 }, rendering);
    yield* fittingChunks({ units: units.slice(half), overlap: 0 }, rendering);
  } else {
    yield render(units, rendering, "");
  }
}

function render(units: readonly ChunkUnit[], { text, options }: Rendering, header: string) {
  const start = units[0]?.start ?? 0;
  const end = units.at(-1)?.end ?? start;
  const piece = { text: text.slice(start, end), header };
  const table = tableAround(text, { units, end });
  const around = table === null ? {} : { table };
  return { ...piece, ...around, start, end, tokenCount: options.countTokens(indexedText(piece)) };
}

function tableAround(
  text: string,
  { units, end }: { readonly units: readonly ChunkUnit[]; readonly end: number },
): TableAround | null {
  const cut = columnsAbove(units[0]);
  if (cut !== null) return { columns: rowBefore(text, cut.end), rows: rowsFrom(text, cut.end) };
  if (units.at(-1)?.path.at(-1)?.level !== COLUMNS_LEVEL) return null;
  const rows = rowsFrom(text, end);
  return rows === "" ? null : { columns: "", rows };
}

function rowBefore(text: string, end: number): string {
  const above = text.slice(Math.max(0, end - maxRowUnits), end);
  const start = above.lastIndexOf("\n") + 1;
  return start === 0 && end > maxRowUnits ? "" : above.slice(start);
}

/** The whole rows that follow at once. */
function rowsFrom(text: string, start: number): string {
  const lines = text.slice(start, start + maxRowUnits).split("\n");
  if (start + maxRowUnits < text.length) lines.pop();
  const rows = lines.slice(1);
  const last = rows.findIndex((line) => !line.includes("|"));
  return rows.slice(0, last < 0 ? rows.length : last).join("\n");
}
