/** Whether what ends a question can be of a part of it, by the shape of its words: what is not certain is taken for a part. */
import type { Word } from "../text/date-patterns.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";

const asking = /^(?:who|whom|whose|which|what|where|why|how)$/;
/** Words that begin a clause, or tell of another time than the one that is named. */
const other = new Set(
  (
    "after before since until till while whereas because although though unless if whether then than once that " +
    "now nowadays today tonight currently presently later earlier afterwards subsequently previously formerly ago"
  ).split(" "),
);
const finite = new Set(
  "is are was were has have had did does do will would can could may might shall should must".split(" "),
);
const joining = new Set(["and", "or", "but"]);
const determiner = /^(?:the|a|an|this|that|these|those|its|his|her|their|our|your|my|\d+)$/;
const pronoun = /^(?:i|he|she|we|they)$/;
const neutral = /^(?:it|you)$/;
const apart = /^[():;"“”–—?!,[\]]$/;

/** "who joined and leads", "the firm that …", "Ada, who …", "the firm she led": a second clause, or what may be one. */
export function canBeTwoClauses(words: readonly Word[]): boolean {
  const [asked = 0, ...more] = words.flatMap(({ lower }, at) => (asking.test(lower) ? [at] : []));
  // "did it have", "could have led"
  const helping = words.flatMap(({ lower }, at) => (finite.has(lower) && lower !== "have" ? [at] : []));
  const verbs =
    helping.length > 0 ? helping : words.flatMap(({ lower }, at) => (lower === "have" ? [at] : []));
  const isSubject = /^whom?$/.test(words[asked]?.lower ?? "");
  return (
    more.length > 0 ||
    asked > 1 ||
    verbs.length > 1 ||
    (isSubject && verbs.some((at) => at > asked + 1)) ||
    words.some((_, at) => isBoundary(words, at))
  );
}

function isBoundary(words: readonly Word[], at: number): boolean {
  const { text = "", lower = "" } = words[at] ?? {};
  const [before, next] = [words[at - 1], words[at + 1]];
  if (other.has(lower) || apart.test(text)) return true;
  if (text === ".") return !/^\p{Lu}\p{L}{0,3}$/u.test(before?.text ?? "");
  if (joining.has(lower)) return !/^\p{Lu}/u.test(next?.text ?? "") && !determiner.test(next?.lower ?? "");
  const isAfterVerb = finite.has(before?.lower ?? "");
  if (neutral.test(lower)) return !isAfterVerb && next !== undefined;
  return pronoun.test(lower) && !isAfterVerb;
}

const participle = /(?:ed|en|wn|rn|ilt|aid|ade|ought|old)$/;
const irregular = new Set(
  "set ran won left led met lost kept held began became wrote took gave sent spent chose drew".split(" "),
);
const infinitives = new Set(
  "own open happen need listen be turn return earn learn hold succeed proceed exceed".split(" "),
);
/** Participles of what lasts: after "was", they say what something was in, by or called, and not which one of several it is. */
const states = new Set(
  "headquartered based located situated stationed housed registered employed owned called known led run ruled governed managed".split(
    " ",
  ),
);
const past = new Set(["was", "were"]);
const auxiliaries = new Set("is are was were be been being has have had did does do get got".split(" "));

/**
 * "the bridge built in 1990", "the firm Ada ran in 1990" say which one; "was built in 1990", "who ran in 1990" and "where was the firm
 * based in 1990" say when.
 */
export function isOfVerb(words: readonly Word[]): boolean {
  // "Which party won"
  if (words.length <= 3 && asking.test(words[0]?.lower ?? "")) return false;
  return words.some(({ lower }, at) => {
    const isPlaced = at === words.length - 1 || words[at + 1]?.lower === "by";
    const isVerb = (participle.test(lower) && !infinitives.has(lower)) || irregular.has(lower);
    const isState = states.has(lower) && isOfPast(words.slice(0, at));
    return isPlaced && isVerb && !isState && !isOfSubject(words.slice(Math.max(0, at - 2), at));
  });
}

/** "where was the firm" before "based", but not "who was the head of the firm" before "based in Leith": that tells of the firm. */
function isOfPast(words: readonly Word[]): boolean {
  const at = words.findLastIndex(({ lower }) => past.has(lower));
  return at >= 0 && !words.slice(at).some(({ lower }) => preposition.test(lower));
}

/** "was built", "was formerly owned", "who joined" */
function isOfSubject([other, last]: readonly Word[]): boolean {
  const before = last ?? other;
  const isAdverb = before?.lower.endsWith("ly") === true && auxiliaries.has(other?.lower ?? "");
  return isAdverb || auxiliaries.has(before?.lower ?? "") || ENGLISH_STOP_WORDS.has(before?.lower ?? "");
}

/** Nouns of what happens have a time of their own: by their endings, but for those of bodies and conditions. */
const happening = /(?:tion|sion|ment|ance|ence|ing|over|ure|ery|quake)s?$/;
const lasting =
  /^(?:organi[sz]ation|corporation|association|institution|foundation|administration|federation|station|section|division|commission|nation|mission|delegation|population|position|location|coalition|opposition|constitution|profession|department|government|parliament|apartment|settlement|regiment|establishment|management|document|residence|science|alliance|insurance|finance|audience|province|building|king|structure|temperature|furniture|gallery|brewery|bakery|cemetery|monastery|nursery|refinery)s?$/;
const happenings = new Set(
  (
    "merger sale war strike fire crash fair move launch flood split buyout election attack battle deal treaty birth death visit event " +
    "coup game race summit vote riot murder marriage funeral debut premiere tour concert match storm famine revolt siege raid victory defeat " +
    "purchase transfer collapse scandal crisis bid arrival removal trial approval renewal withdrawal fight"
  ).split(" "),
);
const before = /^(?:the|a|an|this|that|its|his|her|their|our|'s|’s|.{1,40}['’]s?)$/;
const preposition = /^(?:of|for|in|at|by|with|to|from|about|on)$/;

/** "the merger in 1990" */
export function isOfNoun(words: readonly Word[]): boolean {
  const { text = "", lower: last = "" } = words.at(-1) ?? {};
  if (/^\p{Lu}/u.test(text)) return false;
  const isHappening =
    (happening.test(last) && !lasting.test(last)) ||
    happenings.has(last) ||
    happenings.has(last.replace(/s$/, ""));
  // "did the firm move" has a verb there, and "the head of production" is a head.
  const isAsked = words.some(({ lower }) => /^(?:did|does|do)$/.test(lower));
  const near = words.slice(isAsked ? -2 : -4, -1).map(({ lower }) => lower);
  const phrase = near.slice(near.findLastIndex((word) => preposition.test(word)) + 1);
  return isHappening && phrase.some((word) => before.test(word));
}
