/** Finds the term that a sentence defines: the words before "is", a parenthesis or a comma. */

import { calendarWords, connectors, functionWords, looseConnectors, openers } from "./name-words.ts";
import type { Token } from "./tokens.ts";

/** Indexes of the first and last token. */
export interface TermRange {
  readonly first: number;
  readonly last: number;
}

const termTokens = 12;
const phraseTokens = 24;
const plainTermTokens = 8;
const copulas = new Set(["is", "was", "are", "were", "refers", "consists", "denotes", "describes", "means"]);
const verbs = new Set(
  [
    "has had have can could may might will would shall did does began became won made took went came said says wrote",
    "left led held ran grew saw got gave found built met fell rose lost sold bought spent broke drew fought includes",
    "contains provides serves features concerns belongs begins stands lies lives runs allows uses makes takes",
  ].flatMap((list) => list.split(" ")),
);
const pronouns = new Set([
  ..."it he she they we you i this that these those there here his her its their our my when while after".split(
    " ",
  ),
  ..."before during since until although though as because if what who how why where which such one some".split(
    " ",
  ),
  ..."many most".split(" "),
]);
const prepositions = new Set(
  "in on at by for from with under over between within near of to since until".split(" "),
);
const definers = new Set(["a", "an", "the", "one", "any", "when", "where"]);

/**
 * The defined term without its article; null if the sentence does not begin with one. After an opening phrase
 * ("In 1973, …", "Built by Smith, …"), the text after its comma is examined. Reads only the first few dozen
 * tokens.
 */
export function definedTerm(tokens: readonly Token[]): TermRange | null {
  const opener = tokens.findIndex((token) => token.kind !== "mark");
  const found = termFrom(tokens, opener);
  if (found !== null || !opensPhrase(tokens[opener], tokens[opener + 1])) return found;
  const comma = tokens.slice(0, phraseTokens).findIndex((token) => token.text === ",");
  return comma < 0 ? null : termFrom(tokens, comma + 1);
}

function opensPhrase(token: Token | undefined, next: Token | undefined): boolean {
  if (token === undefined) return false;
  return (
    prepositions.has(token.lower) || (/(?:ed|ing)$/.test(token.lower) && prepositions.has(next?.lower ?? ""))
  );
}

function termFrom(tokens: readonly Token[], place: number): TermRange | null {
  let first = place;
  const opener = tokens[first];
  if (opener === undefined) return null;
  const isTitled = tokens[first + 1]?.kind === "name";
  // "How It Works is …" begins with a title, "How they work is …" does not.
  if (pronouns.has(opener.lower) && (!isTitled || opener.kind !== "name")) return null;
  if (/^(?:the|an?)$/.test(opener.lower)) first++;
  let end = first;
  while (end < tokens.length && end - first <= termTokens && !endsTerm(tokens, end)) end++;
  if (end - first > termTokens) end = subtitleStart(tokens, first, end);
  const ending = tokens[end];
  let last = end - 1;
  while (last > first && tokens[last]?.kind === "mark") last--;
  if (ending === undefined || last < first || last - first >= termTokens) return null;
  const isWeak = opensPhrase(opener, tokens[place + 1]) || pronouns.has(opener.lower);
  if (isWeak && !((copulas.has(ending.lower) || ending.text === "(") && isTitled)) return null;
  return isTerm(tokens, { first, last, end }) ? { first, last } : null;
}

/** The index of the colon before a subtitle that is too long for a term. */
function subtitleStart(tokens: readonly Token[], first: number, end: number): number {
  const colon = tokens.slice(first, end).findIndex((token) => token.text === ":");
  return colon < 1 ? end : first + colon;
}

/** "Robert (Bob) Miller" */
function isNicknameParenthesis(tokens: readonly Token[], place: number): boolean {
  return (
    tokens[place + 1]?.kind === "name" &&
    tokens[place + 2]?.text === ")" &&
    tokens[place + 3]?.kind === "name"
  );
}

function endsTerm(tokens: readonly Token[], place: number): boolean {
  const [token, next] = [tokens[place], tokens[place + 1]];
  if (token === undefined) return true;
  // "The city's largest park is" is about the city; "Bob's Burgers is" is a name.
  if (tokens[place - 1]?.isPossessive === true && token.kind === "lower") return true;
  if (token.text === ":") return next?.kind !== "name";
  if (/^[–—]$/.test(token.text)) return next?.start !== token.end || tokens[place - 1]?.end !== token.start;
  if (token.text === "(" && isNicknameParenthesis(tokens, place)) return false;
  if (token.kind === "mark") return /[,(;[{]/.test(token.text);
  return (
    token.kind === "lower" && (copulas.has(token.lower) || token.lower === "or" || isVerb(tokens, place))
  );
}

/** A common verb, or a word that may be a past tense after a name. */
function isVerb(tokens: readonly Token[], place: number): boolean {
  const { lower } = tokens[place] ?? { lower: "" };
  return verbs.has(lower) || (lower.length > 4 && lower.endsWith("ed") && tokens[place - 1]?.kind !== "mark");
}

interface EndedRange extends TermRange {
  readonly end: number;
}

function isTerm(tokens: readonly Token[], { first, last, end }: EndedRange): boolean {
  const inside = tokens.slice(first, last + 1);
  const ending = tokens[end];
  const isDefinition = ending !== undefined && copulas.has(ending.lower);
  if (inside.every(isEmptyWord) || inside.some((token) => token.kind === "address")) return false;
  const hasName = inside.some((token) => token.kind === "name" && !calendarWords.has(token.lower));
  if (!hasName) {
    const isDefined = definers.has(tokens[end + 1]?.lower ?? "") || ending?.lower === "refers";
    const isShort = inside.length <= plainTermTokens;
    return (
      isShort &&
      ((isDefinition && isDefined) || (ending?.text === "(" && inside.length <= 3) || hasCaseless(inside))
    );
  }
  const plain = inside.filter(isPlainWord);
  if (plain.length === 0) return inside.length > 1 || !openers.has(inside[0]?.lower ?? "") || isDefinition;
  return isMarked(tokens, { first, last, end }) && inside.length <= plainTermTokens;
}

/** Whether the following token shows that preceding words in lower case belong to the term. */
function isMarked(tokens: readonly Token[], { last, end }: EndedRange): boolean {
  const ending = tokens[end];
  if (ending === undefined) return false;
  if (ending.text === "(" || ending.lower === "or" || tokens[last]?.isPossessive === true) return true;
  return copulas.has(ending.lower) || isVerb(tokens, end) || isApposed(tokens, end);
}

/** "…, also known as", "…, a kind of": the text after the comma refers to the words before it. */
function isApposed(tokens: readonly Token[], comma: number): boolean {
  const next = tokens[comma + 1]?.lower ?? "";
  return (
    tokens[comma]?.text === "," &&
    /^(?:also|commonly|known|called|formerly|often|sometimes|better|an?|or)$/.test(next)
  );
}

function isEmptyWord(token: Token): boolean {
  return functionWords.has(token.lower) || calendarWords.has(token.lower) || token.kind === "mark";
}

function isPlainWord(token: Token): boolean {
  return token.kind === "lower" && !connectors.has(token.lower) && !looseConnectors.has(token.lower);
}

function hasCaseless(inside: readonly Token[]): boolean {
  return inside.some((token) => token.kind === "caseless");
}
