/** Finds the verb in "publishers release editions", where a tagger sees three nouns. */
import type { TaggedWord } from "./tagged-word.ts";
import { isPlural, thirdPerson } from "./word-forms.ts";

/** Verbs that are nouns as well. */
const NOUN_VERBS: ReadonlySet<string> = new Set(
  (
    "release review bottle issue target drive call ship record file fund supply cover test cause study support design " +
    "plan sponsor host load transport process rate grade award name price book order visit schedule face trade mine fish " +
    "farm plant harvest chair head group report power plough plow trim range produce sample document model train coach " +
    "mentor staff license patent market service stock store list post share like follow tag comment message email mail " +
    "text phone contact link reference cite quote source mention note question answer query track trace map chart log " +
    "audit check control monitor balance budget bill charge invoice fee tax fine lease rent loan credit debit bank " +
    "finance insure claim contract form shape mold mould cast press print stamp label mark sign seal stage score play " +
    "act dance sound tour exhibit display show screen broadcast air water feed breed graze guard police patrol rescue " +
    "treat cure dose bond bind block guide lead rule judge sentence rank place position locate house home field pilot " +
    "crew man dock anchor land route deliver haul tow lift raise drill pump pipe store heat cool light fire fuel charge " +
    "signal switch trigger effect impact influence damage harm attack bomb raid siege battle fight war defeat win " +
    "marry divorce mother father parent found start launch end close open access use need want exchange purchase sale " +
    "buy sell offer bid quote deal vote elect veto table draft edit author translate code program debug patch deploy " +
    "run build compile import export import index cache queue buffer stream back front border neighbour neighbor bridge " +
    "cross span connect join merge split branch fork work staff employ hire fire manage head report answer attend " +
    "serve cook bake brew grill season smoke cure age grape press taste sample pair hunt trap catch net " +
    "own command view exploit premiere interview measure star direct feature secure clean complete separate present object subject project conduct permit import refund " +
    "transfer update upgrade upload download survey suspect tutor lecture brand craft farm mill forge design draw paint " +
    "picture photograph film shoot dress fashion style coat load pack wrap box bag can bottle label date time shelve fly"
  ).split(" "),
);

/** Plurals in form that begin compounds: "sports club". */
const COMPOUND_STARTS: ReadonlySet<string> = new Set(
  (
    "sales sports goods systems operations customs arts savings news series species mathematics physics economics " +
    "politics logistics analytics resources communications materials electronics robotics genetics premises works"
  ).split(" "),
);

/** Seldom begin a compound, so that they are verbs behind an "and", too. */
const JOINED_VERBS: ReadonlySet<string> = new Set(
  "use own need want follow like cause rate review visit rent share".split(" "),
);

export function mayBeginCompound(plural: string): boolean {
  return COMPOUND_STARTS.has(plural);
}

const THIRD_PERSONS: ReadonlyMap<string, string> = new Map(
  [...NOUN_VERBS].map((verb) => [thirdPerson(verb), verb]),
);

/** The words with such verbs tagged as verbs: after a plural the plain form, after a singular with an article that of the third person. */
export function tagMistakenNouns(words: readonly TaggedWord[]): readonly TaggedWord[] {
  let hasVerb = false;
  return words.map((word, at) => {
    if (isMistakenVerb(words, at)) return { ...word, tag: "NOUN" };
    if (word.tag === "PUNCT" && word.text !== ",") hasVerb = false;
    if (word.tag === "VERB" || word.tag === "AUX") hasVerb = true;
    const lemma =
      hasVerb && words[at - 1]?.lower !== "and" && !endsClause(words[at - 2])
        ? null
        : mistakenVerb(words, at);
    if (lemma === null) return word;
    hasVerb = true;
    return { ...word, tag: "VERB", lemma };
  });
}

/** "Playwrights write plays": what follows a plain verb directly, in the form of a plural, is its object. */
function isMistakenVerb(words: readonly TaggedWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (before?.tag !== "VERB" || word?.tag !== "VERB" || !isPlural(word.lower)) return false;
  return before.lower === before.lemma && (next === undefined || !/^(?:DET|NOUN|PRON)$/.test(next.tag));
}

function endsClause(word: TaggedWord | undefined): boolean {
  return word === undefined || /^(?:,|and|or|which|who|that|while|but|when|:|;)$/.test(word.lower);
}

function mistakenVerb(words: readonly TaggedWord[], at: number): string | null {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (before === undefined || word === undefined || next === undefined) return null;
  if (word.tag !== "NOUN" && word.tag !== "PROPN" && word.tag !== "ADJ" && word.tag !== "ADP") return null;
  // "budgets that fund measures"
  const isRelated =
    /^(?:that|which|who)$/.test(before.lower) && isNoun(words[at - 2]) && /^(?:NOUN|DET)$/.test(next.tag);
  if (isRelated && NOUN_VERBS.has(word.lower)) return word.lower;
  // "papers cite others and use datasets"
  const isListed = before.lower === "and" && JOINED_VERBS.has(word.lower) && words[at - 2]?.tag === "NOUN";
  if (isListed && (isPlural(next.lower) || next.tag === "DET")) return word.lower;
  if (!isNoun(before) || !/^(?:NOUN|PROPN|DET|ADP|ADJ|PRON|NUM)$/.test(next.tag)) return null;
  const isCountable = isPlural(before.lower) && !COMPOUND_STARTS.has(before.lower);
  if (isCountable && NOUN_VERBS.has(word.lower)) return word.lower;
  const article = words
    .slice(Math.max(0, at - 4), at - 1)
    .some(({ lower }) => /^(?:an?|each|every|the|our|their|its|this)$/.test(lower));
  const lemma = THIRD_PERSONS.get(word.lower);
  // "malware exploits vulnerabilities"
  const opens = endsClause(words[at - 2]) && isPlural(next.lower);
  return !isPlural(before.lower) && (article || opens) && lemma !== undefined ? lemma : null;
}

function isNoun(word: TaggedWord | undefined): boolean {
  return word?.tag === "NOUN" || word?.tag === "PROPN";
}
