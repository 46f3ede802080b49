/** Splits a document into the units of which chunks are made: headings, sentences and pieces of long sentences. */

import { type Block, blocks } from "../text/blocks.ts";
import { columnsOf, enterSection, findTitle, type SectionPath } from "../text/headings.ts";
import { blockSentences } from "../text/sentences.ts";
import { splitSpan } from "./chunk-split.ts";

/** The limits of a chunk in tokens, without its header and the special tokens. */
export interface ChunkBudget {
  /** Target. */
  readonly soft: number;
  /** Maximum. */
  readonly hard: number;
  readonly overlap: number;
  /** Tokens of a text, but at least one per `maxUnitsPerToken` code units. */
  readonly cost: (text: string) => number;
}

export interface ChunkUnit {
  readonly kind: "heading" | "sentence" | "piece";
  readonly start: number;
  readonly end: number;
  readonly cost: number;
  /** The headings above the unit, and the unit itself if it is one. Units of one section share the array. */
  readonly path: SectionPath;
}

/** Bounds the length of a token, because a word tokenizer may count a megabyte without a space as one token. */
export const maxUnitsPerToken = 10;

/** Yields the units of a document in order, each within the hard limit and measured about once. */
export function* chunkUnits(text: string, budget: ChunkBudget): Generator<ChunkUnit> {
  const title = findTitle(text);
  let path: SectionPath = title === undefined ? [] : [title];
  let before: Block | undefined;
  let row: Block | undefined;
  let rowPath: SectionPath | undefined;
  for (const block of blocks(text)) {
    if (block.kind === "heading") path = enterSection(path, text, block);
    // A row above a rule names the columns of the rows below it.
    if (block.kind === "row" && before?.kind === "rule" && row !== undefined) {
      rowPath ??= [...path, columnsOf(text, row)];
    } else if (block.kind !== "row" || before?.kind !== "row") {
      rowPath = undefined;
    }
    if (block.kind === "row") row ??= block;
    else if (block.kind !== "rule" || before !== row) row = undefined;
    yield* blockUnits(text, block, { path: block.kind === "row" ? (rowPath ?? path) : path, budget });
    before = block;
  }
}

function* blockUnits(
  text: string,
  block: Block,
  { path, budget }: { readonly path: SectionPath; readonly budget: ChunkBudget },
): Generator<ChunkUnit> {
  for (const span of blockSentences(text, block)) {
    const isMeasurable = span.end - span.start <= budget.hard * maxUnitsPerToken;
    const cost = isMeasurable ? budget.cost(text.slice(span.start, span.end)) : Number.POSITIVE_INFINITY;
    if (cost <= budget.hard) {
      yield { kind: block.kind === "heading" ? "heading" : "sentence", ...span, cost, path };
      continue;
    }
    for (const piece of splitSpan(text, span, { limitTokens: budget.soft, cost: budget.cost })) {
      yield { kind: "piece", ...piece, path };
    }
  }
}
