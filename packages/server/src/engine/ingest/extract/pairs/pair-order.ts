/** Which of two things of one type does what an edge type tells: by the sentence's own voice, and by whether the type's name is active. */
import type { EdgeProfile } from "../relations/edge-profile.ts";
import type { Stem } from "../relations/word-forms.ts";
import { isFormOfBe, type TaggedToken } from "../statements/tagged-token.ts";

/** The words about two names, from the first to the second of the sentence. */
export interface NamesPlace {
  readonly gap: readonly TaggedToken[];
  readonly after: readonly TaggedToken[];
  /** Right before the second name, without its article. */
  readonly second: TaggedToken | undefined;
}

/** 1 where "by X" makes X the one that does what the edge type tells, −1 where it is done to X. */
export function agentOf(
  { role }: EdgeProfile,
  source: TaggedToken | undefined,
  target: TaggedToken | undefined,
): number {
  const [bySource, byTarget] = [source, target].map((token) => Number(token?.lower === "by"));
  const said = (byTarget ?? 0) - (bySource ?? 0);
  return role === "agent" ? said : role === "patient" ? -said : 0;
}

/**
 * Whether the first name of the sentence is the target, where no "by" tells. Where nothing else does, the first is the source: "X reports to Y", "X, a
 * subsidiary of Y". A name such as ACQUIRED_BY is turned where the first thing is said to do it: "X has acquired Y".
 */
export function isFirstTarget(profile: EdgeProfile, place: NamesPlace, stem: Stem): boolean {
  const { role } = profile;
  if (role === "any") return false;
  const doer = doerOf(profile, place, stem);
  if (doer === null) return false;
  return (doer === "first") === (role === "agent");
}

type Doer = "first" | "second";

const other = (doer: Doer): Doer => (doer === "first" ? "second" : "first");

/** What the subject undergoes rather than does: who joins or serves a firm is employed by it. */
const undergoing = new Set(
  (
    "join leave enter serve represent receive accept obey inherit need require use attend follow succeed suffer face get " +
    "include become remain have be"
  ).split(" "),
);
/** What comes later, and what was there before: who succeeds somebody was preceded. */
const laterVerbs = new Set("follow succeed replace supersede displace supplant".split(" "));
const earlierVerbs = new Set("precede predate".split(" "));
/** Whoever is called so undergoes what the other does. */
const undergoers = new Set(
  (
    "subsidiary unit division arm branch student pupil disciple apprentice protégé protege trainee employee deputy " +
    "subordinate customer client tenant victim"
  ).split(" "),
);
/** Whoever is called so does it to the other, whatever the name of the edge type. */
const doers = new Set(["parent"]);
/** "OWNS", "BOUGHT": who does it is the source. */
const activeName = /^\p{L}+(?:ed|es|s|ght|ld)$/u;

function doerOf(profile: EdgeProfile, place: NamesPlace, stem: Stem): Doer | null {
  const { gap, after } = place;
  const isOwn: IsOwn = (word) => profile.triggers.has(stem(word));
  const called = doerByNoun(profile, place, isOwn);
  if (called !== null) return called;
  const at = gap.findIndex(({ tag }) => tag === "VERB");
  const verb = gap[at];
  if (verb !== undefined) return isActive(gap, at) ? doerByVerb(profile, { place, at, isOwn }) : null;
  // "Y, which X has acquired": the verb is behind the second name.
  const isSaid = after.some(({ lemma }, index) => isActive(after, index) && isOwn(lemma));
  return isObject(gap) && isSaid ? "second" : null;
}

/** Whether a word is one of the edge type. */
type IsOwn = (word: string) => boolean;

/** "X is the owner of Y", "X's owner Y", "X's purchase of Y". */
function doerByNoun({ role, label }: EdgeProfile, { gap, second }: NamesPlace, isOwn: IsOwn): Doer | null {
  const isOf = second?.lower === "of";
  const isGenitive = /^['’]s?$/.test(gap[0]?.lower ?? "");
  const nouns = gap.filter(({ tag }) => tag === "NOUN");
  const noun = nouns.at(-1);
  if (noun === undefined || (!isOf && !isGenitive)) return null;
  if (isOf && isGenitive) return isOwn(noun.lemma) ? "first" : null;
  if (gap.some(({ tag }) => tag === "VERB")) return null;
  const named: Doer = isOf ? "first" : "second";
  // What belongs to another is its "subsidiary" under a name such as BELONGS_TO, too.
  if (undergoers.has(noun.lemma)) return role === "agent" || activeName.test(label) ? other(named) : null;
  return nouns.some(({ lemma }) => doers.has(lemma) || isDoer(lemma, isOwn)) ? named : null;
}

/** "owner" of "own", "supplier" of "supply". */
function isDoer(noun: string, isOwn: IsOwn): boolean {
  return /(?:er|or)$/.test(noun) && [noun, noun.slice(0, -1), noun.slice(0, -2)].some(isOwn);
}

interface VerbBetween {
  readonly place: NamesPlace;
  readonly at: number;
  readonly isOwn: IsOwn;
}

function doerByVerb({ label }: EdgeProfile, { place, at, isOwn }: VerbBetween): Doer | null {
  const { lemma = "" } = place.gap[at] ?? {};
  if (lemma === "belong") return activeName.test(label) ? "second" : null;
  if (!isTransitive(place, at, isOwn)) return null;
  const [own = ""] = label.split(" ");
  const isOfName = (verbs: ReadonlySet<string>) =>
    [...verbs].some((verb) => own.startsWith(verb.slice(0, -1)));
  const isLater = isOfName(laterVerbs);
  if (laterVerbs.has(lemma) && (isLater || isOfName(earlierVerbs))) return isLater ? "first" : "second";
  if (earlierVerbs.has(lemma) && isLater) return "second";
  return undergoing.has(lemma) ? null : "first";
}

/** Not "was bought", nor "X, bought in 2004". */
function isActive(tokens: readonly TaggedToken[], at: number): boolean {
  const verb = tokens[at];
  if (verb?.tag !== "VERB") return false;
  const last = tokens.slice(0, at).findLast(({ tag }) => tag !== "ADV" && tag !== "PART");
  if (last !== undefined && (isFormOfBe(last) || last.lemma === "get")) return /ing$/.test(verb.lower);
  return !(last?.text === "," && /(?:ed|en|ght|ld)$/.test(verb.lower));
}

/** Its object is the second name, perhaps as "its purchase of Y": no preposition is between. */
function isTransitive({ gap, second }: NamesPlace, at: number, isOwn: IsOwn): boolean {
  if (second?.tag !== "ADP") return true;
  if (second === gap[at + 1]) return /^(?:over|up|out|off)$/.test(second.lower);
  return second.lower === "of" && gap.slice(at + 1).some(({ tag, lemma }) => tag === "NOUN" && isOwn(lemma));
}

/** "Y, which": what follows is said of Y by another. */
function isObject(gap: readonly TaggedToken[]): boolean {
  return /^(?:, )?(?:which|that|whom|who)(?: the| an?)?$/.test(gap.map(({ lower }) => lower).join(" "));
}
