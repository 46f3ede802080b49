/** WordPiece tokenizer for the uncased English vocabulary: greedy longest match first, as in BERT (Devlin et al. 2019). */
import {
  type BertCharacter,
  type CharacterKind,
  characterKind,
  classifyCharacter,
} from "./bert-characters.ts";

/**
 * Splits texts into tokens. Memory does not grow with the number of texts. Time is linear in the length of a text, even
 * if it contains no space.
 *
 * Names of special tokens such as "[SEP]" in a text are read as ordinary characters, so a text cannot forge a boundary.
 */
export interface Tokenizer {
  /** At most `limit` token ids, without [CLS] and [SEP]. Does not read the text after the last one. */
  encode(text: string, limit?: number): number[];
  /** `encode(text, limit)` with the offsets of the word to which each token belongs. */
  encodeWithOffsets(text: string, limit: number): TokensWithOffsets;
  /** `encode(text).length`, without the array. */
  countTokens(text: string): number;
}

/** Tokens with the offsets of their words in the text, in UTF-16 code units; `ends` are exclusive. */
export interface TokensWithOffsets {
  readonly ids: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export const specialTokens = { unknown: "[UNK]", start: "[CLS]", end: "[SEP]" } as const;

/** In code points. A longer word becomes a single [UNK]. */
const longestWord = 100;
/** These limits bound the word cache to about 5 MB. Longer words are rare and cheap to split again. */
const wordCacheLimit = 20_000;
const longestCachedWord = 32;
const characterCacheLimit = 4_096;
const continuation = "##";

/** A tokenizer for the vocabulary (token to id) of a BERT model. */
export function createTokenizer(vocabulary: ReadonlyMap<string, number>): Tokenizer {
  const splitWord = createWordSplitter(vocabulary);
  const classify = createCharacterCache();
  return {
    encode(text, limit = Number.POSITIVE_INFINITY) {
      const ids: number[] = [];
      if (limit <= 0) return ids;
      const visit = (tokens: readonly number[]) => {
        for (const token of tokens) if (ids.length < limit) ids.push(token);
        return ids.length < limit;
      };
      scanWords(text, { splitWord, classify, visit });
      return ids;
    },
    encodeWithOffsets(text, limit) {
      const result = { ids: [] as number[], starts: [] as number[], ends: [] as number[] };
      if (limit <= 0) return result;
      const visit = (tokens: readonly number[], start: number, end: number) => {
        for (const token of tokens) {
          if (result.ids.length >= limit) return false;
          result.ids.push(token);
          result.starts.push(start);
          result.ends.push(end);
        }
        return result.ids.length < limit;
      };
      scanWords(text, { splitWord, classify, visit });
      return result;
    },
    countTokens(text) {
      let count = 0;
      const visit = (tokens: readonly number[]) => {
        count += tokens.length;
        return true;
      };
      scanWords(text, { splitWord, classify, visit });
      return count;
    },
  };
}

interface Scan {
  readonly splitWord: (word: string) => readonly number[];
  readonly classify: (codePoint: number) => BertCharacter;
  /** Receives the tokens of a word and its offsets. Returns false to stop the scan. */
  readonly visit: (tokens: readonly number[], start: number, end: number) => boolean;
}

/** Kinds of ASCII characters by code, so that plain English needs no lookup in the character cache. */
const asciiKinds = Uint8Array.from(
  { length: 128 },
  (_, code) => classifyCharacter(String.fromCharCode(code)).kind,
);

function scanWords(text: string, scan: Scan): void {
  let at = 0;
  while (at >= 0 && at < text.length) {
    const kind = asciiKinds[text.charCodeAt(at)];
    if (kind === characterKind.space) at++;
    else if (kind === characterKind.standalone)
      at = scan.visit(scan.splitWord(text[at]!), at, at + 1) ? at + 1 : -1;
    else at = scanWord(text, at, scan);
  }
}

/**
 * Visits the word at `start`. A run of ASCII letters is a word when a space or a standalone character follows; other
 * words need normalisation. Returns the offset at which the scan continues, or -1 when the visitor stops it.
 */
function scanWord(text: string, start: number, scan: Scan): number {
  const { letter, space, standalone } = characterKind;
  let end = start;
  while (asciiKinds[text.charCodeAt(end)] === letter) end++;
  if (end === start) return scanNormalizedWord(text, start, scan);
  const next = end < text.length ? (asciiKinds[text.charCodeAt(end)] ?? kindAt(text, end, scan)) : space;
  if (next !== space && next !== standalone) return scanNormalizedWord(text, start, scan);
  const word = text.slice(start, Math.min(end, start + longestWord + 1));
  return scan.visit(scan.splitWord(word), start, end) ? end : -1;
}

function kindAt(text: string, at: number, scan: Scan): CharacterKind {
  return scan.classify(text.codePointAt(at)!).kind;
}

/**
 * Normalises the word at `start` character by character, up to the first space or standalone character. Visits the
 * standalone character too. Returns the same as `scanWord`.
 */
function scanNormalizedWord(text: string, start: number, scan: Scan): number {
  let word = "";
  let length = 0;
  let at = start;
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    const characterStart = at;
    at += codePoint > 0xffff ? 2 : 1;
    const { kind, form } = scan.classify(codePoint);
    if (kind === characterKind.dropped) continue;
    if (kind === characterKind.letter) {
      // One character more than the maximum is enough to detect that the word is too long.
      if (length <= longestWord) word += form;
      length++;
      continue;
    }
    if (word !== "" && !scan.visit(scan.splitWord(word), start, characterStart)) return -1;
    if (kind === characterKind.standalone && !scan.visit(scan.splitWord(form), characterStart, at)) return -1;
    return at;
  }
  return word !== "" && !scan.visit(scan.splitWord(word), start, at) ? -1 : at;
}

/** Splits one word of letters in any case, or one standalone character. Caches the result, because words repeat. */
function createWordSplitter(vocabulary: ReadonlyMap<string, number>): (word: string) => readonly number[] {
  const pieces = createPieceSplitter(vocabulary);
  const cache = new Map<string, readonly number[]>();
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const tokens = pieces(word.toLowerCase());
    if (word.length > longestCachedWord) return tokens;
    if (cache.size >= wordCacheLimit) cache.clear();
    // A slice as the key would keep its whole text in memory; a copy does not.
    cache.set(copyOf(word), tokens);
    return tokens;
  };
}

function createPieceSplitter(vocabulary: ReadonlyMap<string, number>): (word: string) => readonly number[] {
  const unknown = [requireId(vocabulary, specialTokens.unknown)] as const;
  // Removing the marker of continuation pieces once is cheaper than adding it to every candidate below.
  const continuationPieces = new Map<string, number>();
  for (const [piece, id] of vocabulary) {
    if (piece.startsWith(continuation)) continuationPieces.set(piece.slice(continuation.length), id);
  }
  const longestPiece = Math.max(...Array.from(vocabulary.keys(), (piece) => piece.length));
  return (word) => {
    if (word.length > longestWord && codePointCount(word) > longestWord) return unknown;
    const tokens: number[] = [];
    let start = 0;
    while (start < word.length) {
      const pieces = start === 0 ? vocabulary : continuationPieces;
      let end = Math.min(word.length, start + longestPiece);
      let id = pieces.get(word.slice(start, end));
      while (id === undefined && --end > start) id = pieces.get(word.slice(start, end));
      if (id === undefined) return unknown;
      tokens.push(id);
      start = end;
    }
    return tokens;
  };
}

function createCharacterCache(): (codePoint: number) => BertCharacter {
  const cache = new Map<number, BertCharacter>();
  return (codePoint) => {
    const known = cache.get(codePoint);
    if (known !== undefined) return known;
    const character = classifyCharacter(String.fromCodePoint(codePoint));
    if (cache.size >= characterCacheLimit) cache.clear();
    cache.set(codePoint, character);
    return character;
  };
}

/** @throws Error when the vocabulary lacks the token */
export function requireId(vocabulary: ReadonlyMap<string, number>, token: string): number {
  const id = vocabulary.get(token);
  if (id === undefined) throw new Error(`The vocabulary has no ${token}`);
  return id;
}

function codePointCount(word: string): number {
  let count = 0;
  for (const _ of word) count++;
  return count;
}

function copyOf(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}
