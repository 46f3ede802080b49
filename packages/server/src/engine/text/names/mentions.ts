/** Finds the names in a text: capitalized runs, quoted titles, and parts and joins of both. */

import type { Mention, Sentence } from "../../../domain/graph.ts";
import { isReferable, type Lexicon } from "./lexicon.ts";
import { connectors, functionWords, looseConnectors, ranks } from "./name-words.ts";
import { normalizeName } from "./normal-form.ts";
import { findQuotes } from "./quotes.ts";
import { findRuns, type Run } from "./runs.ts";
import { type Token, tokenize } from "./tokens.ts";

/** The maximum number of runs joined over commas or loose connectors. */
const joinedRuns = 4;
/** For a run with more words, only parts at its start or end are produced. */
const maxWordsForAllParts = 6;
/** A sentence with more mentions is a table or hostile input. */
const mentionsPerSentence = 400;

/**
 * The names in a text, by sentence and start. `text` and `sentences` share their offsets; `lexicon` must be
 * that of the whole document. Names joined by connecting words of several languages, numbers and initials are
 * one mention. Parts of names, and names joined over a comma, a possessive or a loose connector ("A and B",
 * "A in B"), are variants. A word that begins or ends a longer name before it (or the only such name of the
 * document) is resolved to that name, and is itself a variant. Not names: function words, days, single
 * letters, addresses, and a sentence's first word if the document writes it in lower case elsewhere. Texts in
 * scripts without case, or in lower case throughout, give only their quoted titles and Latin runs. Linear in
 * the length of the text.
 */
export function findMentions(
  text: string,
  sentences: readonly Sentence[],
  { lexicon }: { readonly lexicon: Lexicon },
): readonly Mention[] {
  const recent = new Map<string, string>();
  return sentences.flatMap((sentence, index) => {
    const collected = collectSentence({ text, sentence, index, lexicon, recent });
    return collected.length > mentionsPerSentence ? collected.slice(0, mentionsPerSentence) : collected;
  });
}

interface SentenceContext {
  readonly text: string;
  readonly sentence: Sentence;
  readonly index: number;
  readonly lexicon: Lexicon;
  /** The most recent longer name, by its first and last word. */
  readonly recent: Map<string, string>;
}

function collectSentence({ text, sentence, index, lexicon, recent }: SentenceContext): readonly Mention[] {
  const tokens = tokenize(text, sentence);
  const runs = findRuns(tokens, lexicon);
  const mentions = new Map<string, Mention>();
  const add = (
    start: number,
    end: number,
    options: { readonly isVariant: boolean; readonly name?: string },
  ) => {
    const name = options.name ?? normalizeName(text.slice(start, end));
    if (name === "" || name.length > 200) return;
    const key = `${start}:${end}:${name}`;
    const known = mentions.get(key);
    if (known !== undefined && (!known.isVariant || options.isVariant)) return;
    mentions.set(key, { name, start, end, sentence: index, isVariant: options.isVariant });
  };
  const addTokens = (first: number, last: number, isVariant: boolean) => {
    const [from, to] = [tokens[first], tokens[last]];
    if (from !== undefined && to !== undefined) add(from.start, to.end, { isVariant });
  };
  for (const run of runs) {
    const longer = longerName(tokens, run, { recent, lexicon });
    const [from, to] = [tokens[run.first], tokens[run.last]];
    if (longer !== null && from !== undefined && to !== undefined)
      add(from.start, to.end, { isVariant: false, name: longer });
    addTokens(run.first, run.last, longer !== null);
    rememberLongerName(text, tokens, run, recent);
    for (const [first, last] of partsOf(tokens, run)) addTokens(first, last, true);
  }
  for (const [first, last] of joins(tokens, runs)) addTokens(first, last, true);
  for (const quote of findQuotes(text, tokens)) add(quote.start, quote.end, { isVariant: !quote.isTitle });
  return [...mentions.values()].sort(
    (a, b) => a.start - b.start || b.end - a.end || (a.name < b.name ? -1 : 1),
  );
}

/** The longer name to which a run of one word, or of a rank and one word, refers. */
function longerName(
  tokens: readonly Token[],
  { first, last }: Run,
  { recent, lexicon }: Pick<SentenceContext, "recent" | "lexicon">,
): string | null {
  const isRanked = last === first + 1 && ranks.has(tokens[first]?.lower ?? "");
  const token = tokens[last];
  if (token === undefined || (first !== last && !isRanked) || !isReferable(token)) return null;
  return recent.get(token.lower) ?? lexicon.findLongerName(token.lower);
}

function rememberLongerName(
  text: string,
  tokens: readonly Token[],
  run: Run,
  recent: Map<string, string>,
): void {
  const [from, to] = [tokens[run.first], tokens[run.last]];
  if (from === undefined || to === undefined || run.first === run.last) return;
  if (run.last === run.first + 1 && ranks.has(from.lower)) return;
  const name = normalizeName(text.slice(from.start, to.end));
  if (isReferable(from)) recent.set(from.lower, name);
  if (isReferable(to)) recent.set(to.lower, name);
}

/** Parts of a run that may be names themselves, as token indexes. */
function* partsOf(
  tokens: readonly Token[],
  { first, last, lead }: Run,
): Generator<readonly [number, number]> {
  if (lead < first && !/^(?:the|an?)$/.test(tokens[lead]?.lower ?? "")) yield [lead, last];
  const starts: number[] = [];
  for (let place = first; place <= last; place++)
    if (place === first || isPartEnd(tokens[place])) starts.push(place);
  const isLong = starts.length > maxWordsForAllParts;
  for (const from of starts) {
    for (const to of starts) {
      if (to <= from || (from === first && to === last)) continue;
      if (!isLong || from === first || to === last) yield [from, to];
    }
  }
  for (let place = first + 1; place <= last; place++) {
    const before = tokens[place - 1];
    const opensPart =
      isConnecting(before) || (place === first + 1 && place === last && ranks.has(before?.lower ?? ""));
    const endsPart = place === last || isConnecting(tokens[place + 1]);
    if (opensPart && endsPart && tokens[place]?.kind === "name") yield [place, place];
  }
}

function isPartEnd(token: Token | undefined): boolean {
  return (
    token?.kind === "name" &&
    token.lower.length > 1 &&
    !connectors.has(token.lower) &&
    !functionWords.has(token.lower)
  );
}

function isConnecting(token: Token | undefined): boolean {
  return (
    token !== undefined && (token.kind === "lower" || token.text === "&" || functionWords.has(token.lower))
  );
}

/** Adjacent runs joined over a comma, a possessive, a slash, a colon or one or two loose connectors. */
function* joins(tokens: readonly Token[], runs: readonly Run[]): Generator<readonly [number, number]> {
  for (const [index, run] of runs.entries()) {
    let last = run.last;
    for (const next of runs.slice(index + 1, index + joinedRuns)) {
      if (!isJoint(tokens, last, next.lead)) break;
      last = next.last;
      yield [run.first, last];
      if (run.lead < run.first) yield [run.lead, last];
    }
  }
}

function isJoint(tokens: readonly Token[], from: number, to: number): boolean {
  const between = tokens.slice(from + 1, Math.min(to, from + 5));
  if (to - from > 4 || between.some((token) => !token.isAdjacent) || tokens[to]?.isAdjacent !== true)
    return false;
  if (between.length === 0) return tokens[from]?.isPossessive === true;
  if (between.length === 1 && between[0]?.kind === "mark") return /[,'’/:–&+-]/.test(between[0].text);
  return between.every(
    (token) => token.kind === "lower" && (looseConnectors.has(token.lower) || connectors.has(token.lower)),
  );
}
