/** Finds the sentences of the passages that support each sentence of a summary. */
import { contentWords } from "./question-words.ts";

/** A sentence in the text of a passage; `end` is exclusive. */
export interface CitedPlace {
  /** Position in the list of chunks, from 0. */
  readonly chunk: number;
  readonly start: number;
  readonly end: number;
}

export interface CitedPart {
  readonly text: string;
  /** Empty when no chunk supports the text. */
  readonly places: readonly CitedPlace[];
  /** It is the cells of a row of a table, without the names of its columns. */
  readonly isBareRow?: true;
}

const citation = /(?:\[\d+(?:\s*,\s*\d+)*\]\s*)+/g;
/** Of a sentence that no chunk has literally, this share of its words must be in the sentence that it is compared with. */
const minShare = 0.6;
/** A shorter part of a cell stands in many others. */
const MIN_PART_UNITS = 20;

/**
 * Splits a summary into sentences with the places that support them. A language model writes citations as numbers in brackets,
 * `[1]` or `[1, 3]`; numbers that refer to no chunk stay in the text. A summary without them consists of sentences of the chunks.
 */
export function citedParts(
  summary: string,
  chunks: readonly { readonly text: string }[],
): readonly CitedPart[] {
  const texts = chunks.map(({ text }) => readText(text));
  const numbered = numberedParts(summary, texts);
  if (numbered.some((part) => part.places.length > 0)) return numbered;
  const rows = texts.flatMap(({ text }, chunk) => rowsOf(text, chunk));
  return (summary.match(/[^\n]*\n|[^\n]+/g) ?? []).flatMap((line) => {
    const row = literalPlace(line, texts) === null ? rowPlace(line.trim(), rows) : null;
    if (row !== null) {
      const { cells, ...place } = row;
      const isBare = cells.length > 1 && cells.join("; ") === line.trim();
      return [{ text: line, places: [place], ...(isBare && { isBareRow: true as const }) }];
    }
    return sentencesOf(line).map(({ segment: text }) => {
      const place = literalPlace(text, texts) ?? nearestPlace(text, texts, minShare);
      return { text, places: place === null ? [] : [place] };
    });
  });
}

function numberedParts(summary: string, texts: readonly PassageText[]): readonly CitedPart[] {
  const parts: CitedPart[] = [];
  let from = 0;
  for (const match of summary.matchAll(citation)) {
    const numbers = new Set((match[0].match(/\d+/g) ?? []).map((digits) => Number(digits) - 1));
    if ([...numbers].some((number) => number < 0 || number >= texts.length)) continue;
    const text = summary.slice(from, match.index).trimEnd();
    parts.push({ text, places: [...numbers].flatMap((number) => placeIn(text, texts, number)) });
    from = match.index + match[0].trimEnd().length;
  }
  if (from < summary.length) parts.push({ text: summary.slice(from), places: [] });
  return parts;
}

/** The sentence of a cited chunk that is nearest to the text. */
function placeIn(text: string, texts: readonly PassageText[], number: number): readonly CitedPlace[] {
  const cited = texts[number];
  if (cited === undefined) return [];
  const place = literalPlace(text, [cited]) ?? nearestPlace(text, [cited], 0);
  return [{ chunk: number, start: place?.start ?? 0, end: place?.end ?? cited.text.length }];
}

interface PassageText {
  readonly text: string;
  /** With one blank for each run of blanks: a summary and a chunk may have their line breaks at different places. */
  readonly squeezed: string;
  /** For each character of `squeezed` its position in `text`. */
  readonly positions: readonly number[];
}

function readText(text: string): PassageText {
  let squeezed = "";
  const positions: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const isBlank = /\s/.test(character);
    if (isBlank && (squeezed === "" || squeezed.endsWith(" "))) continue;
    squeezed += isBlank ? " " : character;
    positions.push(at);
  }
  return { text, squeezed, positions };
}

function literalPlace(sentence: string, texts: readonly PassageText[]): CitedPlace | null {
  const wanted = readText(sentence.trim()).squeezed;
  if (wanted === "") return null;
  for (const [chunk, { squeezed, positions }] of texts.entries()) {
    const at = squeezed.indexOf(wanted);
    const [start, last] = [positions[at], positions[at + wanted.length - 1]];
    if (start !== undefined && last !== undefined) return { chunk, start, end: last + 1 };
  }
  return null;
}

interface Row extends CitedPlace {
  readonly cells: readonly string[];
}

function rowsOf(text: string, chunk: number): readonly Row[] {
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) => {
    const start = index + line.length - line.trimStart().length;
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    const filled = cells.filter((cell) => cell !== "");
    return cells.length < 3 || filled.length === 0
      ? []
      : [{ chunk, start, end: index + line.trimEnd().length, cells: filled }];
  });
}

/**
 * A row is quoted with the names of its columns, "| Tern | 9 crowns |" as "Boat: Tern; Fare: 9 crowns", or a long one in parts, with an ellipsis where it goes on. Of several, the
 * one of which most is in the line.
 */
function rowPlace(line: string, rows: readonly Row[]): Row | null {
  const isCut = { before: line.startsWith("…"), after: line.endsWith("…") };
  const whole = line.replace(/^…|…$/g, "");
  let best: Row | null = null;
  let most = 0;
  for (const row of rows) {
    const units = Math.max(unitsSaid(line, row.cells, NOT_CUT), unitsSaid(whole, row.cells, isCut));
    if (units <= most) continue;
    best = row;
    most = units;
  }
  return best;
}

interface IsCut {
  readonly before: boolean;
  readonly after: boolean;
}

const NOT_CUT: IsCut = { before: false, after: false };

/** How much of the line is cells of the row in their order, each alone or after a name, or a label and its value; 0 where other words are in it. */
function unitsSaid(line: string, cells: readonly string[], isCut: IsCut): number {
  const [label = "", value = ""] = cells;
  const isPair = cells.length === 2 && [`${label}: ${value}`, `${label} ${value}`].includes(line);
  if (isPair) return label.length + value.length;
  const units = cells.map((cell, first) => {
    const at = first === 0 ? 0 : isCut.before ? placeOfCell(line, cell, 0) : null;
    // Nothing but a name stands before the first cell of a part.
    const isFirst = at !== null && !line.slice(0, at).includes("; ");
    return isFirst ? unitsFrom(line, cells.slice(first), isCut) : 0;
  });
  return Math.max(0, ...units, isCut.before || isCut.after ? unitsWithin(line, cells) : 0);
}

function unitsFrom(line: string, cells: readonly string[], isCut: IsCut): number {
  let from = 0;
  let units = 0;
  for (const cell of cells) {
    if (from === line.length && isCut.after) break;
    const at = placeOfCell(line, cell, from);
    if (at === null) return 0;
    from = at + cell.length;
    units += cell.length;
  }
  return from === line.length ? units : 0;
}

/** Of a part of one long cell. */
function unitsWithin(line: string, cells: readonly string[]): number {
  const starts = [0, ...Array.from(line.matchAll(/: /g), ({ index }) => index + 2)];
  const start = starts.find(
    (at) => line.length - at >= MIN_PART_UNITS && cells.some((cell) => cell.includes(line.slice(at))),
  );
  return start === undefined ? 0 : line.length - start;
}

function placeOfCell(line: string, cell: string, from: number): number | null {
  for (let at = line.indexOf(cell, from); at >= 0; at = line.indexOf(cell, at + 1)) {
    const end = at + cell.length;
    const begins = at === 0 || /[:;] $/.test(line.slice(Math.max(0, at - 2), at));
    if (begins && (end === line.length || line.startsWith("; ", end))) return at;
  }
  return null;
}

/** The sentence with the largest share of the text's words; null where all have less than `least`, or none. */
function nearestPlace(text: string, texts: readonly PassageText[], least: number): CitedPlace | null {
  const words = contentWords(text);
  let best: CitedPlace | null = null;
  let bestShare = 0;
  for (const [chunk, passage] of texts.entries()) {
    for (const { segment, index } of sentencesOf(passage.text)) {
      const own = new Set(contentWords(segment));
      const share = words.filter((word) => own.has(word)).length / Math.max(1, words.length);
      if (share <= bestShare || share < least) continue;
      const start = index + segment.length - segment.trimStart().length;
      best = { chunk, start, end: index + segment.trimEnd().length };
      bestShare = share;
    }
  }
  return best;
}

/** The stop of an initial or a title, which ends no sentence: "L.Q. Jones", "Mr. Thorne". */
const NO_END = /[^\p{L}\p{N}](?:\p{Lu}|Mrs?|Ms|Dr|St|Prof|Jr|Sr|Rev|Gen|Col|Capt|Lt|Sgt|Messrs|Mme|Mlle)\.$/u;

/** Sentences, which a line break also ends. */
export function sentencesOf(text: string): readonly { readonly segment: string; readonly index: number }[] {
  const found: { segment: string; index: number }[] = [];
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const last = found.at(-1);
    if (last !== undefined && NO_END.test(` ${last.segment.trimEnd()}`) && !last.segment.endsWith("\n"))
      last.segment += segment;
    else found.push({ segment, index });
  }
  return found;
}
