/** Tells whether passages support a sentence that a language model wrote, by its figures, names and words. */
import { setImmediate as turn } from "node:timers/promises";
import type { SummaryCheck } from "../../../domain/explanation.ts";
import { calendarWords, functionWords, honorifics, openers, ranks } from "../../text/names/name-words.ts";
import { opensSentence } from "../../text/names/runs.ts";
import { tokenize } from "../../text/names/tokens.ts";
import { indexTerms, queryTerms } from "../../text/terms.ts";
import { findRelatedTerms } from "../related-words.ts";
import { guessLanguage, languageOfDenial } from "./languages.ts";

/** What a sentence has that no passage has. */
export type Unsupported = SummaryCheck["leftOut"][number]["missing"];

export interface SupportingPassage {
  readonly text: string;
  readonly header?: string;
  readonly sourceDocId: string;
}

/** `cited`: places of the passages that the sentence cites; empty = it cites none, so all count. null = it is supported. */
export type SupportCheck = (sentence: string, cited: readonly number[]) => Unsupported | null;

/** Of a sentence's words, how many the two passages that have most of them have at least. */
const LEAST_WORDS = 0.5;
const WORD_PASSAGES = 2;
/** Digits with separators inside, in any grouping: "1,234", "3.14". */
const FIGURE = /\p{Nd}(?:[.,'’\u00a0\u202f]?\p{Nd}){0,40}/gu;
const MAX_TERMS = 400;

interface ReadPassage {
  readonly terms: ReadonlySet<string>;
  readonly figures: ReadonlySet<string>;
}

/**
 * A sentence is supported where every figure and every name in it occurs in a passage, and two passages have half of its words or
 * words related to them. In another language than that of the passages its words cannot tell. A sentence that says that the passages
 * do not answer may repeat what the question names. Reads each passage once, in a turn of the event loop of its own.
 */
export async function createSupportCheck(
  query: string,
  passages: readonly SupportingPassage[],
): Promise<SupportCheck> {
  const read: ReadPassage[] = [];
  for (const { text, header = "", sourceDocId } of passages) {
    read.push(readPassage(`${header}\n${sourceDocId}\n${text}`));
    await turn();
  }
  const language = guessLanguage(passages.map(({ text }) => text).join("\n"));
  const asked = readPassage(query);
  return (sentence, cited) => {
    const denial = languageOfDenial(sentence);
    const named = cited.length > 0 ? cited.flatMap((at) => read[at] ?? []) : read;
    const known = denial === null ? named : [...read, asked];
    const figures = figuresOf(sentence);
    if (figures.some((figure) => !known.some((passage) => passage.figures.has(figure)))) return "figure";
    const own = guessLanguage(sentence) ?? denial;
    // Every noun has a capital there.
    const isGerman = (own ?? language) === "de";
    if (!isGerman && namesOf(sentence).some((name) => !isNamed(name, known))) return "name";
    if (denial !== null) return null;
    if (own !== null && language !== null && own !== language) return null;
    return coverageOf(sentence, named) >= LEAST_WORDS ? null : "words";
  };
}

function readPassage(text: string): ReadPassage {
  return { terms: new Set(indexTerms(text)), figures: new Set(figuresOf(text)) };
}

/** Without separators, and without zeros in front: "03" of a date is "3". */
function figuresOf(text: string): readonly string[] {
  return [...text.matchAll(FIGURE)].map(([figure]) =>
    figure.replace(/[^\p{Nd}]/gu, "").replace(/^0{1,40}(?=\p{Nd})/u, ""),
  );
}

/** The terms of each capitalized word that does not begin the sentence, except for those that are no names. */
function namesOf(sentence: string): readonly (readonly string[])[] {
  const tokens = tokenize(sentence, { start: 0, end: sentence.length });
  return tokens
    .filter(
      ({ kind, lower }, place) =>
        kind === "name" && lower.length > 1 && !isPlain(lower) && !opensSentence(tokens, place),
    )
    .map(({ text }) => queryTerms(text));
}

function isPlain(lower: string): boolean {
  return [functionWords, openers, calendarWords, honorifics, ranks].some((words) => words.has(lower));
}

function isNamed(name: readonly string[], passages: readonly ReadPassage[]): boolean {
  return passages.some(({ terms }) => name.every((term) => terms.has(term)));
}

/** The share of the sentence's words in the passage that has most of them and the one that adds most to it; 0 without words. */
function coverageOf(sentence: string, passages: readonly ReadPassage[]): number {
  const terms = [...new Set(queryTerms(sentence))].slice(0, MAX_TERMS);
  const related = findRelatedTerms(terms);
  let missing = terms;
  for (let rounds = 0; rounds < WORD_PASSAGES; rounds++) {
    const rests = passages.map((passage) =>
      missing.filter(
        (term) =>
          !passage.terms.has(term) && related.get(term)?.some((other) => passage.terms.has(other)) !== true,
      ),
    );
    missing = rests.reduce((least, rest) => (rest.length < least.length ? rest : least), missing);
  }
  return terms.length === 0 ? 0 : 1 - missing.length / terms.length;
}
