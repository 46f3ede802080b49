/** Reads who does what to whom, and what has what, out of the phrases of a sentence. */
import type { NounPhrase, Phrase, VerbPhrase } from "./phrases.ts";
import { isParticiple } from "./phrases.ts";
import { isPropertyNoun } from "./property-words.ts";

/** A verb with what stands on its sides. Passive voice is turned: whoever does it is the subject. */
export interface Clause {
  readonly kind: "clause";
  readonly verb: VerbPhrase;
  readonly subjects: readonly NounPhrase[];
  readonly objects: readonly NounPhrase[];
  /** "assigned to a team": what the verb's object, or its subject without one, is joined to. */
  readonly complements: readonly Complement[];
  /** The predicate after "be": "responsible" for. */
  readonly adjective: string | null;
  /** No subject stands in the sentence. */
  readonly isHeadless: boolean;
}

export interface Complement {
  readonly preposition: string;
  readonly nouns: readonly NounPhrase[];
}

/** "X's Y", "Y of X", "X with Y", "X and their Y", "flights between airports". */
export interface Attachment {
  readonly kind: "attachment";
  readonly preposition: string;
  readonly heads: readonly NounPhrase[];
  readonly nouns: readonly NounPhrase[];
}

export interface Reading {
  readonly clauses: readonly Clause[];
  readonly attachments: readonly Attachment[];
  /** Every noun phrase in order. */
  readonly nouns: readonly NounPhrase[];
}

const MAX_COMPLEMENTS = 3;
const MAX_LISTED = 24;

/** Linear in the number of phrases, but for lists, which are bounded. */
export function readClauses(phrases: readonly Phrase[]): Reading {
  const clauses: Clause[] = [];
  let last: readonly NounPhrase[] = [];
  let lastObjects: readonly NounPhrase[] = [];
  for (const [at, phrase] of phrases.entries()) {
    if (phrase.kind !== "verb") continue;
    const found = subjectsOf(phrases, at, last);
    const subjects = found.flatMap((noun) => (isThirdPerson(noun) ? last : [noun]));
    if (subjects.length > 0) last = subjects;
    const read = readClause(phrases, at, subjects);
    const own = read.objects.flatMap((noun) => (isObjectPronoun(noun) ? lastObjects : [noun]));
    const objects = own.length > 0 || found.length === 0 ? own : objectBefore(phrases, at);
    const clause = { ...read, objects };
    if (objects.length > 0) lastObjects = objects;
    if (!phrase.isNegated) clauses.push({ ...clause, isHeadless: found.length === 0 });
  }
  return {
    clauses,
    attachments: readAttachments(phrases),
    nouns: phrases.filter((phrase) => phrase.kind === "noun"),
  };
}

function isThirdPerson({ isReference, head }: NounPhrase): boolean {
  return isReference && /^(?:it|they|he|she|each|both)$/.test(head);
}

/** "Discoveries they made", "theses that students write": the object stands before the subject. */
function objectBefore(phrases: readonly Phrase[], verbAt: number): readonly NounPhrase[] {
  let at = verbAt - 1;
  while (phrases[at]?.kind === "adverb") at--;
  if (phrases[at]?.kind !== "noun") return [];
  const hasRelative = phrases[at - 1]?.kind === "relative";
  const object = phrases[hasRelative ? at - 2 : at - 1];
  const subject = phrases[at];
  return object?.kind === "noun" && subject?.kind === "noun" ? [object] : [];
}

function isObjectPronoun({ isReference, head }: NounPhrase): boolean {
  return isReference && /^(?:it|them|him|her)$/.test(head);
}

function readClause(
  phrases: readonly Phrase[],
  at: number,
  subjects: readonly NounPhrase[],
): Omit<Clause, "isHeadless"> {
  const verb = phrases[at] as VerbPhrase; // Called for verbs alone.
  let next = at + 1;
  while (phrases[next]?.kind === "adverb") next++;
  const predicate = phrases[next];
  const adjective = predicate?.kind === "adjective" && verb.lemma === "be" ? predicate.word : null;
  if (adjective !== null) next++;
  const objects = listFrom(phrases, next);
  const complements = readComplements(phrases, objects.to);
  const reduced = isReduced(verb, { objects: objects.nouns, complements, before: phrases[at - 1] });
  const isPassive = verb.isPassive || reduced;
  const agents = complements.find(({ preposition }) => preposition === "by")?.nouns ?? [];
  const others = complements.filter(({ preposition }) => preposition !== "by");
  const shared = { kind: "clause", adjective } as const;
  if (!isPassive) return { ...shared, verb, subjects, objects: objects.nouns, complements };
  const turned = { ...verb, isPassive: true };
  return { ...shared, verb: turned, subjects: agents, objects: subjects, complements: others };
}

/** "books written by authors": the participle after its noun. */
function isReduced(
  verb: VerbPhrase,
  around: { objects: readonly NounPhrase[]; complements: readonly Complement[]; before: Phrase | undefined },
): boolean {
  const { objects, complements, before } = around;
  if (verb.isPassive || verb.isInfinitive || objects.length > 0 || complements.length === 0) return false;
  if (before?.kind !== "noun" && before?.kind !== "and" && before?.kind !== "comma") return false;
  return isParticiple({ lower: verb.surface }) && verb.surface !== verb.lemma;
}

function readComplements(phrases: readonly Phrase[], from: number): readonly Complement[] {
  const found: Complement[] = [];
  let at = from;
  while (found.length < MAX_COMPLEMENTS) {
    let next = at;
    // "in departments and on projects"
    if (phrases[next]?.kind === "and" || phrases[next]?.kind === "comma") next++;
    if (phrases[next]?.kind === "and") next++;
    const preposition = phrases[next];
    if (preposition?.kind !== "preposition") break;
    const list = listFrom(phrases, next + 1);
    if (list.nouns.length === 0) break;
    found.push({ preposition: preposition.word, nouns: list.nouns });
    at = list.to;
  }
  return found;
}

interface List {
  readonly nouns: readonly NounPhrase[];
  /** Behind the list. */
  readonly to: number;
}

/** The nouns of "A, B of C and D" from here on: A, B and D. */
function listFrom(phrases: readonly Phrase[], from: number): List {
  const nouns: NounPhrase[] = [];
  let at = from;
  while (nouns.length < MAX_LISTED) {
    const head = headAt(phrases, at);
    if (head === null) break;
    if (nouns.length > 0 && isSubject(phrases, head.to)) break;
    nouns.push(head.noun);
    at = head.to;
    const next = behindSeparator(phrases, at);
    if (next === at || headAt(phrases, next) === null) return { nouns, to: at };
    if (isSubject(phrases, headAt(phrases, next)?.to ?? next)) return { nouns, to: at };
    at = next;
  }
  return { nouns, to: at };
}

/** "the customer's order of parts": the order, and where it ends. */
function headAt(phrases: readonly Phrase[], from: number): { noun: NounPhrase; to: number } | null {
  let at = from;
  let noun = phrases[at];
  if (noun?.kind !== "noun") return null;
  for (let steps = 0; steps < 4 && phrases[at + 1]?.kind === "possessive"; steps++) {
    const owned = phrases[at + 2];
    if (owned?.kind !== "noun") break;
    noun = owned;
    at += 2;
  }
  let to = at + 1;
  for (let steps = 0; steps < 3; steps++) {
    const [of, target] = [phrases[to], phrases[to + 1]];
    if (of?.kind !== "preposition" || of.word !== "of" || target?.kind !== "noun") break;
    // "a date of birth" is one property.
    const isOne =
      to === at + 1 && isPropertyNoun(noun.head) && !target.isPlural && target.determiner === null;
    if (isOne) noun = { ...noun, words: [...noun.words, "of", ...target.words] };
    to += 2;
  }
  return { noun, to };
}

function behindSeparator(phrases: readonly Phrase[], from: number): number {
  let at = from;
  if (phrases[at]?.kind === "comma") at++;
  if (phrases[at]?.kind === "and") at++;
  return at;
}

/** Whether what ends here is the subject of a verb that follows. */
function isSubject(phrases: readonly Phrase[], to: number): boolean {
  let at = to;
  while (phrases[at]?.kind === "adverb") at++;
  const verb = phrases[at];
  if (verb?.kind !== "verb" || verb.isInfinitive || verb.isGerund) return false;
  const isParticipleBefore = phrases[at + 1]?.kind === "preposition" && isParticiple({ lower: verb.surface });
  return !(isParticipleBefore && !verb.isPassive);
}

function subjectsOf(
  phrases: readonly Phrase[],
  verbAt: number,
  last: readonly NounPhrase[],
): readonly NounPhrase[] {
  let at = verbAt - 1;
  while (phrases[at]?.kind === "adverb") at--;
  const before = phrases[at];
  const verb = phrases[verbAt];
  if (before === undefined) return [];
  if (verb?.kind === "verb" && verb.isInfinitive && before.kind !== "noun") return [];
  if (before.kind === "relative") {
    at--;
    if (phrases[at]?.kind === "comma") at--;
    return phrases[at]?.kind === "noun" ? listBefore(phrases, at, { hops: false }) : [];
  }
  if (before.kind === "and" || before.kind === "comma") return last;
  if (before.kind !== "noun") return [];
  if (verb?.kind === "verb" && (verb.isInfinitive || verb.isGerund)) return [];
  const isShort = verb?.kind === "verb" && !verb.isPassive && isParticiple({ lower: verb.surface });
  return listBefore(phrases, at, { hops: !isShort });
}

/** The nouns of a list that ends here; from an object of a preposition on to the head that it hangs on. */
function listBefore(
  phrases: readonly Phrase[],
  end: number,
  { hops }: { readonly hops: boolean },
): readonly NounPhrase[] {
  const nouns: NounPhrase[] = [];
  let hasAnd = false;
  let at = end;
  while (nouns.length < MAX_LISTED) {
    at = toHead(phrases, at, nouns.length === 0 ? hops : false);
    const noun = phrases[at];
    if (noun?.kind !== "noun") break;
    nouns.unshift(noun);
    const next = beforeSeparator(phrases, at, hasAnd);
    if (next === null) break;
    hasAnd ||= phrases[at - 1]?.kind === "and";
    at = next;
  }
  return nouns;
}

/** The place of the list's noun before; null where the list begins here. A comma alone joins only before an "and". */
function beforeSeparator(phrases: readonly Phrase[], at: number, hasAnd: boolean): number | null {
  let next = at - 1;
  const isAnd = phrases[next]?.kind === "and";
  if (isAnd) next--;
  if (phrases[next]?.kind === "comma") next--;
  if (next === at - 1 || phrases[next]?.kind !== "noun" || !(isAnd || hasAnd)) return null;
  return isObject(phrases, next) ? null : next;
}

/** Whether the noun here belongs to a verb before it, so that what follows its "and" begins a clause. */
function isObject(phrases: readonly Phrase[], noun: number): boolean {
  let at = noun - 1;
  while (/^(?:noun|preposition|possessive|adjective|adverb)$/.test(phrases[at]?.kind ?? "")) at--;
  const verb = phrases[at];
  return verb?.kind === "verb";
}

function toHead(phrases: readonly Phrase[], from: number, hops: boolean): number {
  let at = from;
  for (let steps = 0; steps < 4; steps++) {
    const [preposition, noun] = [phrases[at - 1], phrases[at - 2]];
    if (preposition?.kind !== "preposition" || noun?.kind !== "noun") break;
    if (preposition.word !== "of" && !hops) break;
    at -= 2;
  }
  return at;
}

function readAttachments(phrases: readonly Phrase[]): readonly Attachment[] {
  const found: Attachment[] = [];
  for (const [at, phrase] of phrases.entries()) {
    if (phrase.kind === "possessive") {
      const [owner, owned] = [phrases[at - 1], phrases[at + 1]];
      if (owner?.kind !== "noun" || owned?.kind !== "noun") continue;
      found.push({
        kind: "attachment",
        preposition: "of",
        heads: listFrom(phrases, at + 1).nouns,
        nouns: [owner],
      });
    } else if (phrase.kind === "preposition") {
      const before = phrases[at - 1];
      const { nouns } = listFrom(phrases, at + 1);
      if (before?.kind !== "noun" || nouns.length === 0) continue;
      const heads = phrase.word === "with" ? listBefore(phrases, at - 1, { hops: false }) : [before];
      found.push({ kind: "attachment", preposition: phrase.word, heads, nouns });
    } else if (phrase.kind === "noun" && /^(?:their|its|his|her)$/.test(phrase.determiner ?? "")) {
      const owners = ownersBefore(phrases, at);
      if (owners.length === 0) continue;
      found.push({
        kind: "attachment",
        preposition: "of",
        heads: listFrom(phrases, at).nouns,
        nouns: owners,
      });
    }
  }
  return found;
}

/** "authors, editors and their books": the list before; otherwise the first noun of the sentence. */
function ownersBefore(phrases: readonly Phrase[], at: number): readonly NounPhrase[] {
  let before = at - 1;
  if (phrases[before]?.kind === "and") before--;
  if (phrases[before]?.kind === "comma") before--;
  const near = before < at - 1 ? listBefore(phrases, before, { hops: false }) : [];
  if (near.length > 0) return near.slice(-3);
  const first = phrases.findIndex(({ kind }) => kind === "noun");
  const noun = phrases[first];
  return first >= 0 && first < at && noun?.kind === "noun" ? listBefore(phrases, first, { hops: false }) : [];
}
