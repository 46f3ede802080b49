/** Reads who does what to whom out of the phrases of a sentence: questions, relative clauses, shared subjects and objects. */
import { isFramingSubject } from "./corpus.ts";
import { isReduced, isSubject, listBefore, listFrom, passOver } from "./noun-lists.ts";
import { isSpeaker, type NounPhrase, type Phrase, type VerbPhrase } from "./phrase.ts";
import { type Discourse, namedBefore, resolveObject, resolveSubject, type Spoken } from "./pronouns.ts";

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
  const pronouns = new Map<string, readonly NounPhrase[]>();
  let last = null as { clause: Clause; gap: Gap | null } | null;
  for (const [at, phrase] of phrases.entries()) {
    if (phrase.kind !== "verb") continue;
    const left = leftOf(phrases, at);
    const isShared: boolean = left.kind === "shared" && last !== null;
    const spoken: Spoken = {
      discourse,
      main,
      named: namedBefore(phrases, at),
      pronouns,
      isFirst: discourse === before,
    };
    const right = readRight(phrases, at);
    // "items and the departments responsible for them"
    const isOfOthers = [...right.objects, ...right.complements.flatMap(({ nouns }) => nouns)].some(
      ({ isReference, head }) => isReference && /^(?:it|them)$/.test(head),
    );
    const heads = left.kind === "dependent" && isOfOthers ? left.nouns.slice(-1) : left.nouns;
    const own = heads.flatMap((noun) => resolveSubject(noun, left.gap?.nouns ?? [], spoken));
    // "fixed in version 2": of what was spoken of before.
    const isBare = own.length === 0 && isReduced(phrases, at) && !phrase.isGerund;
    // "a play that was written by a poet, is staged in a hall"
    const isResumed =
      last?.clause.isDependent === true && isAfterComma(phrases, at) && !isReduced(phrases, at);
    const sharing = isResumed && main.length > 0 ? main : (last?.clause.subjects ?? []);
    // "the data [it delivers] are used"
    const told =
      phrases[at - 1]?.kind === "verb" && last?.clause.isDependent === true ? last.gap?.nouns : undefined;
    const subjects = told !== undefined ? told : isShared ? sharing : isBare ? discourse.subjects : own;
    const gap: Gap | null = left.gap ?? (isShared && right.objects.length === 0 ? (last?.gap ?? null) : null);
    const { isPassive } = phrase;
    const filled = fillGap(
      right,
      gap ?? (isBare ? { preposition: "", nouns: subjects } : null),
      isPassive || isBare,
    );
    const resolve = (nouns: readonly NounPhrase[]) =>
      nouns.flatMap((noun) => resolveObject(noun, subjects, isShared, spoken));
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
        (isShared && !isResumed && last?.clause.isDependent === true),
    };
    if (last !== null && isShared) clauses.push(...shareObjects(last.clause, clause, phrases, at));
    last = { clause, gap };
    clauses.push(clause);
    if (!clause.isDependent && subjects.length > 0 && !subjects.every(isFramingSubject)) main = subjects;
    const named = [
      ...(gap?.nouns ?? (isPassive ? subjects : clause.objects)),
      ...clause.complements.flatMap(({ nouns }) => nouns),
    ].filter((noun) => !noun.isReference);
    const isSpoken = !clause.isDependent && subjects.length > 0 && !subjects.every(isFramingSubject);
    if (!clause.isDependent)
      discourse = {
        subjects: isSpoken ? subjects.filter((noun) => !noun.isReference) : discourse.subjects,
        objects: named.length > 0 ? named.slice(0, Math.max(1, clause.objects.length)) : discourse.objects,
      };
  }
  return { clauses: [...clauses, ...clauses.flatMap((clause) => repeat(clause, phrases))], discourse };
}

/** "plots lie in parks, parks in towns": the verb is left out. */
function repeat(clause: Clause, phrases: readonly Phrase[]): readonly Clause[] {
  return phrases.flatMap((phrase, at) => {
    const [before, preposition, place] = [phrases[at - 1], phrases[at + 1], phrases[at + 2]];
    if (phrase.kind !== "noun" || preposition?.kind !== "preposition" || place?.kind !== "noun") return [];
    const isRepeated = clause.complements.some(
      (complement) =>
        complement.preposition === preposition.word &&
        complement.nouns.some(({ head }) => head === phrase.head),
    );
    if (!isRepeated || !/^(?:comma|and)$/.test(before?.kind ?? "") || isSubject(phrases, at + 3)) return [];
    return [
      {
        ...clause,
        subjects: [phrase],
        objects: [],
        complements: [{ preposition: preposition.word, nouns: [place] }],
      },
    ];
  });
}

function isAskedAt(phrases: readonly Phrase[], at: number): boolean {
  const noun = phrases[at];
  return noun?.kind === "noun" && /^wh/.test(noun.determiner ?? "");
}

function isAfterComma(phrases: readonly Phrase[], at: number): boolean {
  return phrases[phrases[at - 1]?.kind === "and" ? at - 2 : at - 1]?.kind === "comma";
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
    return { nouns: listBefore(phrases, at - 1, { hops: true }).nouns, kind: "dependent", gap: null };
  // "ships, with their crew, call at ports"
  const [subject, comma, insertion] = phrases;
  const isInserted = subject?.kind === "noun" && comma?.kind === "comma" && insertion?.kind === "preposition";
  if (before.kind === "comma" && isFirst && isInserted)
    return { nouns: [subject], kind: "subject", gap: null };
  if (before.kind === "and" || before.kind === "comma" || before.kind === "verb")
    return { ...none, kind: "shared" };
  if (before.kind === "relative") {
    // "who the conductor was that led it"
    const end = phrases[at - 1]?.kind === "comma" || phrases[at - 1]?.kind === "verb" ? at - 2 : at - 1;
    if (phrases[end]?.kind !== "noun" || before.word === "where") return none;
    const { nouns, from } = listBefore(phrases, end, { hops: false });
    // "agencies, and the lawyers who settle disputes"
    const isCut = phrases
      .slice(from, end)
      .some(({ kind }, at, all) => kind === "comma" && all[at + 1]?.kind === "and");
    return { nouns: isCut ? nouns.slice(-1) : nouns, kind: "dependent", gap: null };
  }
  if (before.kind !== "noun" || verb.isInfinitive) return none;
  if (isReduced(phrases, verbAt))
    return { nouns: listBefore(phrases, at, { hops: false }).nouns, kind: "dependent", gap: null };
  const { nouns, from } = listBefore(phrases, headOfRelative(phrases, at) ?? at, { hops: true });
  const direct = gapBefore(phrases, from);
  // "which building an apartment in town is in" has no hop over what is asked for.
  return { nouns, kind: "subject", gap: direct };
}

/** "authors" of "authors who live in cities [write]": what a clause hangs on that ends here; null where none does. */
function headOfRelative(phrases: readonly Phrase[], end: number): number | null {
  let at = end;
  while (
    /^(?:noun|preposition|possessive|adverb|adjective)$/.test(phrases[at]?.kind ?? "") &&
    !isAskedAt(phrases, at)
  )
    at--;
  if (phrases[at]?.kind !== "verb") return null;
  const isLed = phrases[at - 1]?.kind === "relative";
  const head = isLed ? at - 2 : at - 1;
  return (isLed || isReduced(phrases, at)) && phrases[head]?.kind === "noun" ? head : null;
}

/** What stands before a subject and is no part of it: "the ports [they call at]", "in which gallery [it hangs]". */
function gapBefore(phrases: readonly Phrase[], from: number): Gap | null {
  let at = from - 1;
  const relative = phrases[at];
  let preposition = "";
  if (relative?.kind === "relative") {
    if (relative.word === "where") preposition = "in";
    at -= phrases[at - 1]?.kind === "comma" ? 2 : 1;
  } else if (
    relative?.kind === "noun" &&
    /^wh/.test(relative.head) &&
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
  // "sells us malt", "assigns it a berth"
  const given =
    receiver?.kind === "noun" && receiver.isReference && receiver.head !== "there" ? receiver : null;
  const isGiven =
    given !== null && phrases[at + 1]?.kind === "noun" && !isSubject(phrases, passOver(phrases, at + 1));
  if (isGiven) at++;
  // "decides which ship sails": the subject of a verb is no object.
  // But for "authors who write books live".
  const isInside = phrases[verbAt - 1]?.kind === "relative" || isReduced(phrases, verbAt);
  const isTaken = (noun: number) =>
    (!isInside || isAskedAt(phrases, noun)) && isSubject(phrases, passOver(phrases, noun));
  const objects = isTaken(at) ? { nouns: [], to: at } : listFrom(phrases, at);
  const listed = listFrom(phrases, at, { isLoose: true }).nouns;
  at = objects.to;
  const complements: Complement[] =
    isGiven && !isSpeaker(given) ? [{ preposition: "to", nouns: [given] }] : [];
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
    // "which school did he attend before"
    if (list.nouns.length === 0 && /^(?:before|since)$/.test(preposition.word)) break;
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
