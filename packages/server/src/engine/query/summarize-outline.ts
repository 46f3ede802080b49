/** Reads what the lines of a chunk stand under: headings, the label of a list, the question of an answer, the columns of a table. */

import { type Block, blocks, hasBlankLine, type Span } from "../text/blocks.ts";
import { blockSentences } from "../text/sentences.ts";
import { endsLikeSentence, isQuestion, isQuestionMarked } from "./quotation.ts";
import { namesOfTables } from "./table-names.ts";

/** What a line stands under. Lines that stand under the same share one object. */
export interface LineContext {
  /** Title, headings, label and columns, outermost first, without marks. */
  readonly above: readonly string[];
  /** The headings and labels among them that stand in the chunk, without their marks, innermost last. */
  readonly labels: readonly Span[];
  /** The row with the columns' names, where the line is a row below one. */
  readonly columns: Span | null;
  /** The names of the columns, also of a table that the chunk begins in the middle of; null where they are not known. */
  readonly columnNames: readonly string[] | null;
  /** Whether the label is a question that the line answers. */
  readonly isAnswer: boolean;
}

export interface OutlinedBlock {
  readonly block: Block;
  readonly context: LineContext;
  /** Whether it is itself what others stand under. */
  readonly isLabel: boolean;
  /** Of a heading; null for everything else. */
  readonly level: number | null;
}

const MAX_LABEL_UNITS = 160;
const MAX_TITLE_WORDS = 14;
/** Below all of Markdown's: a line of its own in bold or in capitals, or who wrote what follows. */
const PLAIN_HEADING_LEVEL = 7;
const SENDER = /^(?:From|Sender|Author|Speaker|Von|De):\s/;
const KEY = /^(?:\*\*|__)?\p{L}[^:|\n.?!]{0,40}:(?:\*\*|__)?\s{1,8}\S/u;

/** `section` holds until the next of its kind, `list` for the items and rows below, `marked` ("Q:") until the next label, the others until a blank line. */
type LabelKind = "section" | "list" | "paragraph" | "answer" | "marked";

interface Label {
  readonly kind: LabelKind;
  readonly span: Span;
  /** Whether something stood under it already. */
  isUsed: boolean;
}

interface OpenHeading {
  readonly level: number;
  readonly span: Span;
}

/** "Power: 9 W", "**Power:** 9 W". */
export function isKeyLine(line: string): boolean {
  return KEY.test(line);
}

/**
 * The blocks of a chunk with what each stands under. `header` is the chunk's own ("Title > Section"): it stands above all of them.
 * Linear in the length of the text.
 */
export function outlineChunk(text: string, header: string): readonly OutlinedBlock[] {
  const all = [...blocks(text)];
  const reader = createReader(text, header, all);
  return all.map(reader);
}

function createReader(text: string, header: string, all: readonly Block[]) {
  const [section = "", table = ""] = header.split("\n");
  const names = namesOfTables(text, all, table);
  const outer = section === "" ? [] : section.split(" > ");
  // The columns of a table that the chunk begins in the middle of: until it is left.
  let cutTable = table;
  let headings: readonly OpenHeading[] = [];
  let label: Label | null = null;
  let columns: Span | null = null;
  let columnNames: readonly string[] | null = null;
  let known: LineContext | null = null;
  const context = (): LineContext => {
    known ??= contextOf(text, {
      outer,
      cutTable,
      headings,
      label,
      columns,
      columnNames,
    });
    return known;
  };
  /** Gives what the heading itself stands under. */
  const enter = (level: number, span: Span): LineContext => {
    headings = headings.filter((other) => other.level < level);
    label = null;
    setColumns(null);
    known = null;
    const under = context();
    headings = [...headings, { level, span }];
    if (isQuestion(text.slice(span.start, span.end))) label = { kind: "answer", span, isUsed: false };
    known = null;
    return under;
  };
  const setLabel = (next: Label | null): void => {
    if (next !== label) known = null;
    label = next;
  };
  const setColumns = (next: Span | null, nextNames: readonly string[] | null = null): void => {
    if (next !== columns || nextNames !== columnNames) known = null;
    columns = next;
    columnNames = nextNames;
  };
  return (block: Block, at: number): OutlinedBlock => {
    const { kind } = block;
    const level = null;
    const before = all[at - 1];
    const isApart = before !== undefined && hasBlankLine(text, before.end, block.start);
    if ((kind !== "row" || isApart) && cutTable !== "") {
      cutTable = "";
      known = null;
    }
    if (kind === "heading") {
      const under = enter(block.level, titleSpan(text, block));
      return { block, context: under, isLabel: true, level: block.level };
    }
    if (kind === "rule" || kind === "code" || kind === "meta")
      return { block, context: context(), isLabel: false, level };
    if (kind === "row") {
      const isBelowRule = before?.kind === "rule" && all[at - 2]?.kind === "row";
      const above = isBelowRule ? (all[at - 2] ?? null) : before?.kind === "row" && !isApart ? columns : null;
      setColumns(above, names.get(block) ?? null);
      if (label !== null) label.isUsed = true;
      return { block, context: context(), isLabel: all[at + 1]?.kind === "rule", level };
    }
    setColumns(null);
    if (label !== null && isOver(label, text, { block, before })) setLabel(null);
    const found = labelKindOf(text, all, at);
    if (found === "section") {
      const under = enter(PLAIN_HEADING_LEVEL, titleSpan(text, block));
      const isLabel = !SENDER.test(text.slice(block.start, block.end));
      return { block, context: under, isLabel, level: PLAIN_HEADING_LEVEL };
    }
    if (found !== null) {
      setLabel(null);
      const under = context();
      setLabel({ kind: found, span: labelSpan(text, block), isUsed: false });
      return { block, context: under, isLabel: true, level };
    }
    if (label !== null) label.isUsed = true;
    return { block, context: context(), isLabel: false, level };
  };
}

function contextOf(
  text: string,
  {
    outer,
    cutTable,
    headings,
    label,
    columns,
    columnNames,
  }: {
    readonly outer: readonly string[];
    readonly cutTable: string;
    readonly headings: readonly OpenHeading[];
    readonly label: Label | null;
    readonly columns: Span | null;
    readonly columnNames: readonly string[] | null;
  },
): LineContext {
  const titles = headings.map(({ span }) => span).filter((span) => span !== label?.span);
  const labels = [...titles, ...(label === null ? [] : [label.span])];
  const spans = columns === null ? labels : [...labels, columns];
  return {
    above: [
      ...outer,
      ...(cutTable === "" ? [] : [cutTable]),
      ...spans.map(({ start, end }) => text.slice(start, end)),
    ],
    labels,
    columns,
    columnNames,
    isAnswer: label?.kind === "answer" || label?.kind === "marked",
  };
}

/** Whether a label has nothing to say of this block any more. */
function isOver(
  { kind, isUsed }: Label,
  text: string,
  { block, before }: { readonly block: Block; readonly before: Block | undefined },
): boolean {
  if (kind === "marked") return false;
  const isApart = before !== undefined && hasBlankLine(text, before.end, block.start);
  if (kind !== "list") return isApart && isUsed;
  if (block.kind === "item") return false;
  return isApart && !isKeyLine(text.slice(block.start, block.end));
}

function labelKindOf(text: string, all: readonly Block[], at: number): LabelKind | null {
  const block = all[at];
  const next = all[at + 1];
  if (block === undefined) return null;
  const line = text.slice(block.start, Math.min(block.end, block.start + MAX_LABEL_UNITS + 1));
  const isLine = line.length <= MAX_LABEL_UNITS && !line.includes("\n") && /\p{L}/u.test(line);
  const isHeading = isLine && (/^(\*\*|__)(?:(?!\1).){1,140}\1:?$/.test(line) || SENDER.test(line));
  if (isHeading && next !== undefined) return "section";
  const known = leadInKind(text, block, next);
  if (known !== null || next === undefined || !isLine) return known;
  if (endsLikeSentence(line) || /[,;]$/.test(line) || block.kind === "item") return null;
  if (isCapitals(line)) return "section";
  if (isKeyLine(line) || line.split(/\s+/).length > MAX_TITLE_WORDS) return null;
  if (isListed(next)) return "list";
  const opens = at === 0 || hasBlankLine(text, all[at - 1]?.end ?? 0, block.start);
  return opens && !hasBlankLine(text, block.end, next.start) ? "paragraph" : null;
}

/** Of a block whose last sentence asks or ends in a colon, and of a single sentence above a list: they say what follows is. */
function leadInKind(text: string, block: Block, next: Block | undefined): LabelKind | null {
  const { start, end } = labelSpan(text, block);
  const last = text.slice(start, end);
  if (end - start > MAX_LABEL_UNITS || !/\p{L}/u.test(last)) return null;
  if (isQuestion(last) && isQuestionMarked(last)) return "marked";
  if (next === undefined) return null;
  if (isQuestion(last)) return "answer";
  if (/[:：]["'*_]{0,4}$/.test(last)) return isListed(next) ? "list" : "paragraph";
  const isAlone = block.kind === "paragraph" && start - block.start <= 4 && endsLikeSentence(last);
  return isAlone && next.kind === "item" ? "list" : null;
}

/** The last sentence of a block, without the marks around it; of a long block, only its end is read. */
function labelSpan(text: string, block: Block): Span {
  const from = Math.max(block.start, block.end - 2 * MAX_LABEL_UNITS);
  return bareSpan(text, [...blockSentences(text, { ...block, start: from })].at(-1) ?? block);
}

/** Without a list mark and what makes it bold. */
export function bareSpan(text: string, { start, end }: Span): Span {
  const before = /^(?:[-*+•>]\s{1,8})?(?:\*\*|__)?/.exec(text.slice(start, end))?.[0].length ?? 0;
  const bare = text.slice(start + before, end).replace(/(?:\*\*:?|__:?)$/, "");
  return { start: start + before, end: start + before + bare.length };
}

function isListed({ kind }: Block): boolean {
  return kind === "item" || kind === "row";
}

function isCapitals(line: string): boolean {
  return (
    line.length <= 80 &&
    !/\p{Ll}/u.test(line) &&
    /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(line) &&
    !/\d{3}/.test(line)
  );
}

/** A heading or label without the marks around it. */
function titleSpan(text: string, { start, end }: Span): Span {
  const line = text.slice(start, end).split(/[\r\n]/, 1)[0] ?? "";
  const before = /^(?:#{1,6}\s+|[-*+•>]\s+)?(?:\*\*|__)?/.exec(line)?.[0].length ?? 0;
  const rest = line.slice(before);
  const bare = rest.trimEnd().replace(/(?:\s{1,8}#{1,8}|\*\*:?|__:?)$/, "");
  return { start: start + before, end: start + before + bare.length };
}
