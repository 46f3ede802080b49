/** What kind of answer a question asks for, and where a sentence holds something of that kind. */

import { askedDimension, type Dimension, dimensionAt } from "./summarize-dimensions.ts";

/**
 * What an answer to a question must contain. English cues; other questions are `other` and rank by words alone: so do questions for persons, places,
 * durations, definitions and ways to do something, for which cues brought no more right answers (docs/decisions/0020).
 */
export type AnswerType =
  | { readonly kind: "date" | "reason" | "name" | "other" }
  | {
      readonly kind: "number";
      /** What is measured. */
      readonly dimension: Dimension | null;
    };

/** Something in a sentence that could be the answer. */
export interface Cue {
  /** Offsets in the sentence. */
  readonly start: number;
  readonly end: number;
  /** 0…1: how sure it is of the kind. */
  readonly strength: number;
}

const timeUnit = "(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ie)|millenni(?:um|a))s?";
const month =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const numberWord =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundred|thousand|million|billion)";

const NUMBER = new RegExp(`[$€£¥]?\\d[\\d.,]{0,20}\\s?%?|\\b${numberWord}s?\\b`, "gi");
const DAY = new RegExp(
  `\\b${month}\\.?\\s{1,8}\\d{1,2}\\b|\\b\\d{1,2}\\s{1,8}${month}\\b|\\b\\d{1,2}:\\d{2}\\b`,
  "g",
);
const MONTH = new RegExp(`\\b${month}\\b`, "g");
const RELATIVE_TIME = new RegExp(
  `\\bevery (?:other )?${timeUnit}\\b|\\b${timeUnit} (?:ago|after|before|later)\\b`,
  "gi",
);
const nameWord = "\\p{Lu}(?:[\\p{L}'’-]{1,40}|\\.)";
const PROPER_NAME = new RegExp(
  `${nameWord}(?:\\s(?:(?:de|da|del|della|di|la|le|van|von|der|den|bin|ibn|al|of)\\s){0,2}${nameWord}){0,6}`,
  "gu",
);

/** Reads the kind of answer off a question; the first rule that applies wins. */
export function answerTypeOf(question: string): AnswerType {
  const q = question.slice(0, 500).toLowerCase();
  if (
    /\bhow (?:long|old|many|much|far|tall|high|deep|wide|big|large|heavy|fast|hot|cold|often|thick|strong)\b/.test(
      q,
    )
  )
    return { kind: "number", dimension: askedDimension(q) };
  if (
    /\bwhat (?:percentage|proportion|share|number|amount|population|price|cost|temperature|speed)\b/.test(q)
  )
    return { kind: "number", dimension: askedDimension(q) };
  if (
    /\bwhat (?:is|was|are|were) the (?:[a-z]{1,40} )?(?:population|number|price|cost|height|length|depth|width|weight|area|size|capacity|speed|percentage|temperature|distance|rate|limit)\b/.test(
      q,
    )
  )
    return { kind: "number", dimension: askedDimension(q) };
  if (/\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|decade|time)\b/.test(q))
    return { kind: "date" };
  if (/\bwhy\b|\bwhat (?:is|was|are|were) the (?:reason|cause)s?\b|\bwhat caused?\b/.test(q))
    return { kind: "reason" };
  if (/\bwhich\b/.test(q)) return { kind: "name" };
  return { kind: "other" };
}

/** "What are the …?", "Which stations …?", "How do I …?", "Tell me about …": more than one thing answers. */
export function asksForList(question: string): boolean {
  const q = question.slice(0, 500).toLowerCase();
  return (
    /\b(?:what|which|who) (?:are|were)\b|\b(?:which|what) (?:[a-z-]{1,40} ){0,2}[a-z-]{2,40}(?<![su])s\b(?! (?:is|was|has|does)\b)/.test(
      q,
    ) ||
    /\b(?:list|all|steps?|tell me about|describe|overview|everything|compare[ds]?|comparison|differences?|versus|vs|summar(?:y|i[sz]e)|details?)\b/.test(
      q,
    ) ||
    /\bwhat (?:was|is) (?:new|fixed|added|changed|removed)\b|\bhow (?:do|does|can|should|to)\b|\bwho (?:must|should|may|can)\b/.test(
      q,
    )
  );
}

/** As much of a question as cues depend on. */
export interface CueQuestion {
  readonly type: AnswerType;
  readonly lowerCase: string;
}

/** The cues for an answer of this type; what the question itself says is no answer to it. */
export function findCues(sentence: string, { type, lowerCase }: CueQuestion): Cue[] {
  return cuesOf(sentence, type).filter(({ start, end }) => !repeats(lowerCase, sentence.slice(start, end)));
}

function repeats(asked: string, cue: string): boolean {
  const words = cue.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => asked.includes(word));
}

function cuesOf(sentence: string, type: AnswerType): Cue[] {
  switch (type.kind) {
    case "date":
      return dateCues(sentence);
    case "number":
      return numberCues(sentence, type);
    case "reason":
      return cues(
        sentence,
        /\b(?:because|due to|owing to|in order to|so that|so as to|as a result|results? from|caused by|therefore|reasons?|thanks to|to (?:avoid|prevent|protect|reduce|keep|make|save))\b/gi,
        1,
      ).concat(cues(sentence, /\b(?:since|so|for|as)\b/g, 0.3));
    case "name":
      return cues(sentence, PROPER_NAME, 0.5);
    case "other":
      return [];
  }
}

function dateCues(sentence: string): Cue[] {
  return [
    ...cues(sentence, /\b(?:1\d{3}|20\d{2})\b(?!\s{0,8}(?:%|km|m\b|kg|people|men))/g, 1),
    ...cues(sentence, DAY, 1),
    ...cues(
      sentence,
      /\b\d{1,2}(?:st|nd|rd|th)[ -]century\b|\b\d{3,4}\s?(?:BC|AD|BCE|CE)\b|\b\d{4}s\b/gi,
      0.9,
    ),
    ...cues(
      sentence,
      /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\b\d{1,2}\s?[ap]\.?m\b|\bnoon\b|\bmidnight\b/g,
      0.7,
    ),
    ...cues(sentence, MONTH, 0.5),
    ...cues(sentence, RELATIVE_TIME, 0.5),
  ];
}

function cues(sentence: string, pattern: RegExp, strength: number): Cue[] {
  return [...sentence.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    strength,
  }));
}

/** Numbers; most where they have a unit of what is measured. */
function numberCues(
  sentence: string,
  { dimension }: Extract<AnswerType, { readonly kind: "number" }>,
): Cue[] {
  return cues(sentence, NUMBER, 0.6).map((cue) => {
    const measured = dimension === null ? null : dimensionAt(sentence, trimmed(sentence, cue));
    if (measured !== null && measured === dimension) return { ...cue, strength: 1 };
    return { ...cue, strength: measured === null ? 0.6 : 0.3 };
  });
}

/** Without the space behind a number. */
function trimmed(sentence: string, { start, end }: Cue) {
  return { start, end: start + sentence.slice(start, end).trimEnd().length };
}
