/** Derives shorter forms of a person's full name from the opening of a text. */

import type { TermRange } from "./defined-term.ts";
import { connectors, ranks } from "./name-words.ts";
import { normalizeName } from "./normal-form.ts";
import type { Token } from "./tokens.ts";

const suffixes = /^(?:jr|sr|i{1,3}|iv|v)$/;
const nickQuotes = /["“”'‘’()]/;
const lifeTokens = 40;

/**
 * Forms of the name at `range`: without rank, honours ("CBE") and "Jr."; the first or second word with the
 * last; a quoted nickname or the rank with the last word. Only if the text indicates a person: by a quoted
 * nickname, or by a parenthesis with "born" or years after the name. Empty for other names.
 */
export function personNames(tokens: readonly Token[], range: TermRange): readonly string[] {
  const inside = tokens.slice(range.first, range.last + 1);
  if (inside.some((token) => token.kind === "lower" && !connectors.has(token.lower))) return [];
  const nickname = quotedWord(inside);
  const words = inside.filter((token) => token.kind !== "mark" && token !== nickname);
  const isRanked = ranks.has(words[0]?.lower ?? "") && words.length > 2;
  if (nickname === undefined && !hasLifeDates(tokens, range.last + 1)) return [];
  // "The Great Northern War (1700–1721)": names of people have no article.
  if (/^(?:the|an?)$/.test(tokens[range.first - 1]?.lower ?? "")) return [];
  const bare = withoutHonours(isRanked ? words.slice(1) : words);
  const [first, last] = [bare[0], bare.at(-1)];
  if (first === undefined || last === undefined || bare.length < 2) return [];
  const forms = [
    bare,
    [first, last],
    ...(bare.length > 2 ? [bare.slice(-2), [bare[1] ?? first, last]] : []),
    ...(nickname === undefined ? [] : [[nickname, last]]),
    ...(isRanked && words[0] !== undefined ? [[words[0], last]] : []),
  ];
  return forms.map((form) => normalizeName(form.map((token) => token.text).join(" ")));
}

function quotedWord(inside: readonly Token[]): Token | undefined {
  return inside.find((token, place) => {
    const [before, after] = [inside[place - 1], inside[place + 1]];
    return token.kind === "name" && isQuote(before) && isQuote(after);
  });
}

function isQuote(token: Token | undefined): boolean {
  return token?.kind === "mark" && nickQuotes.test(token.text);
}

function withoutHonours(words: readonly Token[]): readonly Token[] {
  let count = words.length;
  while (count > 2) {
    const word = words[count - 1];
    const isHonour = word !== undefined && /^\p{Lu}{2,4}$/u.test(word.text);
    if (word === undefined || (!isHonour && !suffixes.test(word.lower))) break;
    count--;
  }
  return words.slice(0, count);
}

/** Whether a parenthesis with dates of life or a birth name follows. */
function hasLifeDates(tokens: readonly Token[], place: number): boolean {
  const open = tokens[place]?.text === "," ? place + 1 : place;
  if (tokens[open]?.text !== "(") return false;
  const inside = tokens.slice(open + 1, open + lifeTokens);
  const close = inside.findIndex((token) => token.text === ")");
  const life = inside.slice(0, close < 0 ? inside.length : close);
  const years = life.filter((token) => /^[12]\d{3}$/.test(token.lower));
  return life.some((token) => /^(?:born|née|nee|né)$/.test(token.lower)) || years.length > 1;
}
