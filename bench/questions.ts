/** Generates questions from the words of documents: natural questions, keywords and pasted identifiers. */
import type { NewDocument } from "../evals/client.ts";
import { ENGLISH_STOP_WORDS } from "../packages/server/src/engine/text/stop-words.ts";
import { createRandom, type Random } from "./soak/random.ts";

/** A sentence with 5–12 content words, 1–3 keywords, and identifiers from code. */
export const QUESTION_KINDS = ["natural", "keywords", "identifiers"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface BenchQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
}

const FORMS: readonly ((words: string) => string)[] = [
  (words) => `How does ${words} work?`,
  (words) => `What happens when ${words}?`,
  (words) => `Where is it described that ${words}?`,
  (words) => `Why would ${words}?`,
  (words) => `Is it true that ${words}?`,
  (words) => `When should I care that ${words}?`,
];

/** The kinds of ten consecutive questions, so that every part of a run has the same mix. */
const MIX: readonly QuestionKind[] = [
  "natural",
  "natural",
  "keywords",
  "natural",
  "natural",
  "identifiers",
  "natural",
  "natural",
  "keywords",
  "natural",
];

const NATURAL_WORDS = { least: 5, most: 12 } as const;
const KEYWORDS = { least: 1, most: 3 } as const;
const EXCERPT_CHARACTERS = 800;
const MAX_ATTEMPTS = 50;
/** The question when no attempt succeeds. */
const FALLBACK_QUESTION = "documentation";

/** Generates `count` questions from random excerpts, seven of ten natural ones. Deterministic for a seed. */
export function makeQuestions(
  documents: readonly NewDocument[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly BenchQuestion[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const kind = MIX[at % MIX.length] ?? "natural";
    return {
      kind,
      text: firstResult(() => makers[kind](excerptOf(random.pick(documents).text, random), random)),
    };
  });
}

type Maker = (excerpt: string, random: Random) => string | null;

const makers: Readonly<Record<QuestionKind, Maker>> = {
  natural(excerpt, random) {
    const wordCount = random.integer(NATURAL_WORDS.least, NATURAL_WORDS.most);
    const words = wordsOf(random.pick(excerpt.split(/[.!?:;]\s|\n\s*\n/)));
    const from = words.findIndex(isContent);
    let content = 0;
    const end = words.findIndex((word) => isContent(word) && ++content === wordCount);
    return end < 0 ? null : random.pick(FORMS)(words.slice(from, end + 1).join(" "));
  },
  keywords(excerpt, random) {
    const words = wordsOf(excerpt).filter(isContent);
    if (words.length === 0) return null;
    const wordCount = random.integer(KEYWORDS.least, KEYWORDS.most);
    return Array.from({ length: wordCount }, () => random.pick(words)).join(" ");
  },
  identifiers(excerpt, random) {
    const names = excerpt.match(/\b[A-Za-z]\w*(?:(?:_|\.|::)[A-Za-z]\w+)+(?:\(\))?|\b[a-z]+[A-Z]\w+/g) ?? [];
    const long = names.filter((name) => name.length >= 5 && name.length <= 60);
    if (long.length === 0) return null;
    return [...new Set([random.pick(long), random.pick(long)])].join(" ");
  },
};

function firstResult(make: () => string | null): string {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const question = make();
    if (question !== null) return question;
  }
  return FALLBACK_QUESTION;
}

function excerptOf(text: string, random: Random): string {
  const start = random.integer(0, Math.max(0, text.length - EXCERPT_CHARACTERS));
  return text.slice(start, start + EXCERPT_CHARACTERS);
}

/** Skips the first word, which the start of the excerpt may have truncated. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/\p{L}[\p{L}\p{N}_'-]*/gu) ?? []).slice(1);
}

function isContent(word: string): boolean {
  return word.length >= 3 && !ENGLISH_STOP_WORDS.has(word.toLowerCase());
}
