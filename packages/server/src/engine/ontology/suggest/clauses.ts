/** Reads who does what to whom out of the phrases of a sentence: questions, relative clauses, shared subjects and objects. */
import { canBeType, isFramingSubject } from "./corpus.ts";
import { isParticiple } from "./mend-tags.ts";
import { isReduced, isSubject, listBefore, listFrom, nounAt, passOver } from "./noun-lists.ts";
import { isSpeaker, type NounPhrase, type Phrase, type VerbPhrase } from "./phrases.ts";

/** A verb with what stands on its sides, as the text has it: the subject of a passive verb is what it is done to. */
export interface Clause {
  readonly verb: VerbPhrase;
  readonly subjects: readonly NounPhrase[];
  readonly objects: readonly NounPhrase[];
  readonly complements: readonly Complement[];
  /** The objects of a list without an "and", or with more hanging on each: "A of X, B on Y, C". */
  readonly listed: readonly NounPhrase[];
  /** The predicate after "be": "responsible" for. */
  readonly adjective: string | null;
  /** No subject stands in the sentence. */
  readonly isHeadless: boolean;
  /** It only tells more of a noun: "who treat patients", "signed by a clerk", "they carry". */
  readonly isDependent: boolean;
}

export interface Complement {
  readonly preposition: string;
  readonly nouns: readonly NounPhrase[];
}

/** What pronouns stand for: the last subjects and objects. */
export interface Discourse {
  readonly subjects: readonly NounPhrase[];
  readonly objects: readonly NounPhrase[];
}

export interface Clauses {
  readonly clauses: readonly Clause[];
  readonly discourse: Discourse;
}

interface Left {
  readonly nouns: readonly NounPhrase[];
  readonly kind: "subject" | "dependent" | "shared" | "none";
  /** "ports" of "ports they call at": the object or complement, which stands before the subject. */
  readonly gap: Gap | null;
}

interface Gap {
  readonly preposition: string;
  readonly nouns: readonly NounPhrase[];
}

/** Linear in the number of phrases, but for lists, which are bounded. */
export function readClauses(phrases: readonly Phrase[], before: Discourse): Clauses {
  const clauses: Clause[] = [];
  let discourse = before;
  let main: readonly NounPhrase[] = [];
  let last = null as { clause: Clause; gap: Gap | null } | null;
  for (const [at, phrase] of phrases.entries()) {
    if (phrase.kind !== "verb") continue;
    const left = leftOf(phrases, at);
    const isShared: boolean = left.kind === "shared" && last !== null;
    const context = { discourse, main, first: firstNoun(phrases, at) };
    const own = left.nouns.flatMap((noun) => resolveSubject(noun, left.gap, context));
    // "fixed in version 2": of what was spoken of before.
    const isBare = own.length === 0 && isReduced(phrases, at) && !phrase.isGerund;
    const subjects = isShared ? (last?.clause.subjects ?? []) : isBare ? discourse.subjects : own;
    const right = readRight(phrases, at);
    const gap: Gap | null = left.gap ?? (isShared && right.objects.length === 0 ? (last?.gap ?? null) : null);
    const { isPassive } = phrase;
    const filled = fillGap(
      right,
      gap ?? (isBare ? { preposition: "", nouns: subjects } : null),
      isPassive || isBare,
    );
    const resolve = (nouns: readonly NounPhrase[]) =>
      nouns.flatMap((noun) => resolveObject(noun, { subjects, discourse, isShared, first: context.first }));
    const clause: Clause = {
      verb: phrase,
      subjects,
      objects: resolve(filled.objects),
      complements: filled.complements.map((each) => ({ ...each, nouns: resolve(each.nouns) })),
      listed: right.listed,
      adjective: filled.adjective,
      isHeadless: subjects.length === 0,
      isDependent:
        left.kind === "dependent" ||
        (left.gap !== null && !isAsking(left.gap)) ||
        (isShared && last?.clause.isDependent === true),
    };
    if (last !== null && isShared) clauses.push(...shareObjects(last.clause, clause, phrases, at));
    last = { clause, gap };
    clauses.push(clause);
    if (!clause.isDependent && subjects.length > 0 && !subjects.every(isFramingSubject)) main = subjects;
    const named = [...clause.objects, ...clause.complements.flatMap(({ nouns }) => nouns)].filter(
      (noun) => !noun.isReference,
    );
    const isSpoken = !clause.isDependent && subjects.length > 0 && !subjects.every(isFramingSubject);
    discourse = {
      subjects: isSpoken ? subjects.filter((noun) => !noun.isReference) : discourse.subjects,
      objects:
        named.length > 0 && !clause.isDependent
          ? named.slice(0, Math.max(1, clause.objects.length))
          : discourse.objects,
    };
  }
  return { clauses, discourse };
}

function isAsking({ nouns }: Gap): boolean {
  return nouns.some(({ determiner, head }) => /^wh/.test(determiner ?? "") || /^wh/.test(head));
}

/** "inhibit or induce enzymes", "reads from and writes to a database": the verb before takes its ends from the one behind. */
function shareObjects(
  before: Clause,
  { objects, complements }: Clause,
  phrases: readonly Phrase[],
  at: number,
): readonly Clause[] {
  if (phrases[at - 1]?.kind !== "and" || before.objects.length > 0) return [];
  const stranded = before.complements.find(({ nouns }) => nouns.length === 0);
  const [nouns] = complements.map((each) => each.nouns).filter((each) => each.length > 0);
  if (stranded !== undefined && nouns !== undefined)
    return [{ ...before, complements: [{ preposition: stranded.preposition, nouns }] }];
  return before.complements.length === 0 && objects.length > 0 && before.adjective === null
    ? [{ ...before, objects }]
    : [];
}

function leftOf(phrases: readonly Phrase[], verbAt: number): Left {
  const none: Left = { nouns: [], kind: "none", gap: null };
  const verb = phrases[verbAt] as VerbPhrase; // Called for verbs alone.
  let at = verbAt - 1;
  while (phrases[at]?.kind === "adverb") at--;
  const before = phrases[at];
  if (before === undefined) return none;
  const noun = phrases[at - 1];
  const isFirst = !phrases.slice(0, at).some(({ kind }) => kind === "verb");
  // "checks, performed on ships"
  if (before.kind === "comma" && noun?.kind === "noun" && isFirst && isReduced(phrases, verbAt))
    return { nouns: listBefore(phrases, at - 1, { hops: false }).nouns, kind: "dependent", gap: null };
  if (before.kind === "and" || before.kind === "comma" || before.kind === "verb")
    return { ...none, kind: "shared" };
  if (before.kind === "relative") {
    // "who the conductor was that led it"
    const end = phrases[at - 1]?.kind === "comma" || phrases[at - 1]?.kind === "verb" ? at - 2 : at - 1;
    if (phrases[end]?.kind !== "noun" || before.word === "where" || before.word === "whose") return none;
    return { nouns: listBefore(phrases, end, { hops: false }).nouns, kind: "dependent", gap: null };
  }
  if (before.kind !== "noun" || verb.isInfinitive) return none;
  if (isReduced(phrases, verbAt))
    return { nouns: listBefore(phrases, at, { hops: false }).nouns, kind: "dependent", gap: null };
  const { nouns, from } = listBefore(phrases, at, { hops: true });
  const direct = gapBefore(phrases, from);
  // "which building an apartment in town is in" has no hop over what is asked for.
  return { nouns, kind: "subject", gap: direct };
}

/** What stands before a subject and is no part of it: "the ports [they call at]", "in which gallery [it hangs]". */
function gapBefore(phrases: readonly Phrase[], from: number): Gap | null {
  let at = from - 1;
  const relative = phrases[at];
  let preposition = "";
  if (relative?.kind === "relative") {
    if (relative.word === "whose") return null;
    if (relative.word === "where") preposition = "in";
    at--;
  } else if (
    relative?.kind === "noun" &&
    relative.isReference &&
    phrases[at - 1]?.kind === "preposition" &&
    phrases[at - 2]?.kind === "noun"
  ) {
    const before = phrases[at - 1];
    preposition = before?.kind === "preposition" ? before.word : "";
    at -= 2;
  }
  const noun = phrases[at];
  if (noun?.kind !== "noun" || (noun.isReference && !/^wh/.test(noun.head))) return null;
  const list = listBefore(phrases, at, { hops: false });
  const isAsked = noun.isReference || /^wh/.test(list.nouns[0]?.determiner ?? "");
  const { nouns, from: start } = isAsked ? list : { nouns: [noun], from: at };
  const before = phrases[start - 1];
  if (preposition === "" && before?.kind === "preposition" && phrases[start - 2]?.kind !== "noun")
    preposition = before.word;
  if (noun.isReference && noun.head === "where") return { preposition: "in", nouns: [noun] };
  return { preposition, nouns };
}

interface Right {
  readonly objects: readonly NounPhrase[];
  readonly listed: readonly NounPhrase[];
  readonly complements: readonly Complement[];
  readonly adjective: string | null;
}

const MAX_COMPLEMENTS = 4;

function readRight(phrases: readonly Phrase[], verbAt: number): Right {
  const verb = phrases[verbAt];
  let at = verbAt + 1;
  while (phrases[at]?.kind === "adverb") at++;
  const predicate = phrases[at];
  const adjective =
    predicate?.kind === "adjective" && verb?.kind === "verb" && verb.lemma === "be" ? predicate.word : null;
  if (adjective !== null) at++;
  const receiver = phrases[at];
  // "sells us malt"
  if (receiver?.kind === "noun" && isSpeaker(receiver) && phrases[at + 1]?.kind === "noun") at++;
  // "decides which ship sails": the subject of a verb is no object.
  const isTaken = (noun: number) => isSubject(phrases, passOver(phrases, noun));
  const objects = isTaken(at) ? { nouns: [], to: at } : listFrom(phrases, at);
  const listed = listFrom(phrases, at, { isLoose: true }).nouns;
  at = objects.to;
  const complements: Complement[] = [];
  while (complements.length < MAX_COMPLEMENTS) {
    let next = at;
    while (phrases[next]?.kind === "adverb") next++;
    // "in departments and on projects"
    if (phrases[next]?.kind === "comma") next++;
    if (phrases[next]?.kind === "and") next++;
    const preposition = phrases[next];
    if (preposition?.kind !== "preposition") break;
    // "comes up with a recipe, off to a port": of two prepositions the last one leads.
    const after = phrases[next + 1];
    // "…, and on which shelf it is kept": begins a clause.
    if (next > at && after?.kind === "noun" && phrases[passOver(phrases, next + 1)]?.kind === "noun") break;
    const list = isTaken(next + 1) ? { nouns: [], to: next + 1 } : listFrom(phrases, next + 1);
    if (after?.kind === "preposition") {
      at = next + 1;
      continue;
    }
    complements.push({ preposition: preposition.word, nouns: list.nouns });
    at = list.to;
    if (list.nouns.length === 0) break;
  }
  return { objects: objects.nouns, listed, complements, adjective };
}

/** The gap is what a preposition lacks, else the object. */
function fillGap(right: Right, gap: Gap | null, isPassive: boolean): Right {
  if (gap === null) return right;
  const lacking = right.complements.find(({ nouns }) => nouns.length === 0);
  if (lacking !== undefined) {
    const complements = right.complements.map((each) =>
      each === lacking ? { ...each, nouns: gap.nouns } : each,
    );
    return { ...right, complements };
  }
  if (gap.preposition !== "") return { ...right, complements: [...right.complements, gap] };
  return right.objects.length > 0 || isPassive ? right : { ...right, objects: gap.nouns };
}

interface Context {
  readonly discourse: Discourse;
  readonly main: readonly NounPhrase[];
  readonly first: NounPhrase | null;
}

function resolveSubject(
  noun: NounPhrase,
  gap: Gap | null,
  { discourse, main, first }: Context,
): readonly NounPhrase[] {
  if (!noun.isReference || !/^(?:it|they|he|she|each|both|all|some|one|which)$/.test(noun.head))
    return [noun];
  const isThing = (each: NounPhrase) => !each.isReference && gap?.nouns.includes(each) !== true;
  const candidates = [main, first === null ? [] : [first], discourse.subjects, discourse.objects];
  return candidates.find((each) => each.length > 0 && each.every(isThing)) ?? [noun];
}

/** The first thing that the sentence names before this place. */
function firstNoun(phrases: readonly Phrase[], before: number): NounPhrase | null {
  const at = phrases.findIndex(
    (phrase) => phrase.kind === "noun" && canBeType(phrase) && !isFramingSubject(phrase),
  );
  return at >= 0 && at < before ? nounAt(phrases, at) : null;
}

interface Objects {
  readonly subjects: readonly NounPhrase[];
  readonly discourse: Discourse;
  readonly isShared: boolean;
  /** The first thing that the sentence names. */
  readonly first: NounPhrase | null;
}

function resolveObject(
  noun: NounPhrase,
  { subjects, discourse, isShared, first }: Objects,
): readonly NounPhrase[] {
  if (!noun.isReference) return [noun];
  const known = (nouns: readonly NounPhrase[]) => nouns.filter((each) => !each.isReference);
  const others = [known(discourse.objects), known(discourse.subjects), first === null ? [] : [first]].find(
    (nouns) => nouns.length > 0 && !nouns.some((each) => subjects.some(({ head }) => head === each.head)),
  );
  const isOther = (each: NounPhrase) => !each.isReference && subjects.every(({ head }) => head !== each.head);
  if (noun.head === "what") {
    const spoken = discourse.subjects.filter(isOther);
    return spoken.length > 0 ? spoken : (others ?? [noun]);
  }
  // "who trains whom", but "trained by whom"
  if (noun.head === "whom" && known(subjects).length > 0) return [noun];
  if (/^(?:it|them|him|her|this|these|those)$/.test(noun.head)) {
    const same = isShared ? known(discourse.objects) : [];
    return others ?? (same.length > 0 ? same : [noun]);
  }
  if (noun.head === "another") return isShared ? known(discourse.objects) : [noun];
  if (/^(?:others?|which|whom|one|ones|each)$/.test(noun.head))
    return subjects.length > 0 ? subjects : [noun];
  return [noun];
}

/** Questions in the order of statements: "does it hang" → "it hangs", "have they been lent" → "they have been lent". */
export function straighten(phrases: readonly Phrase[]): readonly Phrase[] {
  const found = [...phrases];
  for (let at = 0; at < found.length; at++) {
    const auxiliary = found[at];
    if (auxiliary?.kind !== "verb" || !auxiliary.isAuxiliary || auxiliary.isInfinitive) continue;
    const before = found[at - 1];
    const isAsked =
      before === undefined ||
      auxiliary.lemma === "do" ||
      before.kind !== "noun" ||
      /^wh/.test(before.determiner ?? before.head);
    let from = at + 1;
    while (found[from]?.kind === "adverb") from++;
    if (found[from]?.kind !== "noun" || !isAsked) continue;
    let to = passOver(found, from);
    while (found[to]?.kind === "adverb") to++;
    const verb = found[to];
    if (verb?.kind !== "verb" || verb.isAuxiliary || verb.isGerund) continue;
    const isPassive = verb.isPassive || (auxiliary.lemma === "be" && isParticiple({ lower: verb.surface }));
    found.splice(to, 1, {
      ...verb,
      isPassive,
      isInfinitive: false,
      isNegated: auxiliary.isNegated || verb.isNegated,
    });
    found.splice(at, 1);
  }
  return found;
}
