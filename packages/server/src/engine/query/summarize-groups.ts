/** Finds lists and entries that are short enough to be quoted whole. */

import type { Block } from "../text/blocks.ts";
import { endsLikeSentence } from "./quotation.ts";
import { isKeyLine, type LineContext, type OutlinedBlock } from "./summarize-outline.ts";

/** A longer list is quoted line by line only. */
const MAX_GROUP_UNITS = 480;

/** Several lines with the label above them, verbatim. */
export interface LineGroup {
  readonly text: string;
  /** Offsets in the chunk. */
  readonly start: number;
  readonly end: number;
  readonly context: LineContext;
}

/** What follows a label or heading of the chunk, with it, where two of its lines or more are no prose; at most 480 UTF-16 code units each. */
export function* findGroups(whole: string, outline: readonly OutlinedBlock[]): Generator<LineGroup> {
  for (const members of runs(outline)) {
    const context = members[0]?.context;
    const last = members.at(-1)?.block;
    const label = context?.labels.at(-1);
    if (context === undefined || label === undefined || last === undefined) continue;
    const { start } = label;
    // "A: Yes." is no line of a list.
    const isLine = (block: Block) => (context.isAnswer ? block.kind === "item" : isListLine(whole, block));
    const lines = members.filter(({ block }) => isLine(block)).length;
    if (lines < 2 || last.end - start > MAX_GROUP_UNITS || last.end <= start) continue;
    yield { text: whole.slice(start, last.end), start, end: last.end, context };
  }
}

/** What stands under the same, without the labels. */
function* runs(outline: readonly OutlinedBlock[]): Generator<readonly OutlinedBlock[]> {
  let run: OutlinedBlock[] = [];
  for (const each of outline) {
    if (run.length > 0 && run[0]?.context !== each.context) {
      yield run;
      run = [];
    }
    if (!each.isLabel) run.push(each);
  }
  if (run.length > 0) yield run;
}

function isListLine(text: string, block: Block): boolean {
  if (block.kind === "item") return true;
  if (block.kind !== "paragraph") return false;
  const line = text.slice(block.start, block.end);
  return isKeyLine(line) || !endsLikeSentence(line);
}
