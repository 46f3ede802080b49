/** Finds statements that two names denote the same thing: "X, also known as Y", "X (born Y)", "X (XYZ)". */

import type { Mention, Span } from "../../../domain/graph.ts";
import { calendarWords } from "./name-words.ts";
import { normalizeName } from "./normal-form.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface Alias {
  /** The normal forms of the name and of its alias. */
  readonly name: string;
  readonly alias: string;
  /** The span of the alias. */
  readonly span: Span;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Words that introduce another name for the preceding name. */
const cues =
  words(`known called named nicknamed dubbed abbreviated styled stylized stylised spelled spelt rendered
  transliterated romanized aka a.k.a née nee né born alias codenamed renamed titled credited billed formerly originally
  previously acronym abbreviation`);
/**
 * As verbs, these may take a different person as object ("Smith called Jones"), so they need a word or mark
 * before them.
 */
const verbCues = words("called named nicknamed dubbed abbreviated styled renamed titled credited billed");
/** Words that may occur between a name and a cue, and between a cue and the alias. */
const fillers =
  words(`who which he she it they is was are were be been being and also better best formerly previously
  originally commonly generally officially popularly professionally sometimes often simply now then usually more
  most informally locally historically mononymously colloquially widely later earlier mainly mostly primarily
  frequently affectionately mononymously occasionally internationally legally variously just once as to or referred shortened
  abbreviated under by his her its their the a stage pen ring birth maiden full real name names names mononym nickname
  pseudonym acronym abbreviation initials initialism title in english latin french german short for simply today since`);
/** The maximum distance between the name and the alias. */
const reachTokens = 14;
/** The maximum length of a parenthesis after a name. */
const parenthesisTokens = 60;
/** The maximum number of aliases in a list: "also known as A, B or C". */
const listedAliases = 3;

/**
 * Aliases that `text` states for its mentions (same offsets), in order of the mentions; each pair once. Only
 * text directly after the name, including a parenthesis after it, is considered: parentheses with "born",
 * "née", "formerly" and similar words, abbreviations of the name in parentheses (or its long form after an
 * abbreviation), and "also known as", "better known as", "called". A maiden name of one word is combined with
 * the name's first words. Linear.
 */
export function findAliases(text: string, mentions: readonly Mention[]): readonly Alias[] {
  const longest = longestByStart(text, mentions);
  const found = new Map<string, Alias>();
  for (const mention of namedBefore(text, mentions)) {
    for (const { alias, span } of aliasesAfter(text, mention, longest)) {
      if (alias === "" || alias === mention.name) continue;
      const key = `${mention.name}\n${alias}`;
      if (!found.has(key)) found.set(key, { name: mention.name, alias, span });
    }
  }
  return [...found.values()];
}

/** For each start: the longest mention that is a single name, "Albert the Wise" but not "Albert and Anna". */
function longestByStart(text: string, mentions: readonly Mention[]): ReadonlyMap<number, Mention> {
  const longest = new Map<number, Mention>();
  for (const mention of mentions) {
    const known = longest.get(mention.start);
    const isOne = !mention.isVariant || !/[,/:]|\s(?:and|or)\s/.test(text.slice(mention.start, mention.end));
    const isLonger = known === undefined || known.end < mention.end;
    if (isOne && (isLonger || (known.end === mention.end && known.isVariant)))
      longest.set(mention.start, mention);
  }
  return longest;
}

/**
 * The mentions that an alias may follow: of those with the same end, the longest that is not a variant. If a
 * name with an apposition begins the sentence ("Albert III, Duke of Bavaria (…"), it replaces that mention,
 * together with the name before the comma.
 */
function namedBefore(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const named = new Map<number, Mention>();
  const openers = new Map<number, Mention>();
  const extended: Mention[] = [];
  for (const mention of mentions) {
    const opener = openers.get(mention.sentence);
    if (opener === undefined && !mention.isVariant) openers.set(mention.sentence, mention);
    const known = named.get(mention.end);
    if (!mention.isVariant && (known === undefined || known.start > mention.start))
      named.set(mention.end, mention);
  }
  for (const mention of mentions) {
    const opener = openers.get(mention.sentence);
    if (!mention.isVariant || opener?.start !== mention.start || mention.end <= opener.end) continue;
    if (
      !/^,\s/.test(text.slice(opener.end, opener.end + 2)) ||
      text.slice(opener.end + 1, mention.end).includes(",")
    )
      continue;
    extended.push(mention, { ...opener, end: mention.end });
    named.delete(mention.end);
  }
  return [...named.values(), ...extended].sort((a, b) => a.start - b.start || a.end - b.end);
}

interface AliasMatch {
  readonly alias: string;
  readonly span: Span;
}

const tailUnits = 500;

function* aliasesAfter(
  text: string,
  mention: Mention,
  longest: ReadonlyMap<number, Mention>,
): Generator<AliasMatch> {
  const limit = Math.min(text.length, mention.end + tailUnits);
  // Cheap rejection first: most names are followed by a verb or a preposition.
  if (!mayIntroduce(text, mention.end)) return;
  const tokens = tokenize(text, { start: mention.end, end: limit });
  let place = 0;
  if (tokens[0]?.text === "(") {
    const close = tokens.slice(0, parenthesisTokens).findIndex((token) => token.text === ")");
    if (close > 0) {
      yield* aliasesInside(tokens.slice(1, close), { text, mention, longest });
      place = close + 1;
    }
  }
  yield* aliasesInList(tokens, findIntroducedName(tokens, place, longest), { text, mention, longest });
}

const INTRODUCTION =
  /\s{0,3}(?:[,(–—-]|(?:also|better|formerly|previously|originally|known|née|nee|aka|or|who|which|is|was|are|were|alias)\s)/y;

function mayIntroduce(text: string, from: number): boolean {
  const pattern = new RegExp(INTRODUCTION);
  pattern.lastIndex = from;
  return pattern.test(text);
}

/** The index of the token that starts a name introduced by a cue from `place` on; −1 if there is none. */
function findIntroducedName(
  tokens: readonly Token[],
  place: number,
  longest: ReadonlyMap<number, Mention>,
): number {
  let hasCue = false;
  for (let at = place; at < Math.min(tokens.length, place + reachTokens); at++) {
    const token = tokens[at];
    if (token === undefined) return -1;
    if (hasCue && longest.has(token.start) && !calendarWords.has(token.lower)) return at;
    if (token.kind === "mark") {
      if (!/^[,("“‘':*_–—-]$/.test(token.text)) return -1;
    } else if (cues.has(token.lower) && (at > place || !verbCues.has(token.lower))) hasCue = true;
    else if (!fillers.has(token.lower) || (token.lower === "in" && tokens[at - 1]?.lower === "born"))
      return -1;
  }
  return -1;
}

interface ListContext {
  readonly text: string;
  readonly mention: Mention;
  readonly longest: ReadonlyMap<number, Mention>;
}

function* aliasesInList(
  tokens: readonly Token[],
  place: number,
  { text, mention, longest }: ListContext,
): Generator<AliasMatch> {
  let at = place;
  const isBirth = /^n[ée]e?$/.test(tokens[at - 1]?.lower ?? "");
  for (let count = 0; count < listedAliases && at >= 0; count++) {
    const start = tokens[at]?.start;
    const other = start === undefined ? undefined : longest.get(start);
    if (other === undefined) return;
    // Uses the text itself, because the mention's name may be a longer name that it refers to.
    const written = normalizeName(text.slice(other.start, other.end));
    yield {
      alias: isBirth ? birthName(mention.name, written) : written,
      span: { start: other.start, end: other.end },
    };
    let next = tokens.findIndex((token, index) => index > at && token.start >= other.end);
    while (next >= 0 && /^["”’']$/.test(tokens[next]?.text ?? "")) next++;
    at = next < 0 ? -1 : findNextInList(tokens, next, longest);
  }
}

/**
 * The index of the next name in a list: after "or", or after another cue ("known as A and nicknamed B"); else
 * −1.
 */
function findNextInList(
  tokens: readonly Token[],
  place: number,
  longest: ReadonlyMap<number, Mention>,
): number {
  let at = place;
  if (tokens[at]?.text === ",") at++;
  if (tokens[at]?.lower === "or" && longest.has(tokens[at + 1]?.start ?? -1)) return at + 1;
  return findIntroducedName(tokens, place, longest);
}

function birthName(name: string, maiden: string): string {
  return maiden.includes(" ") ? maiden : [...name.split(" ").slice(0, -1), maiden].join(" ");
}

/**
 * The aliases in a parenthesis: in each part the names after a cue, or the entire part if it is an
 * abbreviation.
 */
function* aliasesInside(tokens: readonly Token[], context: ListContext): Generator<AliasMatch> {
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && !(token.kind === "mark" && /[;,]/.test(token.text))) continue;
    const part = tokens.slice(from, at);
    const [first, last] = [part[0], part.at(-1)];
    from = at + 1;
    if (first === undefined || last === undefined) continue;
    yield* aliasesInList(part, findIntroducedName(part, 0, context.longest), context);
    const short = quotedName(part);
    if (short !== null) yield short;
    const name = normalizeName(part.map((inside) => inside.text).join(" "));
    if (
      part.length <= 8 &&
      part.every((inside) => inside.kind !== "mark") &&
      isAbbreviation(name, context.mention.name)
    )
      yield { alias: name, span: { start: first.start, end: last.end } };
  }
}

/**
 * `Calloway Ltd ("Calloway")`: a short form in quotation marks. `("the Supplier")` is a role within one text,
 * not a name.
 */
function quotedName(part: readonly Token[]): AliasMatch | null {
  const inside = part.slice(1, -1);
  const [open, first, close, last] = [part[0], inside[0], part.at(-1), inside.at(-1)];
  const isQuoted = /^["“]$/.test(open?.text ?? "") && /^["”]$/.test(close?.text ?? "");
  if (!isQuoted || first === undefined || last === undefined || inside.length > 4) return null;
  if (inside.some(({ kind }) => kind === "mark") || !/^\p{Lu}/u.test(first.text)) return null;
  if (/^(?:the|an?)$/.test(first.lower)) return null;
  const alias = normalizeName(inside.map(({ text }) => text).join(" "));
  return { alias, span: { start: first.start, end: last.end } };
}

const shortWords = words("of the and for in de la le du des von van y e & on to a an");

/**
 * Whether one of two names consists of the first letters of the other's words, with or without small words.
 */
export function isAbbreviation(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.includes(" ") || short.length < 2 || short.length > 10 || !long.includes(" ")) return false;
  const parts = long.split(" ");
  const initials = parts.map((word) => word[0] ?? "").join("");
  const strong = parts.filter((word) => !shortWords.has(word)).map((word) => word[0] ?? "");
  const name = strong.join("");
  // "Example Machines Corporation (EM)": abbreviations often omit the last word.
  return short === initials || short === name || (short.length > 1 && short === name.slice(0, -1));
}
