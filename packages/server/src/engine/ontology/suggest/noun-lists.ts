/** Lists of nouns, and what hangs on each: "the customer's order of parts, bolts that fit, and the nuts they need". */
import { isPropertyNoun } from "./framing-words.ts";
import { isParticiple } from "./mend-tags.ts";
import type { NounPhrase, Phrase } from "./phrase.ts";

const MAX_LISTED = 24;

interface List {
  readonly nouns: readonly NounPhrase[];
  /** Where the list begins, or behind it. */
  readonly to: number;
}

/** The nouns of a list from here on. `isLoose`: without an "and", and over what hangs on its nouns by prepositions. */
export function listFrom(phrases: readonly Phrase[], from: number, { isLoose = false } = {}): List {
  const nouns: NounPhrase[] = [];
  let to = from;
  let hasAnd = false;
  let first = from;
  while (nouns.length < MAX_LISTED) {
    // "of mostly old parts"
    while (nouns.length === 0 && phrases[to]?.kind === "adverb") to++;
    const noun = nounAt(phrases, to);
    if (noun === null) break;
    const behind = passOver(phrases, to);
    nouns.push(noun);
    if (noun.isReference) return { nouns, to: behind };
    if (nouns.length === 1) first = behind;
    const hung = overModifiers(phrases, behind, isLoose);
    let next = hung;
    if (phrases[next]?.kind === "comma") next++;
    const isAnd = phrases[next]?.kind === "and";
    if (isAnd) next++;
    to = behind;
    const item = phrases[next];
    // "…, and what text it is based on": begins a question.
    const isAsked = item?.kind === "noun" && /^wh/.test(item.determiner ?? "");
    const isOfClause = phrases[passOver(phrases, next)]?.kind === "noun";
    if (isAsked && isOfClause) break;
    // "which parts, and the factories the supplier serves": is asked for by itself.
    if (isOfClause && /^wh/.test(nouns[0]?.determiner ?? "")) break;
    if (
      next === hung ||
      item?.kind !== "noun" ||
      item.isReference ||
      isSubject(phrases, passOver(phrases, next))
    )
      break;
    // "contractors using herbicides or machines"
    if (hung !== behind && next === hung + 1 && isAnd) break;
    hasAnd ||= isAnd;
    to = next;
  }
  if (!isLoose && !hasAnd && nouns.length > 1) return { nouns: nouns.slice(0, 1), to: first };
  return { nouns, to };
}

/** The noun here; of "the customer's order" the order, "a date of birth" is one. */
export function nounAt(phrases: readonly Phrase[], from: number): NounPhrase | null {
  let at = from;
  let noun = phrases[at];
  if (noun?.kind !== "noun") return null;
  for (
    let owned = phrases[at + 2];
    phrases[at + 1]?.kind === "possessive" && owned?.kind === "noun";
    owned = phrases[at + 2]
  ) {
    noun = owned;
    at += 2;
  }
  const [of, target] = [phrases[at + 1], phrases[at + 2]];
  if (of?.kind !== "preposition" || of.word !== "of" || target?.kind !== "noun" || target.isReference)
    return noun;
  const isOne =
    isPropertyNoun(noun.head) && target.determiner === null && (!target.isPlural || isCount(noun));
  return isOne
    ? {
        ...noun,
        words: [
          ...noun.words,
          "of",
          ...target.words.slice(0, -1),
          target.isPlural ? `${target.head}s` : target.head,
        ],
      }
    : noun;
}

function isCount({ head }: NounPhrase): boolean {
  return head === "number" || head === "amount";
}

/** Behind the noun here with its "'s" and "of". */
export function passOver(phrases: readonly Phrase[], from: number): number {
  let to = from + 1;
  for (
    let steps = 0;
    steps < 4 && phrases[to]?.kind === "possessive" && phrases[to + 1]?.kind === "noun";
    steps++
  )
    to += 2;
  for (let steps = 0; steps < 3; steps++) {
    const [of, target] = [phrases[to], phrases[to + 1]];
    if (of?.kind !== "preposition" || of.word !== "of" || target?.kind !== "noun") break;
    to += 2;
  }
  return to;
}

/** Behind "they carry", "who treat patients", "signed by clerks", with `isLoose` also behind "on turbines". */
function overModifiers(phrases: readonly Phrase[], from: number, isLoose: boolean): number {
  let at = from;
  if (isLoose)
    while (phrases[at]?.kind === "preposition" && phrases[at + 1]?.kind === "noun")
      at = passOver(phrases, at + 1);
  if (isReduced(phrases, at) && phrases[at]?.kind === "verb") return overPredicate(phrases, at);
  let verb = at;
  const isLed = phrases[verb]?.kind === "relative";
  if (isLed) verb++;
  if (phrases[verb]?.kind === "noun") verb = passOver(phrases, verb);
  else if (!isLed) return at;
  while (phrases[verb]?.kind === "adverb") verb++;
  return phrases[verb]?.kind === "verb" ? overPredicate(phrases, verb) : at;
}

function overPredicate(phrases: readonly Phrase[], verb: number): number {
  let at = verb + 1;
  while (phrases[at]?.kind === "adverb" || phrases[at]?.kind === "adjective") at++;
  if (phrases[at]?.kind === "noun") at = passOver(phrases, at);
  while (phrases[at]?.kind === "preposition")
    at = phrases[at + 1]?.kind === "noun" ? passOver(phrases, at + 1) : at + 1;
  return at;
}

/** Their past after a noun is a verb with its subject: "journalist worked for newspaper". */
const INTRANSITIVE: ReadonlySet<string> = new Set(
  "work live compete belong study happen occur arrive depart appear emigrate".split(" "),
);

/** "books written by authors", "firms representing owners": the participle after its noun. */
export function isReduced(phrases: readonly Phrase[], at: number): boolean {
  const verb = phrases[at];
  if (verb?.kind !== "verb" || verb.isPassive || verb.isInfinitive || verb.isAuxiliary) return false;
  if (verb.isGerund) return true;
  let next = at + 1;
  while (phrases[next]?.kind === "adverb") next++;
  const by = phrases[next];
  const isBy = by?.kind === "preposition" && by.word === "by";
  if (INTRANSITIVE.has(verb.lemma) && !isBy) return false;
  const isBare = isParticiple({ lower: verb.surface }) && (verb.surface !== verb.lemma || isBy);
  return isBare && phrases[next]?.kind === "preposition";
}

/** Whether what ends here is the subject of a verb that follows. */
export function isSubject(phrases: readonly Phrase[], to: number): boolean {
  let at = to;
  while (phrases[at]?.kind === "adverb") at++;
  const verb = phrases[at];
  return verb?.kind === "verb" && !verb.isInfinitive && !isReduced(phrases, at);
}

interface ListBefore {
  readonly nouns: readonly NounPhrase[];
  readonly from: number;
}

/** The nouns of a list that ends here; with `hops` from an object of a preposition on to the head that it hangs on. */
export function listBefore(
  phrases: readonly Phrase[],
  end: number,
  { hops, isFree = false }: { readonly hops: boolean; readonly isFree?: boolean },
): ListBefore {
  const nouns: NounPhrase[] = [];
  let hasAnd = false;
  let from = end;
  for (let at = end; nouns.length < MAX_LISTED; ) {
    at = toHead(phrases, at, nouns.length === 0 && hops);
    const noun = nounAt(phrases, at);
    if (noun === null) break;
    nouns.unshift(noun);
    from = phrases[at - 1]?.kind === "possessive" ? at - 2 : at;
    const next = beforeSeparator(phrases, from, { hasAnd, isFree });
    if (next === null || noun.isReference) break;
    // "wards, and which nurses work on them"
    if (/^wh/.test(noun.determiner ?? "") && !isAskedNoun(phrases[next])) break;
    hasAnd ||= phrases[from - 1]?.kind === "and";
    at = next;
  }
  return { nouns, from };
}

function isAskedNoun(phrase: Phrase | undefined): boolean {
  return phrase?.kind === "noun" && /^wh/.test(phrase.determiner ?? "");
}

/** The place of the list's noun before; null where the list begins here. A comma alone joins only before an "and". */
function beforeSeparator(
  phrases: readonly Phrase[],
  at: number,
  { hasAnd, isFree }: { readonly hasAnd: boolean; readonly isFree: boolean },
): number | null {
  let next = at - 1;
  const isAnd = phrases[next]?.kind === "and";
  if (isAnd) next--;
  if (phrases[next]?.kind === "comma") next--;
  if (next === at - 1 || phrases[next]?.kind !== "noun" || !(isAnd || hasAnd)) return null;
  return !isFree && isObject(phrases, next) ? null : next;
}

/** Whether the noun here belongs to a verb or a preposition before it, so that what follows its "and" begins a clause. */
function isObject(phrases: readonly Phrase[], noun: number): boolean {
  let at = noun - 1;
  while (/^(?:noun|preposition|possessive|adjective|adverb)$/.test(phrases[at]?.kind ?? "")) at--;
  return phrases[at]?.kind === "verb" || phrases[noun - 1]?.kind === "preposition";
}

function toHead(phrases: readonly Phrase[], from: number, hops: boolean): number {
  let at = from;
  for (let steps = 0; steps < 6; steps++) {
    const [noun, before, second] = [phrases[at], phrases[at - 1], phrases[at - 2]];
    // "a graph in which ships are moored"
    if (noun?.kind === "noun" && /^wh/.test(noun.determiner ?? "")) break;
    const joins = before?.kind === "preposition" && !/^(?:until|before|after|since)$/.test(before.word);
    if (joins && second?.kind === "noun" && (before.word === "of" || hops)) at -= 2;
    else break;
  }
  return at;
}
