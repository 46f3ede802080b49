/**
 * What verdicts on relationships of one type teach about the others of the type: by how much the reader is too sure or not sure enough of
 * them, and in which words sentences state them. The bounds and what they cost: docs/decisions/0044.
 */
import type { ConfidenceLimits } from "./graph.ts";

export interface JudgedFact {
  readonly isTrue: boolean;
  /** The reader's, 0 to 1, on the side of the limit where the reader had put it. */
  readonly confidence: number;
  /** See `wordingOf`; "" where the sentence has not both names. */
  readonly wording: string;
}

export interface Lesson {
  readonly confirmed: number;
  readonly rejected: number;
  /** Added to the log odds of the confidence of each. */
  readonly shift: number;
  /** Of confirmed ones, the newest. */
  readonly wordings: readonly string[];
}

/** A lesson that can be applied to many facts. */
export interface LessonInUse extends Lesson {
  /** Whether a sentence in this wording is like a confirmed one. Takes time by the confirmed ones that share a word with it. */
  isKnown(wording: string): boolean;
}

/** A relationship as a text states it. */
export interface StatedFact {
  readonly isAsserted: boolean;
  readonly confidence: number;
  readonly wording: () => string;
}

/** From .87 on nothing is doubted, and below .74 nothing is asserted, whatever the verdicts are (with the default limits). */
const SHIFTS = { least: -1.5, most: 0.35 } as const;
/** Shifts are multiples of 1 / STEPS, so that a verdict that changes little changes nothing. */
const STEPS = 20;
const HALVINGS = 40;
const MAX_WORDINGS = 100;
const MAX_WORDS = 12;
/** Code points: a database puts wordings into an index, which takes no more than 2,700 bytes. */
const MAX_WORD = 20;
/** Of the words of two wordings together, those that both have. */
const ALIKE = 0.5;

/**
 * The shift is the most probable one for the verdicts, with a normal prior of variance 1. `judged` in the order in which they were made;
 * null without any.
 */
export function learnLesson(judged: readonly JudgedFact[]): Lesson | null {
  if (judged.length === 0) return null;
  const rows = judged.map(({ isTrue, confidence }) => ({ odds: logOdds(confidence), y: isTrue ? 1 : 0 }));
  const slopeAt = (shift: number) =>
    rows.reduce((sum, { odds, y }) => sum + y - logistic(odds + shift), -shift);
  let [low, high]: [number, number] = [SHIFTS.least, SHIFTS.most];
  // The slope falls all the way: halving finds where it is 0, or the bound beyond which that is.
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (slopeAt(middle) > 0) low = middle;
    else high = middle;
  }
  const confirmed = judged.filter(({ isTrue }) => isTrue);
  const wordings = new Set(confirmed.flatMap(({ wording }) => (wording === "" ? [] : [wording])));
  return {
    confirmed: confirmed.length,
    rejected: judged.length - confirmed.length,
    shift: Math.round(((low + high) / 2) * STEPS) / STEPS,
    wordings: [...wordings].slice(-MAX_WORDINGS),
  };
}

/** The confidence of a fact that is no longer on its side of the limit: asserted now, or only proposed. null: it stays as it is. */
export function applyLesson(lesson: LessonInUse, fact: StatedFact, limits: ConfidenceLimits): number | null {
  const { asserted, proposed } = limits;
  const confidence = logistic(logOdds(onItsSide(fact, limits)) + lesson.shift);
  if (fact.isAsserted) {
    const isDoubted = lesson.shift < 0 && confidence < (asserted + proposed) / 2;
    return isDoubted ? Math.max(proposed, confidence) : null;
  }
  if (lesson.shift <= 0 || confidence < asserted) return null;
  const wording = fact.wording();
  return wording !== "" && lesson.isKnown(wording) ? confidence : null;
}

export function prepareLesson(lesson: Lesson): LessonInUse {
  const sizes = lesson.wordings.map((known) => new Set(known.split(" ")).size);
  const haveWord = new Map<string, number[]>();
  for (const [at, known] of lesson.wordings.entries())
    for (const word of new Set(known.split(" "))) {
      const all = haveWord.get(word);
      if (all === undefined) haveWord.set(word, [at]);
      else all.push(at);
    }
  return {
    ...lesson,
    isKnown(wording) {
      const words = new Set(wording.split(" "));
      const shared = new Map<number, number>();
      for (const word of words)
        for (const at of haveWord.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
      return [...shared].some(([at, count]) => count >= ALIKE * (words.size + (sizes[at] ?? 0) - count));
    },
  };
}

/** What is asserted for another reason than its confidence counts as just sure enough. */
export function onItsSide(
  { isAsserted, confidence }: Pick<StatedFact, "isAsserted" | "confidence">,
  { asserted }: ConfidenceLimits,
): number {
  return isAsserted ? Math.max(confidence, asserted) : Math.min(confidence, asserted);
}

/** The words between the names of both ends in small letters, behind a sign for the end that comes first; "" where one is missing. */
export function wordingOf(sentence: string, source: string, target: string): string {
  const [from, to] = [sentence.indexOf(source), sentence.indexOf(target)];
  if (from < 0 || to < 0) return "";
  const between =
    from < to ? sentence.slice(from + source.length, to) : sentence.slice(to + target.length, from);
  const words = between.toLowerCase().match(/\p{L}+/gu) ?? [];
  const first = words
    .slice(0, MAX_WORDS)
    .map((word) => [...word.slice(0, 2 * MAX_WORD)].slice(0, MAX_WORD).join(""));
  return [from < to ? ">" : "<", ...first].join(" ");
}

function logOdds(confidence: number): number {
  const bounded = Math.max(0.005, Math.min(0.995, confidence));
  return Math.log(bounded / (1 - bounded));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
