/** Splits a text into blocks at blank lines and Markdown line structure; plain text is the simple case. */

/** A range of a text in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * `paragraph` and `item` contain prose and may span several lines. The other kinds contain no prose: a
 * heading (ATX or Setext, underline included), one table row or menu line, a rule or table separator, one
 * line of fenced code (fences included), one line of front matter.
 */
export type BlockKind = "paragraph" | "item" | "heading" | "row" | "rule" | "code" | "meta";

export interface Block extends Span {
  readonly kind: BlockKind;
  /** 1…6 for a heading, 0 otherwise. */
  readonly level: number;
}

interface Line extends Span {
  /** The first `headUnits` code units of the line at most, which suffice to classify it. */
  readonly head: string;
}

const headUnits = 300;
/** A longer paragraph is split, so that the look-ahead stays bounded. */
const paragraphLines = 200;
const frontMatterLines = 60;
/** The usual width of hand-wrapped lines; outside this range, line breaks are taken as intended. */
const wrapUnits = { min: 40, max: 200 };

/**
 * Yields the blocks of a text in order. Blocks are trimmed and never empty, and only white space is between
 * them. Lazy, linear in the length of the text, with a look-ahead of at most 200 lines. A line break inside a
 * paragraph ends the block if the author seems to have intended it: the next word would have fitted into the
 * line, or the lines are too short or too long to be wrapped prose.
 */
export function* blocks(text: string): Generator<Block> {
  let paragraph: Line[] = [];
  let kind: "paragraph" | "item" = "paragraph";
  let fence = "";
  let metaEnd = frontMatterEnd(text);
  for (const line of lines(text)) {
    if (line.start < metaEnd) {
      if (line.end > line.start) yield block("meta", line);
      continue;
    }
    metaEnd = 0;
    if (fence !== "") {
      if (closesFence(line, fence)) fence = "";
      if (line.end > line.start) yield block("code", line);
      continue;
    }
    const title = kind === "paragraph" && paragraph.length === 1 ? paragraph[0] : undefined;
    const underline = title === undefined ? 0 : setextLevel(title, line);
    if (title !== undefined && underline > 0) {
      yield { kind: "heading", level: underline, start: title.start, end: line.end };
      paragraph = [];
      continue;
    }
    const lineKind = classify(line, paragraph.length > 0 ? kind : "none");
    if (lineKind === "prose") {
      if (paragraph.length === 0) kind = "paragraph";
      paragraph.push(line);
      if (paragraph.length < paragraphLines) continue;
    }
    yield* proseBlocks(paragraph, kind);
    paragraph = [];
    if (lineKind === "item") {
      kind = "item";
      paragraph.push(line);
    } else if (lineKind === "fence") {
      fence = fenceMark(line.head);
      yield block("code", line);
    } else if (lineKind === "heading") {
      yield { ...block("heading", line), level: atxLevel(line.head) };
    } else if (lineKind === "row" || lineKind === "rule") {
      yield block(lineKind, line);
    }
  }
  yield* proseBlocks(paragraph, kind);
}

/** Returns the span without leading and trailing white space (as defined by `\s` in regular expressions). */
export function trimSpan(text: string, start: number, end: number): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}

/** Whether a blank line is in the white space at the beginning of a span. */
export function hasBlankLine(text: string, start: number, end: number): boolean {
  let breaks = 0;
  for (let at = start; at < end && isSpace(text.charCodeAt(at)); at++) if (text.charAt(at) === "\n") breaks++;
  return breaks > 1;
}

/** Whether a UTF-16 code unit is white space, exactly as `\s` defines it. */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit < 0x2000) return unit === 0xa0 || unit === 0x1680;
  return (
    unit <= 0x200a ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

function block(kind: BlockKind, line: Line): Block {
  return { kind, level: 0, start: line.start, end: line.end };
}

/** Yields every line, trimmed. Blank lines are included (start = end), because they end paragraphs. */
function* lines(text: string): Generator<Line> {
  const breaks = /\r\n|[\n\r\v\f\u2028\u2029]/g;
  let from = 0;
  while (from < text.length) {
    breaks.lastIndex = from;
    const match = breaks.exec(text);
    const end = match?.index ?? text.length;
    yield { ...trimSpan(text, from, end), head: text.slice(from, Math.min(end, from + headUnits)).trimEnd() };
    from = match === null ? text.length : breaks.lastIndex;
  }
}

function classify(line: Line, open: "none" | "paragraph" | "item") {
  const { head } = line;
  if (line.start === line.end) return "blank";
  const mark = head.trimStart();
  if (line.end - line.start < headUnits) {
    if (/^ {0,3}#{1,6}(?:[ \t]|$)/.test(head)) return "heading";
    if (/^ {0,3}(?:[-*_=~+.·•—–] ?){3,}$/.test(head)) return "rule";
    if (/^[\s:|+-]{3,}$/.test(head) && /-/.test(head) && /[|+]/.test(head)) return "rule";
  }
  if (fenceMark(head) !== "") return "fence";
  if (mark.startsWith("|") || head.split(" | ", 3).length === 3) return "row";
  if (/^(?:[-*+•‣▪◦·–]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S/.test(mark)) {
    // A wrapped line of prose may begin with a number ("1914. The …"), so a number opens an item only outside
    // of paragraphs, unless it is 1 or "a".
    if (open !== "paragraph" || /^(?:[-*+•‣▪◦·]|\(?[1a][.)])/.test(mark)) return "item";
  }
  return "prose";
}

function atxLevel(head: string): number {
  return /#+/.exec(head)?.[0].length ?? 1;
}

function setextLevel(title: Line, line: Line): number {
  if (title.end - title.start > 120 || /[.;,:]$/.test(title.head)) return 0;
  if (/^ {0,3}={2,}$/.test(line.head)) return 1;
  return /^ {0,3}-{2,}$/.test(line.head) ? 2 : 0;
}

/** The back-ticks or tildes that open a code fence, or the empty string. */
function fenceMark(head: string): string {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(head)?.[1] ?? "";
  // "```inline```" is a code span, not a fence.
  return mark.startsWith("`") && head.trimStart().slice(mark.length).includes("`") ? "" : mark;
}

function closesFence(line: Line, fence: string): boolean {
  const mark = fenceMark(line.head);
  return mark.startsWith(fence) && line.head.trimStart().length === mark.length;
}

/** The end of YAML front matter at the start of the text; 0 without front matter. */
function frontMatterEnd(text: string): number {
  if (!/^---[ \t]*[\r\n]/.test(text.slice(0, 20))) return 0;
  let count = 0;
  for (const line of lines(text)) {
    if (count > 0 && /^(?:---|\.\.\.)$/.test(line.head)) return line.end;
    if (++count > frontMatterLines) return 0;
  }
  return 0;
}

function* proseBlocks(run: readonly Line[], kind: "paragraph" | "item"): Generator<Block> {
  const width = run.reduce((most, line) => Math.max(most, line.end - line.start), 0);
  let first = run[0];
  let last = first;
  for (const line of run.slice(1)) {
    if (
      first !== undefined &&
      last !== undefined &&
      kind === "paragraph" &&
      isIntendedBreak(last, line, width)
    ) {
      yield { kind, level: 0, start: first.start, end: last.end };
      first = line;
    }
    last = line;
  }
  if (first !== undefined && last !== undefined) yield { kind, level: 0, start: first.start, end: last.end };
}

function isIntendedBreak(line: Line, next: Line, width: number): boolean {
  if (width > wrapUnits.max) return true;
  const opening = next.head.trimStart();
  if (/^\p{Ll}/u.test(opening)) return false;
  if (width < wrapUnits.min) return true;
  const firstWord = opening.search(/\s/);
  const needed = line.end - line.start + 1 + (firstWord === -1 ? opening.length : firstWord);
  // Hand-wrapped lines are ragged, so only a line that ends well before the margin was ended on purpose.
  return needed <= width * 0.75;
}
