/** Cuts a tagged sentence into noun phrases, verbs and the small words between them. */

import { isBe, isIngForm, isModifier, isNounTag, isParticiple, mendTags } from "./mend-tags.ts";
import { isSpeaker, type NounPhrase, type Phrase, reference, type VerbPhrase } from "./phrase.ts";
import { type Read, readNoun } from "./read-noun.ts";
import type { TaggedWord } from "./tagged-word.ts";

/** Linear in the number of words. */
export function findPhrases(tagged: readonly TaggedWord[]): readonly Phrase[] {
  const words = mendTags(joinHyphens(tagged.filter((_, at) => !isFiller(tagged, at))));
  const found: Phrase[] = [];
  let at = 0;
  while (at < words.length) {
    const { phrase, to } = phraseAt(words, at, found);
    const isTelling =
      phrase?.kind === "adjective" &&
      words[at + 1]?.tag === "ADP" &&
      (found.at(-1)?.kind === "noun" ||
        (found.length === 2 && found[0]?.kind === "noun" && found[1]?.kind === "comma"));
    if (isTelling) found.push(...WHICH_IS);
    if (phrase !== null) found.push(phrase.kind === "noun" ? withDeterminer(phrase, found) : phrase);
    at = Math.max(to, at + 1);
  }
  return found;
}

/** "the clerk responsible for permits" is the one who is responsible. */
const WHICH_IS: readonly Phrase[] = [
  { kind: "relative", word: "which" },
  {
    kind: "verb",
    lemma: "be",
    surface: "is",
    particle: "",
    isPassive: false,
    isNegated: false,
    isInfinitive: false,
    isWanted: false,
    isGerund: false,
    isAuxiliary: false,
  },
];

/** "the ship's crew" is definite, and in "which port and pier" both are asked for. */
function withDeterminer(noun: NounPhrase, before: readonly Phrase[]): NounPhrase {
  if (noun.determiner !== null || noun.isReference || noun.isPlural) return noun;
  const [second, last] = [before.at(-2), before.at(-1)];
  if (last?.kind === "possessive") return { ...noun, determiner: "the" };
  return last?.kind === "and" && second?.kind === "noun" ? { ...noun, determiner: second.determiner } : noun;
}

/** "code-share" is one word. */
function joinHyphens(words: readonly TaggedWord[]): readonly TaggedWord[] {
  const joined: TaggedWord[] = [];
  for (const word of words) {
    const [second, last] = [joined.at(-2), joined.at(-1)];
    if (last?.text !== "-" || second?.end !== last.start || last.end !== word.start) joined.push(word);
    else {
      const [text, lower] = [`${second.text}-${word.text}`, `${second.lower}-${word.lower}`];
      joined.splice(-2, 2, {
        ...word,
        text,
        lower,
        lemma: `${second.lower}-${word.lemma}`,
        start: second.start,
      });
    }
  }
  return joined;
}

/** "one or" of "one or more" counts nothing. */
function isFiller(words: readonly TaggedWord[], at: number): boolean {
  const isOr = (place: number) =>
    words[place]?.lower === "or" && /^(?:more|several|many|two)$/.test(words[place + 1]?.lower ?? "");
  if (words[at]?.lower === "either" || (words[at]?.lower === "both" && words[at]?.tag === "CCONJ"))
    return true;
  return (words[at]?.lower === "one" && isOr(at + 1)) || (isOr(at) && words[at - 1]?.lower === "one");
}

const CONJUNCTIONS: ReadonlySet<string> = new Set(["and", "or", "&", "plus", "+"]);
/** "and to which plant": stand for one word. */
const IDIOMS: readonly (readonly [words: readonly string[], phrase: Phrase])[] = [
  [["as", "well", "as"], { kind: "and" }],
  [["such", "as"], { kind: "preposition", word: "such as" }],
  [["on", "behalf", "of"], { kind: "preposition", word: "on behalf of" }],
  [["next", "to"], { kind: "preposition", word: "next to" }],
];

function phraseAt(words: readonly TaggedWord[], at: number, found: readonly Phrase[]): Read {
  const word = words[at];
  if (word === undefined) return { phrase: null, to: at + 1 };
  const { lower, tag } = word;
  const small = (phrase: Phrase): Read => ({ phrase, to: at + 1 });
  if (lower === "," || lower === "/") return small({ kind: "comma" });
  if (CONJUNCTIONS.has(lower)) return small({ kind: "and" });
  if (/^['’]s?$/.test(lower) && tag !== "AUX") return small({ kind: "possessive" });
  for (const [idiom, phrase] of IDIOMS)
    if (idiom.every((part, place) => words[at + place]?.lower === part))
      return { phrase, to: at + idiom.length };
  const pronoun = readWho(words, at, found);
  if (pronoun !== null) return pronoun;
  if (isVerbAt(words, at)) return readVerb(words, at);
  const noun = readPartitive(words, at) ?? readNoun(words, at);
  if (noun !== null) return noun;
  if (tag === "ADP" || lower === "to") return small({ kind: "preposition", word: lower });
  if (tag === "ADJ") return small({ kind: "adjective", word: lower });
  if (tag === "ADV" || tag === "PART") return small({ kind: "adverb", word: lower });

  if (tag === "PUNCT" || tag === "SYM" || tag === "SCONJ" || tag === "CCONJ") return small({ kind: "break" });
  return { phrase: null, to: at + 1 };
}

/** "who", "which", "that", "where" and "what": relative after a noun, else a pronoun; a determiner is left to the noun. */
function readWho(words: readonly TaggedWord[], at: number, found: readonly Phrase[]): Read | null {
  const previous = found.at(-1);
  const word = words[at];
  const lower = word?.lower ?? "";
  if (!/^(?:who|whom|which|that|what|whose|where)$/.test(lower)) return null;
  const isAfterNoun = previous?.kind === "noun" && !isSpeaker(previous);
  const next = words[at + 1];
  if (lower === "where")
    return {
      phrase:
        isAfterNoun || (previous?.kind === "comma" && words.at(-1)?.text !== "?")
          ? { kind: "relative", word: lower }
          : reference(lower),
      to: at + 1,
    };

  if (/^wh(?:o|om)$/.test(lower)) {
    const isAsked =
      /^(?:wh|\?)/.test(words[0]?.lower ?? "") || (words.at(-1)?.text === "?" && previous?.kind === "comma");
    const isRelative = isAfterNoun || (previous?.kind === "comma" && !isAsked && at > 1);
    return { phrase: isRelative ? { kind: "relative", word: lower } : reference(lower), to: at + 1 };
  }

  // "which companies": a determiner where a noun follows that no verb before asks for.
  const isDetermining =
    next !== undefined && (/^(?:NOUN|PROPN|ADJ|NUM)$/.test(next.tag) || isModifier(words, at + 1));

  if (isDetermining && lower !== "that" && !isAfterNoun) return null;
  if (
    isAfterNoun ||
    (previous?.kind === "comma" && lower === "which") ||
    (previous?.kind === "verb" && lower === "that")
  )
    return { phrase: { kind: "relative", word: lower }, to: at + 1 };
  return { phrase: reference(lower), to: at + 1 };
}

/** "some of them", "which of these" stand for what was named before, "one of our mills" for a mill. */
function readPartitive(words: readonly TaggedWord[], at: number): Read | null {
  if (!/^(?:DET|NUM|PRON|ADJ)$/.test(words[at]?.tag ?? "") && words[at]?.lower !== "which") return null;
  const of = words[at + 1]?.lower === "of" ? at + 1 : at + 2;
  if (words[of]?.lower !== "of") return null;
  if (/^(?:them|these|those|which|whom)$/.test(words[of + 1]?.lower ?? "")) {
    if (!isNounTag(words[of + 2])) return { phrase: reference("they"), to: of + 2 };
  }
  const named = of === at + 1 ? readNoun(words, of + 1) : null;
  if (named?.phrase?.kind !== "noun" || named.phrase.isReference) return null;
  return { phrase: { ...named.phrase, determiner: "one" }, to: named.to };
}

function isVerbAt(words: readonly TaggedWord[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.tag === "AUX") return true;
  if (word.tag === "VERB") return !isModifier(words, at);
  const next = words[at + 1];
  return word.lower === "to" && ((next?.tag === "VERB" && !isModifier(words, at + 1)) || next?.tag === "AUX");
}

const NEGATIONS: ReadonlySet<string> = new Set(["not", "n't", "never", "cannot", "n’t"]);
const PARTICLES: ReadonlySet<string> = new Set("up out off down together away back apart along".split(" "));

function readVerb(words: readonly TaggedWord[], from: number): Read {
  let to = from;
  let head = -1;
  const auxiliaries: TaggedWord[] = [];
  const isInfinitive = words[from]?.lower === "to";
  for (let word = words[to]; word !== undefined; word = words[++to]) {
    if (word.tag === "AUX" || (word.tag === "VERB" && !isModifier(words, to))) {
      const earlier = words[head];
      // "the data it delivers [are used]"
      if (
        earlier?.tag === "VERB" &&
        /^(?:is|are|was|were|has|have|had|can|may|must|will|should)$/.test(word.lower)
      )
        break;
      if (earlier !== undefined) auxiliaries.push(earlier);
      head = to;
    } else if (word.tag !== "ADV" && word.tag !== "PART" && !NEGATIONS.has(word.lower)) break;
    else if (word.lower === "to" && !/^(?:VERB|AUX)$/.test(words[to + 1]?.tag ?? "")) break;
  }
  const verb = words[head];
  if (verb === undefined) return { phrase: null, to: Math.max(to, from + 1) };
  const particle = PARTICLES.has(words[head + 1]?.lower ?? "") ? (words[head + 1]?.lower ?? "") : "";
  const last = auxiliaries.findLast((word) => word.tag === "AUX" || isBe(word) || word.lemma === "get");
  const isPassive =
    last !== undefined && (isBe(last) || last.lemma === "get") && !isIngForm(verb) && isParticiple(verb);
  const read = words.slice(from, head + 1);
  const phrase: VerbPhrase = {
    kind: "verb",
    lemma: isBe(verb) ? "be" : lemmaOf(verb),
    surface: verb.lower,
    particle,
    isPassive,
    isNegated: read.some(({ lower }) => NEGATIONS.has(lower)) || words[head + 1]?.lower === "not",
    isInfinitive,
    isWanted:
      read.some(({ lemma }) => /^(?:want|wish|like|need|plan|hope|try|love)$/.test(lemma)) && head > from + 1,
    isGerund: auxiliaries.length === 0 && isIngForm(verb),
    isAuxiliary: read.every(
      ({ tag, lower }) => tag === "AUX" || /^(?:do|does|did|has|have|had|is|are|was|were)$/.test(lower),
    ),
  };
  return { phrase, to: head + (particle === "" ? 1 : 2) };
}

/** The tagger leaves some forms as they are. */
function lemmaOf({ lemma, lower }: TaggedWord): string {
  return lemma === "have" || lower === "has" || lower === "had" ? "have" : lemma;
}
