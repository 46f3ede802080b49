/** Finds a passage of a document's text among the pieces of text of a page, which has other spaces, line ends and marks. */

/** A part of a piece of text, in UTF-16 code units; `end` is exclusive. */
export interface PiecePart {
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

/** Of letters and digits. Shorter parts of a passage could be anywhere. */
const MIN_LENGTH = 8;
/** Where a sentence goes on from the page before, or on the next one, its beginning or end is looked for. */
const END_LENGTH = 32;
const SENTENCE_ENDS = /[.!?](?=\s)|[。！？\n|]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** The parts of the pieces that the sentences of the passage take up, in the order of the page; empty where none is found. */
export function findOnPage(passage: string, pieces: readonly string[]): readonly PiecePart[] {
  const page = lettersOf(pieces);
  const taken = new Set<number>();
  for (const sentence of passage.split(SENTENCE_ENDS)) {
    const { text } = lettersOf([sentence]);
    for (const [start, end] of placesOf(text, page.text)) for (let at = start; at < end; at++) taken.add(at);
  }
  const parts: PiecePart[] = [];
  for (const [at, { piece, offset }] of page.places.entries()) {
    if (!taken.has(at)) continue;
    const last = parts.at(-1);
    if (last?.piece === piece && taken.has(at - 1)) parts[parts.length - 1] = { ...last, end: offset + 1 };
    else parts.push({ piece, start: offset, end: offset + 1 });
  }
  return parts;
}

function placesOf(wanted: string, page: string): readonly (readonly [start: number, end: number])[] {
  if (wanted.length < MIN_LENGTH) return [];
  const whole = page.indexOf(wanted);
  if (whole >= 0) return [[whole, whole + wanted.length]];
  if (wanted.length < END_LENGTH) return [];
  const begin = page.indexOf(wanted.slice(0, END_LENGTH));
  const end = page.indexOf(wanted.slice(-END_LENGTH));
  return [
    ...(begin < 0 ? [] : [[begin, begin + END_LENGTH] as const]),
    ...(end < 0 ? [] : [[end, end + END_LENGTH] as const]),
  ];
}

/** Letters and digits in small letters, each with its place. */
function lettersOf(pieces: readonly string[]) {
  const places: { readonly piece: number; readonly offset: number }[] = [];
  let text = "";
  for (const [piece, given] of pieces.entries()) {
    for (let offset = 0; offset < given.length; offset++) {
      // A ligature is two letters, and one place on the page.
      for (const letter of (given[offset] ?? "").normalize("NFKC").toLowerCase()) {
        if (!LETTER.test(letter)) continue;
        text += letter;
        places.push({ piece, offset });
      }
    }
  }
  return { text, places };
}
