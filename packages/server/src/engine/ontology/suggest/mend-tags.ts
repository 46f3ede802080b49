/** Mends tags by grammar: "publishers release editions" has a verb, and in "finds are stored" a noun is stored. */
import { FRAMING_VERBS, isPropertyNoun } from "./framing-words.ts";
import type { TaggedWord } from "./tagged-word.ts";
import { isPlural } from "./word-forms.ts";

/** A noun phrase with a plural inside, or with a determiner behind its head, is a clause whose verb was taken for a noun. */
export function mendTags(tagged: readonly TaggedWord[]): readonly TaggedWord[] {
  const words = [...tagged];
  const mendVerbs = () => {
    for (const [at, word] of words.entries())
      if (isMistakenVerb(words, at)) words[at] = { ...word, tag: "NOUN" };
  };
  mendVerbs();
  for (const [at, word] of words.entries())
    if (word.tag === "NOUN" && isOwnVerb(words, at))
      words[at] = { ...word, tag: "VERB", lemma: infinitive(word) };
  for (const [at, word] of words.entries()) {
    if (!isMistakenNoun(words, at)) continue;
    words[at] = { ...word, tag: "VERB", lemma: infinitive(word) };
    const before = words[at - 1];
    if (before?.tag === "ADJ") words[at - 1] = { ...before, tag: "NOUN" };
  }
  // Once more: what looked like the verb of a clause may be the object of the one just found.
  mendVerbs();
  return words;
}

function infinitive({ lower, lemma }: TaggedWord): string {
  if (/[^e]ed$/.test(lower)) return lower === lemma ? lower.slice(0, -2) : lemma;
  if (!isPlural(lower)) return lemma;
  if (/[^aeiou]ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  return lower.replace(/(?<=ss|x|z|ch|sh|o)es$|s$/, "");
}

function isMistakenVerb(words: readonly TaggedWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word?.tag === "VERB" && word.lower.endsWith("thing")) return true;
  if (word?.tag !== "VERB" || /(?:ed|ing)$/.test(word.lower) || isOwnVerb(words, at)) return false;
  const isThird = isPlural(word.lower);
  // Nothing that could be its subject: it is a line's first word, follows "to", or has a verb of its own behind.
  if (
    isThird &&
    (before === undefined ||
      before.lower === "to" ||
      (next?.tag === "AUX" && next.lower !== "to" && !/^(?:it|he|she)$/.test(before.lower)))
  )
    return true;
  if (before === undefined) return false;
  // "each quiz has questions"
  if (isThird && before.tag === "AUX" && before.lemma === "have") return true;
  // "use which hops", "which suspects know"
  if (isThird && /^(?:which|what)$/.test(before.lower))
    return (
      (at > 1 && !isNounTag(words[at - 2]) && words[at - 2]?.tag !== "PUNCT") ||
      (next?.tag === "VERB" && !isPlural(next.lower))
    );
  // "a filing date, grant date"
  if (
    before.text === "," &&
    word.lower === word.lemma &&
    isNounTag(next) &&
    isPropertyNoun(next?.lower ?? "")
  )
    return true;
  // "a name, address and age"
  if (
    before.text === "," &&
    !isThird &&
    /^(?:CCONJ|PUNCT)$/.test(next?.tag ?? "PUNCT") &&
    word.lower === word.lemma
  )
    return true;
  // "approve building permits"
  if (isThird && before.tag === "NOUN" && !isPlural(before.lower) && words[at - 2]?.tag === "VERB")
    return true;
  // "Playwrights write plays"
  if (before.tag === "VERB" && isThird && (before.lower === before.lemma || isPlural(before.lower)))
    return next === undefined || !/^(?:DET|NOUN|PRON)$/.test(next.tag);
  const isPlain = isThird || word.lower === word.lemma;
  const isInPhrase =
    (before.tag === "DET" && !/^(?:which|what|that|all|both|each|this)$/.test(before.lower)) ||
    /^(?:their|its|our|my|your|of)$/.test(before.lower) ||
    (before.tag === "ADP" && (isThird || /^(?:PUNCT|CCONJ|NOUN)$/.test(next?.tag ?? "PUNCT"))) ||
    (isBe(before) && !isParticiple(word));
  return isPlain && isInPhrase;
}

const QUANTIFIER = /^(?:others?|more|most|several|many|few|same|such|next|last|some|less)$/;

/** By the words on its sides; the word itself has the form of a noun or of a plain adjective. */
function isMistakenNoun(words: readonly TaggedWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word === undefined || next === undefined || !(isNounTag(word) || word.tag === "ADJ")) return false;
  if (QUANTIFIER.test(word.lower)) return false;
  if (word.tag === "PROPN" && !/^\p{Ll}/u.test(word.text)) return false;
  const opensPhrase =
    (/^(?:DET|PRON|NUM)$/.test(next.tag) && !/^(?:that|who)$/.test(next.lower)) ||
    /^(?:which|what|whom|other|others|another|more|several|many)$/.test(next.lower);
  // "show the ships", "track patients"
  if (before === undefined)
    return FRAMING_VERBS.has(word.lower) && (opensPhrase || (isNounTag(next) && isPlural(next.lower)));
  if (/^(?:they|them|it)$/.test(before.lower)) return opensPhrase && !isPlural(word.lower);
  // "wine bottled by wineries"
  if (word.tag === "ADJ" && isParticiple(word))
    return (
      isNounTag(before) && (opensPhrase || next.tag === "ADP" || (isNounTag(next) && !hasVerb(words, at)))
    );
  const isNominal = opensPhrase || isNounTag(next) || next.tag === "ADJ";
  if (before.tag === "CCONJ") return isJoinedVerb(words, at, { opensPhrase });
  // "sensors, which stand in fields, record rainfall"
  if (before.text === "," && !isPlural(word.lower) && isAfterInsertion(words, at)) return isNominal;
  if (isAskedVerb(words, at)) return !isNounTag(next);
  // "a permit that the authority issues"
  if (
    isPlural(word.lower) &&
    /^(?:PUNCT|CCONJ)$/.test(next.tag) &&
    isNounTag(before) &&
    isRelative(words, phraseStart(words, at - 1) - 1)
  )
    return !isPlural(before.lower);
  // "trawlers land catches": a plural has no verb in the third person.
  const isPlain =
    isNounTag(word) &&
    !isPlural(word.lower) &&
    isNounTag(before) &&
    isPlural(before.lower) &&
    !mayBeginCompound(before.lower);
  if (isPlain && next.tag === "VERB" && isPlural(next.lower)) return true;
  // "each line stops at a station": what an article in the singular introduces has no plural.
  if (
    isPlural(word.lower) &&
    isSingular(words, at - 1) &&
    !QUANTIFIER.test(before.lower) &&
    !mayBeginCompound(word.lower)
  )
    return word.tag === "NOUN" && (isNominal || /^(?:ADP|PUNCT|CCONJ)$/.test(next.tag));
  return !hasVerb(words, at) && isOnlyVerb(words, at, { opensPhrase, isNominal });
}

/**
 * "the products the company [sells]": the verb of a clause that tells of the noun before it, at its end. Of two noun phrases without anything
 * between them the second is its subject, with which the verb agrees.
 */
function isOwnVerb(words: readonly TaggedWord[], at: number): boolean {
  const [subject, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word === undefined || subject?.tag !== "NOUN" || mayBeginCompound(subject.lower)) return false;
  let start = at - 1;
  while (isNounTag(words[start]) || words[start]?.tag === "ADJ") start--;
  const isTold = isNounTag(words[start - 1]) && /^(?:the|an?|each|every)$/.test(words[start]?.lower ?? "");
  const agrees = isPlural(word.lower) !== isPlural(subject.lower);
  return isTold && agrees && (next === undefined || /^(?:PUNCT|CCONJ|AUX)$/.test(next.tag));
}

/** The same where nothing else around is a verb. */
function isOnlyVerb(
  words: readonly TaggedWord[],
  at: number,
  { opensPhrase, isNominal }: { readonly opensPhrase: boolean; readonly isNominal: boolean },
): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (before === undefined || word === undefined || next === undefined) return false;
  if (opensPhrase && before.lower === "which" && words[at - 2]?.text === ",") return isPlural(word.lower);
  if (before.lower === "who" || isRelative(words, at - 1))
    return isNounTag(word) ? isNominal || next.tag === "ADP" : opensPhrase;
  if (!isPlural(word.lower)) {
    if (!isPlural(before.lower) || mayBeginCompound(before.lower)) return false;
    // "the faults that guests report"
    if (/^(?:PUNCT|CCONJ)$/.test(next.tag) && isRelative(words, at - 2)) return true;
    return isNominal || (/^AD[PV]$/.test(next.tag) && word.tag === "NOUN");
  }
  if (word.tag === "ADJ" || isPlural(before.lower)) return false;
  return opensPhrase || (isNounTag(next) && !isMistakenNoun(words, at + 1));
}

/** Whether the comma here closes what the one behind the first noun opened. */
function isAfterInsertion(words: readonly TaggedWord[], at: number): boolean {
  const comma = words.findIndex(({ text }) => text === ",");
  const opens = /^(?:which|who|whose|with|where)$/.test(words[comma + 1]?.lower ?? "");
  const isClosed = words.findIndex(({ text }, place) => place > comma && text === ",") === at - 1;
  return (
    opens &&
    isClosed &&
    isNounTag(words[comma - 1]) &&
    !words.slice(0, comma).some((_, place) => isVerb(words, place))
  );
}

/** "own or lease", "departs from and lands at", "feed the animals and clean the enclosures". */
function isJoinedVerb(
  words: readonly TaggedWord[],
  at: number,
  { opensPhrase }: { readonly opensPhrase: boolean },
): boolean {
  const [second, word, next] = [words[at - 2], words[at], words[at + 1]];
  if (word === undefined || second === undefined) return false;
  if (second.tag === "ADP") return next?.tag === "ADP";
  if (second.tag === "VERB") return !isPlural(word.lower) && second.lower === second.lemma;
  const isPlain = !isPlural(word.lower);
  // "has a buddy and lives in a dormitory"
  if (!isPlain && isSingular(words, at - 2) && (opensPhrase || next?.tag === "ADP")) return true;
  // "and mentions events": no plural begins a compound.
  if (!isPlain && !mayBeginCompound(word.lower) && isNounTag(next) && isPlural(next?.lower ?? ""))
    return true;
  if (JOINED_VERBS.has(word.lower) && isNounTag(second) && isPlural(next?.lower ?? "")) return true;
  if (isPlain && opensPhrase && next?.tag !== "NUM") return true;
  return (
    isPlain && word.tag === "NOUN" && isPlural(second.lower) && /^(?:for|at|with)$/.test(next?.lower ?? "")
  );
}

/** Seldom begin a compound: "papers cite others and use datasets". */
const JOINED_VERBS: ReadonlySet<string> = new Set(
  (
    "use own need want follow like cause rate visit rent share write read note record order check test report " +
    "sign hold lead run book buy sell file load store clean repair review issue check feed cover rank log track"
  ).split(" "),
);

/** "did each member vote on": the verb that "do" asks for. */
function isAskedVerb(words: readonly TaggedWord[], at: number): boolean {
  let start = at - 1;
  if (!isNounTag(words[start]) && words[start]?.tag !== "ADJ") return false;
  while (isNounTag(words[start]) || /^(?:DET|ADJ)$/.test(words[start]?.tag ?? "")) start--;
  return /^(?:do|does|did)$/.test(words[start]?.lower ?? "");
}

function isRelative(words: readonly TaggedWord[], at: number): boolean {
  const before = words[at - 1];
  return (
    /^(?:which|that)$/.test(words[at]?.lower ?? "") &&
    (isNounTag(before) || (before?.text === "," && words[at]?.lower !== "which"))
  );
}

function phraseStart(words: readonly TaggedWord[], noun: number): number {
  let at = noun;
  while (isNounTag(words[at - 1]) || /^(?:DET|ADJ)$/.test(words[at - 1]?.tag ?? "")) at--;
  return at;
}

/** Whether the noun here has an article in the singular. */
function isSingular(words: readonly TaggedWord[], noun: number): boolean {
  let at = noun - 1;
  while (isNounTag(words[at]) || (words[at]?.tag === "ADJ" && !QUANTIFIER.test(words[at]?.lower ?? ""))) at--;
  return at < noun && /^(?:an?|each|every|one|this)$/.test(words[at]?.lower ?? "");
}

/** Whether the part of the sentence around has a verb in the tagger's eyes: up to commas, conjunctions and question words. */
function hasVerb(words: readonly TaggedWord[], at: number): boolean {
  for (let before = at - 1; before >= 0 && !isBoundary(words, before); before--)
    if (isVerb(words, before)) return true;
  for (let after = at + 1; after < words.length && !isBoundary(words, after); after++)
    if (isVerb(words, after)) return true;
  return false;
}

function isVerb(words: readonly TaggedWord[], at: number): boolean {
  const tag = words[at]?.tag;
  // "bouquets made from flowers"
  if (
    tag === "VERB" &&
    isNounTag(words[at - 1]) &&
    words[at + 1]?.tag === "ADP" &&
    isParticiple(words[at]!) &&
    words[at]!.lower !== words[at]!.lemma
  )
    return false;
  return tag === "AUX" || (tag === "VERB" && !isModifier(words, at));
}

function isBoundary(words: readonly TaggedWord[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return true;
  return (
    // "before they start"
    (/^(?:ADP|SCONJ)$/.test(word.tag) && /^(?:they|it|he|she|we|you|i)$/.test(words[at + 1]?.lower ?? "")) ||
    word.tag === "PUNCT" ||
    word.tag === "CCONJ" ||
    /^(?:which|who|whom|that|what|where|when|while|\/|\+)$/.test(word.lower)
  );
}

/** "published articles" after an article: the participle is an adjective. */
export function isModifier(words: readonly TaggedWord[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word === undefined || !isNounTag(next)) return false;
  // "booking agents sell tickets", "fees and living costs"; but "to track", "lending books and selling maps".
  if (isIngForm(word) && !FRAMING_VERBS.has(word.lemma) && /^(?:ADP|CCONJ)$/.test(before?.tag ?? "ADP"))
    return isPlural(next?.lower ?? "") && !words.slice(0, at).some(isIngForm);
  if (before === undefined || !(isParticiple(word) || isIngForm(word))) return false;
  // "solutions to known problems"
  if (before.lower === "to") return word.lower !== word.lemma;
  return (
    /^(?:DET|ADJ|NUM)$/.test(before.tag) ||
    (before.tag === "ADP" && isParticiple(word)) ||
    /^(?:their|its|our|which|what)$/.test(before.lower)
  );
}

export function isNounTag(word: TaggedWord | undefined): boolean {
  return (
    word !== undefined &&
    (/^(?:NOUN|PROPN)$/.test(word.tag) || (word.tag === "X" && /^\p{L}/u.test(word.lower)))
  );
}

const IRREGULAR_PARTICIPLES =
  /^(?!open$)(?:\w{2,60}(?:wn|en)|\w{1,60}(?:ed|ught|elt|ept|aid|old|ade)|made|held|led|built|sent|set|put|run|read|cut|met|kept|found|won|paid|sung|sang|sold|told|born|done|gone|heard|said|lost|left|understood|stood|felt|dealt|lent|spent|bent|hit|shut|bound|fed|bred|hung|struck|spun|swept|lit|shot|dug|begun|worn|torn|split|spread|cast)$/;

export function isParticiple({ lower }: { readonly lower: string }): boolean {
  return IRREGULAR_PARTICIPLES.test(lower);
}

const PLAIN_ING: ReadonlySet<string> = new Set(
  "bring sing ring spring swing string sting cling fling wring".split(" "),
);

/** "tracking", but not "bring". */
export function isIngForm({ lower }: TaggedWord): boolean {
  return lower.endsWith("ing") && !PLAIN_ING.has(lower);
}

export function isBe({ lemma, lower }: TaggedWord): boolean {
  return lemma === "be" || /^(?:is|are|was|were|be|been|being|['’]re|['’]m)$/.test(lower);
}

/** Plurals in form that begin compounds: "sports club". */
const COMPOUND_STARTS: ReadonlySet<string> = new Set(
  (
    "sales sports goods systems operations customs arts savings news series species mathematics physics economics " +
    "politics logistics analytics resources communications materials electronics robotics genetics premises works " +
    "sanctions claims parts accounts"
  ).split(" "),
);

export function mayBeginCompound(plural: string): boolean {
  return COMPOUND_STARTS.has(plural);
}
