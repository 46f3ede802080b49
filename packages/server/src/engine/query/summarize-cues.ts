/** What kind of answer a question asks for, and where a sentence holds something of that kind. */

import { createTermFinder, type TermFinder } from "../text/term-finder.ts";
import { queryTerms } from "../text/terms.ts";
import { askedDimension, type Dimension, dimensionAt } from "./summarize-dimensions.ts";

/** What an answer to a question must contain. English cues; other questions are `other` and rank by words alone. */
export type AnswerType =
  | {
      readonly kind:
        | "date"
        | "duration"
        | "person"
        | "place"
        | "reason"
        | "manner"
        | "name"
        | "permission"
        | "other";
    }
  | {
      readonly kind: "number";
      /** What is counted. */
      readonly of: TermFinder;
      /** What is measured. */
      readonly dimension: Dimension | null;
    }
  | { readonly kind: "definition"; readonly subject: TermFinder; readonly subjectTermCount: number };

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

const DURATION = new RegExp(`\\b(?:\\d[\\d.,]{0,12}|${numberWord}|several|an?)[ -]${timeUnit}\\b`, "gi");
const COUNT = new RegExp(`\\b(?:\\d[\\d.,]{0,12}|${numberWord})\\b`, "gi");
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
  if (/\bhow (?:long|old)\b/.test(q)) return { kind: "duration" };
  if (
    /\bhow (?:many|much|far|tall|high|deep|wide|big|large|heavy|fast|hot|cold|often|thick|strong)\b/.test(q)
  )
    return numberType(q);
  if (
    /\bwhat (?:percentage|proportion|share|number|amount|population|price|cost|temperature|speed)\b/.test(q)
  )
    return numberType(q);
  if (
    /\bwhat (?:is|was|are|were) the (?:[a-z]{1,40} )?(?:population|number|price|cost|height|length|depth|width|weight|area|size|capacity|speed|percentage|temperature|distance|rate|limit)\b/.test(
      q,
    )
  )
    return numberType(q);
  if (/\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|decade|time)\b/.test(q))
    return { kind: "date" };
  if (/\bwho(?:m|se)?\b/.test(q)) return { kind: "person" };
  if (
    /\bwhere\b|\b(?:what|which) (?:city|town|village|country|state|county|place|region|continent|location|province|district)\b/.test(
      q,
    )
  )
    return { kind: "place" };
  if (/\bwhy\b|\bwhat (?:is|was|are|were) the (?:reason|cause)s?\b|\bwhat caused?\b/.test(q))
    return { kind: "reason" };
  if (/\bhow (?:do|does|did|can|could|should|to|is|are|was|were)\b/.test(q)) return { kind: "manner" };
  const defined =
    /^\s{0,8}(?:what (?:is|are|was|were)|what's|define|who (?:is|was))\s{1,8}(?:(?:an?|the)\s{1,8})?([^?]{1,80})\??\s{0,8}$/.exec(
      q,
    )?.[1];
  if (defined !== undefined && defined.split(/\s+/).length <= 4) return definitionType(defined);
  if (/\b(?:which|what)\b/.test(q)) return { kind: "name" };
  if (/^(?:can|could|may|must|should|do|does|is|are|am|will) /.test(q)) return { kind: "permission" };
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

function numberType(q: string): AnswerType {
  const asked =
    /\b(?:how (?:many|much)|percentage of|number of|population of)\s{1,8}([\p{L}-]{1,40}(?:\s{1,8}[\p{L}-]{1,40})?)/u.exec(
      q,
    )?.[1];
  return {
    kind: "number",
    of: createTermFinder(new Set(queryTerms(asked ?? ""))),
    dimension: askedDimension(q),
  };
}

function definitionType(defined: string): AnswerType {
  const terms = new Set(queryTerms(defined));
  return { kind: "definition", subject: createTermFinder(terms), subjectTermCount: terms.size };
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
    case "duration":
      return [
        ...cues(sentence, DURATION, 1),
        // "How long is the bridge?"
        ...cues(
          sentence,
          /\b\d[\d.,]{0,12}\s?(?:mm|cm|m|km|met(?:re|er)s?|kilomet(?:re|er)s?|miles?|feet|ft|inch(?:es)?)\b/gi,
          0.8,
        ),
        ...cues(sentence, COUNT, 0.4),
      ];
    case "number":
      return numberCues(sentence, type);
    case "person":
      return personCues(sentence);
    case "place":
      return [
        ...cues(
          sentence,
          /\b(?:in|at|near|from|to|of|on|outside|between)\s{1,8}(?:the\s{1,8})?\p{Lu}[\p{L}'’-]{1,40}/gu,
          0.8,
        ),
        ...cues(
          sentence,
          /\b(?:north|south|east|west|coast|located|situated|stands|lies|lives?|street|avenue|room|floor|building)\b/gi,
          0.5,
        ),
      ];
    case "reason":
      return cues(
        sentence,
        /\b(?:because|due to|owing to|in order to|so that|so as to|as a result|results? from|caused by|therefore|reasons?|thanks to|to (?:avoid|prevent|protect|reduce|keep|make|save))\b/gi,
        1,
      ).concat(cues(sentence, /\b(?:since|so|for|as)\b/g, 0.3));
    case "manner":
      return cues(
        sentence,
        /\b(?:by \p{L}{2,30}ing|using|through|via|with the help|steps?|first|then)\b/giu,
        0.6,
      );
    case "permission":
      return cues(
        sentence,
        /\b(?:yes|no|not|never|cannot|must|may|can|only|allowed|forbidden|permitted|free|unless|except|without)\b/gi,
        0.6,
      );
    case "definition":
      return definitionCues(sentence, type);
    case "name":
      return [...properNames(sentence)].map((name) => ({ ...name, strength: 0.5 }));
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

/** Numbers; more where what is counted stands within a few words of them. */
function numberCues(
  sentence: string,
  { of, dimension }: Extract<AnswerType, { readonly kind: "number" }>,
): Cue[] {
  return cues(sentence, NUMBER, 0.6).map((cue) => {
    const isCounted = of(sentence.slice(Math.max(0, cue.start - 30), cue.end + 40)).size > 0;
    const isYear = /^(?:1[5-9]\d\d|20\d\d)$/.test(sentence.slice(cue.start, cue.end).trim());
    const measured = dimension === null ? null : dimensionAt(sentence, trimmed(sentence, cue));
    if (isCounted || (measured !== null && measured === dimension)) return { ...cue, strength: 1 };
    return { ...cue, strength: isYear ? 0.2 : measured === null ? 0.6 : 0.3 };
  });
}

/** Without the space behind a number. */
function trimmed(sentence: string, { start, end }: Cue) {
  return { start, end: start + sentence.slice(start, end).trimEnd().length };
}

/** Runs of two or more capitalised words, and single ones inside the sentence or after "by" or a title. */
function personCues(sentence: string): Cue[] {
  return [...properNames(sentence)].map((name) => {
    const text = sentence.slice(name.start, name.end);
    const before = sentence.slice(Math.max(0, name.start - 12), name.start);
    if (/^(?:The|A|An|In|On|At|It|This)\b/.test(text)) return { ...name, strength: 0.2 };
    if (/\b(?:in|at|near|from|the)\s$/i.test(before)) return { ...name, strength: 0.3 };
    if (/\b(?:by|Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Prof\.?|Sir|King|Queen|President)\s$/.test(before))
      return { ...name, strength: 1 };
    return { ...name, strength: /\s/.test(text) ? 0.9 : name.start > 0 ? 0.5 : 0.4 };
  });
}

function* properNames(sentence: string): Generator<{ readonly start: number; readonly end: number }> {
  for (const match of sentence.matchAll(PROPER_NAME)) {
    yield { start: match.index, end: match.index + match[0].length };
  }
}

/** "A pump is …", "Pump (…) means …", near the beginning and with all words of the subject before the verb. */
function definitionCues(
  sentence: string,
  { subject, subjectTermCount }: Extract<AnswerType, { readonly kind: "definition" }>,
): Cue[] {
  const verb =
    /^[^.!?]{0,120}?\s(?:is|are|was|were|means?|refers? to|denotes?|stands for|describes?|consists? of)\s/.exec(
      sentence,
    );
  if (verb === null || subjectTermCount === 0) return [];
  if (subject(verb[0]).size < subjectTermCount) return [];
  const isArticle = /^(?:an?|the|one)\b/i.test(sentence.slice(verb[0].length));
  return [{ start: 0, end: verb[0].length, strength: isArticle ? 1 : 0.7 }];
}
