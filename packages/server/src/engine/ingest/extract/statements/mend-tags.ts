/** Mends tags that the small model gets wrong around names which it never saw: names of verbs, verbs that look like plurals. */

import { functionWords, openers } from "../../../text/names/name-words.ts";
import { findFirmNames } from "../mentions/firm-names.ts";
import { findOpeningTitle } from "../relations/opening-title.ts";
import { isCapitalised, isFormOfBe, type TaggedToken } from "./tagged-token.ts";

/** Names first, since what stands beside a name tells verbs. */
export function mendTags(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  return withVerb(withClauseVerbs(withTitle(withNames(withFirms(tokens)))));
}

/** What joins the names in a firm's name is part of it. */
function withFirms(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  const firms = findFirmNames(tokens);
  if (firms.length === 0) return tokens;
  const isOfFirm = (at: number) => firms.some(({ from, to }) => from <= at && at < to);
  return tokens.map((token, at) => (isOfFirm(at) ? { ...token, tag: "PROPN" } : token));
}

const isVerbTag = (token: TaggedToken | undefined) => token?.tag === "VERB" || token?.tag === "AUX";

/** "Lena Moor runs", "bought Ravel Marine": a verb written large beside another such word is a name where the sentence has a verb of its own. */
function withNames(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  const isOwnVerb = (token: TaggedToken) => isVerbTag(token) && !isCapitalised(token);
  if (!tokens.some(isOwnVerb)) return tokens;
  const isLarge = (at: number) => {
    const token = tokens[at];
    return token !== undefined && /^\p{Lu}\p{Ll}/u.test(token.text) && !functionWords.has(token.lower);
  };
  return tokens.map((token, at) => {
    const isMistaken = /^(?:VERB|AUX|X|INTJ)$/.test(token.tag) && isLarge(at);
    if (!isMistaken || !(at === 0 ? opensWithName(tokens) : isLarge(at - 1) || isLarge(at + 1))) return token;
    return { ...token, tag: "PROPN" };
  });
}

/** "Ravel Marine merged", "Rose Cottage, …", but not "Visit Paris" and "Built by X". */
function opensWithName(tokens: readonly TaggedToken[]): boolean {
  const [first, second] = tokens;
  if (first === undefined || second === undefined || !isCapitalised(second)) return false;
  if (openers.has(first.lower) || /(?:ed|ing)$/.test(first.lower)) return false;
  const at = tokens.findIndex((token, place) => place > 0 && !isCapitalised(token));
  const [next, after] = [tokens[at], tokens[at + 1]];
  if (next === undefined || isVerbTag(next)) return next !== undefined;
  return /^(?:,|and)$/.test(next.lower) && after !== undefined && isCapitalised(after);
}

/** "Dead Leaves is directed by X": in a title that opens a sentence nothing is a verb, and no mark ends the phrase. */
function withTitle(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  const title = findOpeningTitle(tokens);
  if (title === null || !/^(?:is|was)$/.test(tokens[title.to]?.lower ?? "")) return tokens;
  const isBroken = tokens.slice(title.from, title.to).some(({ tag }) => /^(?:VERB|AUX|PRON)$/.test(tag));
  if (!isBroken) return tokens;
  return tokens.map((token, at) =>
    at >= title.from && at < title.to && token.tag !== "PUNCT" ? { ...token, tag: "PROPN" } : token,
  );
}

/** Third persons that the model takes for plurals: "X causes Y". */
const likePlurals = new Set(
  (
    "cause treat support work lead host run design produce supply trigger need want use visit study play star feature own border " +
    "employ report answer mentor coach chair sponsor fund transfer return travel trade train guide"
  ).split(" "),
);
/** Those that are so beside a name alone. */
const likePluralsOfNames = new Set(
  (
    "live flow cost stand lie rise form head house mark measure cross link join end start face range span drain date cover rank hold " +
    "rule guard farm mine sail ship shop stock serve sit drive dance race ride climb paint record reign document study process mean face"
  ).split(" "),
);

/** What may stand between such a verb and a name. Not "of": "the causes of". */
const leads = /^(?:to|with|from)$/;
const leadsOfNames = /^(?:to|with|from|in|into|at|near|on|for|through|over|along|between|under)$/;

/** "lives" → "live", "studies" → "study". */
function infinitiveOf(thirdPerson: string): string {
  if (thirdPerson.endsWith("ies")) return `${thirdPerson.slice(0, -3)}y`;
  return thirdPerson.replace(/(?<=sh|ch|ss|x|o)es$|s$/, "");
}

/** In each clause without a verb the word after a name that may be one; "married X" after a verb before. */
function withClauseVerbs(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  if (!/^[.!;]$/.test(tokens.at(-1)?.text ?? "")) return tokens;
  let mended = tokens;
  let from = 0;
  for (let to = 1; to <= tokens.length; to++) {
    const token = tokens[to];
    if (token !== undefined && !/^(?:and|but|while|;)$/.test(token.lower)) continue;
    const verb = clauseVerb(tokens, from, to);
    if (verb >= 0) {
      const found = tokens[verb]!; // In the clause.
      mended = mended.with(verb, {
        ...found,
        tag: "VERB",
        lemma: found.lower.endsWith("s") ? infinitiveOf(found.lower) : found.lower,
      });
    }
    from = to;
  }
  return mended.map((token, at) => {
    const isMarriage = token.lower === "married" && token.tag === "ADJ" && tokens[at + 1]?.tag === "PROPN";
    return isMarriage && tokens[at - 1]?.tag !== "DET" ? { ...token, tag: "VERB", lemma: "marry" } : token;
  });
}

function clauseVerb(tokens: readonly TaggedToken[], from: number, to: number): number {
  if (tokens.slice(from, to).some(isVerbTag)) return -1;
  for (let at = from + 1; at < to; at++) {
    const token = tokens[at]!; // Below `to`.
    if (token.tag !== "NOUN") continue;
    // "A and B work": more than one do.
    const isPlural = !token.lower.endsWith("s") && isAfterJoinedName(tokens, from, at);
    if (!isPlural && !token.lower.endsWith("s")) continue;
    const verb = isPlural ? token.lower : infinitiveOf(token.lower);
    if (!likePlurals.has(verb) && !likePluralsOfNames.has(verb)) continue;
    const isAfterName =
      tokens[at - 1]?.tag === "PROPN" || isAfterAside(tokens, from, at) || isSecondVerb(tokens, from, at);
    const next = tokens[at + 1];
    const isLed = leadsOfNames.test(next?.lower ?? "") && isNominal(tokens[at + 2]);
    if (isAfterName && (isLed || isNominal(next))) return at;
  }
  return -1;
}

/** The clause begins with "and" and has nothing but a name before: "… and his sister Ada Holt work". */
function isAfterJoinedName(tokens: readonly TaggedToken[], from: number, at: number): boolean {
  if (tokens[from]?.lower !== "and") return false;
  return tokens.slice(from + 1, at).every(({ tag }) => /^(?:PROPN|DET|PRON|NOUN)$/.test(tag));
}

/** "Ada Holt, the founder of Kestrel, lives in …". */
function isAfterAside(tokens: readonly TaggedToken[], from: number, at: number): boolean {
  if (tokens[at - 1]?.text !== ",") return false;
  const open = tokens.findIndex(({ text }, place) => text === "," && place > from);
  return open > from && open < at - 1 && tokens[open - 1]?.tag === "PROPN";
}

/** "She married Ada Holt and lives in …", "is a nurse and lives in …": behind "and" the subject's second verb, as no plural follows those. */
function isSecondVerb(tokens: readonly TaggedToken[], from: number, at: number): boolean {
  if (at !== from + 1 || tokens[from]?.lower !== "and") return false;
  if (tokens[from - 1]?.tag === "PROPN") return tokens.slice(0, from).some(isVerbTag);
  let first = from - 1;
  while (/^(?:NOUN|ADJ)$/.test(tokens[first]?.tag ?? "")) first--;
  const copula = tokens[first - 1];
  return /^an?$/.test(tokens[first]?.lower ?? "") && copula !== undefined && isFormOfBe(copula);
}

const isNominal = (token: TaggedToken | undefined) => /^(?:NOUN|PROPN|DET|ADJ|NUM|X)$/.test(token?.tag ?? "");

/** In a sentence without a verb the word that may be one, between two others, is: no other reading makes it a sentence. */
function withVerb(tokens: readonly TaggedToken[]): readonly TaggedToken[] {
  if (!/^[.!;]$/.test(tokens.at(-1)?.text ?? "") || tokens.some(isVerbTag)) return tokens;
  const verb = tokens.findIndex(({ tag, lemma, lower }, at) => {
    const mayBe = tag === "NOUN" && lower.endsWith("s") && likePlurals.has(lemma);
    if (!mayBe || at === 0) return false;
    const isLed = leads.test(tokens[at + 1]?.lower ?? "") && tokens[at - 1]!.tag === "PROPN"; // Not the first.
    return isNominal(tokens[at - 1]) && isNominal(tokens[isLed ? at + 2 : at + 1]);
  });
  return verb < 0 ? tokens : tokens.with(verb, { ...tokens[verb]!, tag: "VERB" }); // Found above.
}
