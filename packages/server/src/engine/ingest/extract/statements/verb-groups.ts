/** Finds groups of verbs ("has not been founded") and the noun phrase that is each group's subject. */

import { endWithOf, type NounPhrases } from "./noun-phrases.ts";
import { isNegation, type TaggedToken, type TokenRange } from "./tagged-token.ts";

export interface VerbGroup extends TokenRange {
  /** Of the last verb. */
  readonly head: number;
  readonly isNegated: boolean;
}

export function isVerb(token: TaggedToken | undefined): boolean {
  return token !== undefined && (token.tag === "VERB" || token.tag === "AUX");
}

export function findVerbGroups(tokens: readonly TaggedToken[], nouns: NounPhrases): readonly VerbGroup[] {
  const groups: VerbGroup[] = [];
  let at = 0;
  while (at < tokens.length) {
    if (!isVerb(tokens[at]) || (nouns.phraseOf[at] ?? -1) >= 0) {
      at += 1;
      continue;
    }
    const group = groupAt(tokens, nouns, at);
    groups.push(group);
    at = group.to;
  }
  return groups;
}

function groupAt(tokens: readonly TaggedToken[], nouns: NounPhrases, from: number): VerbGroup {
  let head = from;
  let at = from;
  for (let token = tokens[at]; token !== undefined; token = tokens[++at]) {
    if ((nouns.phraseOf[at] ?? -1) >= 0) break;
    if (isVerb(token)) head = at;
    else if (token.tag !== "ADV" && token.tag !== "PART" && !isNegation(token)) break;
  }
  const to = head + 1;
  return { from, to, head, isNegated: tokens.slice(Math.max(0, from - 1), to + 1).some(isNegation) };
}

const relatives = new Set(["who", "which", "that", "whom"]);
const interruptions = new Set(["who", "which", "that", "whose", "whom", "a", "an", "the", "born", "then"]);

export interface SubjectSearch {
  readonly tokens: readonly TaggedToken[];
  readonly nouns: NounPhrases;
  /** Of the verb group before this one in the sentence; shared over "and". */
  readonly previous: { readonly subject: number; readonly end: number } | null;
}

/** The index of the noun phrase that is the subject, −1 where there is none. */
export function findSubject(search: SubjectSearch, group: VerbGroup): number {
  const { tokens, nouns, previous } = search;
  const isParticiple = looksLikeParticiple(tokens[group.from]);
  let at = group.from - 1;
  while (tokens[at]?.tag === "ADV") at--;
  at = beforeTime(search, at);
  if (relatives.has(tokens[at]?.lower ?? "")) {
    at--;
    if (tokens[at]?.text === ",") at--;
  }
  const joint = tokens[at]?.lower ?? "";
  const isJoined = joint === "and" || joint === "or" || joint === "but" || (joint === "," && isParticiple);
  if (previous !== null && (isJoined || isBehindAgent(search, group))) return previous.subject;
  const beforeAside = isJoined ? -1 : subjectBeforeAside(tokens, nouns, group);
  if (previous !== null && beforeAside < 0 && joint === "," && isInRow(search, group))
    return previous.subject;
  const nearest =
    at === group.from - 1 && isOfNoun(search, group)
      ? (nouns.phraseOf[at] ?? -1)
      : nearestPhrase(search, { at, mayCrossVerbs: isParticiple });
  const subject = beforeAside >= 0 ? beforeAside : nearest;
  return subject >= 0 && endWithOf(tokens, nouns, subject) > group.from ? -1 : subject;
}

/** "and in 1990 [moved]": the conjunction, which stands before the time. */
function beforeTime({ tokens, nouns }: SubjectSearch, at: number): number {
  const last = tokens[at]?.text === "," ? at - 1 : at;
  const from = nouns.phrases[nouns.phraseOf[last] ?? -1]?.from ?? 0;
  const isTime = /^\d{4}$/.test(tokens[last]?.text ?? "") && tokens[from - 1]?.tag === "ADP";
  const joint = tokens[from - 2]?.text === "," ? from - 3 : from - 2;
  return isTime && tokens[joint]?.tag === "CCONJ" ? joint : at;
}

/** "directed by Ada Holt [starring B]": a participle without a comma tells of no name, but of what the verb before tells of. */
function isBehindAgent({ tokens, previous }: SubjectSearch, { from, to }: VerbGroup): boolean {
  return (
    to - from === 1 &&
    isProgressive(tokens[from]) &&
    tokens[from - 1]?.tag === "PROPN" &&
    tokens[previous?.end ?? from]?.tag === "ADP"
  );
}

/** "was born in A, [grew up] in B, and died in C": between verbs of one subject a comma alone stands only where "and" joins the last. */
function isInRow({ tokens, nouns, previous }: SubjectSearch, { from, to }: VerbGroup): boolean {
  if (previous === null) return false;
  const opening = tokens[(nouns.phrases[previous.subject]?.from ?? 0) - 1];
  const isSubordinate = opening?.tag === "SCONJ" || opening?.tag === "ADV";
  const isBroken = tokens
    .slice(previous.end, from)
    .some(({ text }, at, part) => /^[;:]$/.test(text) || (text === "," && part[at + 1]?.tag === "CCONJ"));
  if (isSubordinate || isBroken) return false;
  for (let at = to; at < tokens.length; at++) {
    if (!isVerb(tokens[at]) || (nouns.phraseOf[at] ?? -1) >= 0 || isVerb(tokens[at - 1])) continue;
    let before = at - 1;
    while (tokens[before]?.tag === "ADV") before--;
    if (tokens[before]?.tag === "CCONJ") return true;
    if (tokens[before]?.text !== ",") return false;
  }
  return false;
}

const isProgressive = (token: TaggedToken | undefined) =>
  token?.tag === "VERB" && token.lower.endsWith("ing");

/** "a man [living] in B": the participle directly behind a noun tells of it, whatever that hangs on. */
function isOfNoun(search: SubjectSearch, { from, to }: VerbGroup): boolean {
  const { tokens } = search;
  if (to - from > 1 || tokens[from - 1]?.tag !== "NOUN") return false;
  return isProgressive(tokens[from]) || (tokens[to]?.lower === "by" && isOfName(search, from - 1));
}

/** "Ada Holt from a script [written by B]": the participle tells of the thing, not of the name on which the thing hangs. */
function isOfName({ tokens, nouns }: SubjectSearch, at: number): boolean {
  const from = nouns.phrases[nouns.phraseOf[at] ?? -1]?.from ?? 0;
  const [preposition, name] = [tokens[from - 1], tokens[from - 2]];
  return (
    /^(?:an?|the)$/.test(tokens[from]?.lower ?? "") &&
    preposition?.tag === "ADP" &&
    preposition.lower !== "of" &&
    name?.tag === "PROPN"
  );
}

function looksLikeParticiple(token: TaggedToken | undefined): boolean {
  if (token?.tag !== "VERB") return false;
  return /(?:ing|ed|en|wn|nt|lt|de|t|rn)$/.test(token.lower);
}

interface Search {
  readonly at: number;
  readonly mayCrossVerbs: boolean;
}

/** Walks left to a noun phrase; from an object of a preposition on to the head that it hangs on. */
function nearestPhrase(search: SubjectSearch, { at, mayCrossVerbs }: Search): number {
  const { tokens, nouns, previous } = search;
  let depth = 0;
  for (let token = tokens[at]; token !== undefined; token = tokens[--at]) {
    if (token.text === ")") depth++;
    else if (token.text === "(") depth--;
    if (depth > 0) continue;
    const phrase = nouns.phraseOf[at] ?? -1;
    if (phrase < 0) {
      if (isVerb(token) && !mayCrossVerbs) return -1;
      continue;
    }
    const from = nouns.phrases[phrase]?.from ?? 0;
    const hangs = tokens[from - 1]?.tag === "ADP" && !(previous !== null && from - 1 < previous.end);
    if (!hangs || (nouns.phraseOf[from - 2] ?? -1) < 0) return phrase;
    at = from - 1;
  }
  return -1;
}

/** "X, who is Y, works": the subject of "works" is X. */
function subjectBeforeAside(tokens: readonly TaggedToken[], nouns: NounPhrases, group: VerbGroup): number {
  const close = group.from - 1 - (tokens[group.from - 1]?.tag === "ADV" ? 1 : 0);
  if (tokens[close]?.text !== "," || /ing$/.test(tokens[group.from]?.lower ?? "")) return -1;
  let open = close - 1;
  while (open >= 0 && tokens[open]?.text !== ",") open--;
  const first = tokens[open + 1];
  if (open <= 0 || first === undefined) return -1;
  // "X, chief executive of Y, works".
  const isRole =
    (first.tag === "NOUN" || first.tag === "ADJ" || /^C[A-Z]O$/.test(first.text)) &&
    tokens.slice(open + 1, close).some(({ lower }) => lower === "of" || lower === "at");
  if (!interruptions.has(first.lower) && first.tag !== "VERB" && !isRole) return -1;
  const phrase = nouns.phraseOf[open - 1] ?? -1;
  if (phrase < 0) return -1;
  const from = nouns.phrases[phrase]?.from ?? 0;
  const head = tokens[from - 1]?.tag === "ADP" ? (nouns.phraseOf[from - 2] ?? -1) : -1;
  return head >= 0 ? head : phrase;
}
