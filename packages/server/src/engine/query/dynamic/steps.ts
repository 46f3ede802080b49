/** Runs the retrieval steps of one dynamic answer within its budget. */
import { ServiceError } from "../../../domain/errors.ts";
import type { Answer, AnswerReading, FollowedName, Question, RankedChunk } from "../../../domain/query.ts";
import type { Moment } from "../../../domain/validity.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import { fullNameFinder } from "../../text/names/normal-form.ts";
import { heldTime } from "../question-time.ts";
import type { TolerantReader } from "./tolerant-reader.ts";

export interface StepQuestion {
  readonly query: string;
  /** Weight of its results relative to those of the question itself, 0…1. */
  readonly weight: number;
  /** The name that the step follows; only passages with it count. null = all count. */
  readonly about: FollowedName | null;
}

export interface Step extends StepQuestion {
  readonly answer: Answer;
}

export interface StepBudget {
  /** Retrievals after the one for the question itself. */
  readonly maxSteps: number;
  /** On the clock of `now`; no step starts later. */
  readonly endsAt: number;
}

export interface StepRunner {
  /** The question itself, then the steps in their order. */
  readonly taken: readonly Step[];
  readonly isSpent: () => boolean;
  /** Of the question; null where what has ended is asked for, too. */
  readonly asOf: Moment | null;
  /**
   * Runs the questions that were not run before, two at a time, until the budget is spent. A step that is
   * unavailable is left out, and the answer is composed of the others.
   * @throws every other error of a step
   */
  run(questions: readonly StepQuestion[], topK: number): Promise<readonly Step[]>;
  /** Reads what was found for the question itself. */
  readonly passages: TolerantReader;
}

const CONCURRENT_STEPS = 2;
const MAX_QUERY_UNITS = 2_000;

export function createStepRunner(
  question: Question,
  first: Answer,
  deps: {
    readonly answerer: Pick<Answerer, "answer">;
    readonly passages: TolerantReader;
    readonly now: () => number;
    readonly budget: StepBudget;
  },
): StepRunner {
  const { answerer, passages, now, budget } = deps;
  const taken: Step[] = [{ query: question.query, weight: 1, about: null, answer: first }];
  const ran = new Set([keyOf(question.query)]);
  const isSpent = () => ran.size > budget.maxSteps || now() >= budget.endsAt;

  async function retrieve({ query, weight, about }: StepQuestion, topK: number): Promise<Step | null> {
    try {
      const { maxPerDocument: max = null } = question;
      const step: Question = {
        ...question,
        explain: false,
        listSteps: false,
        mode: "static",
        query,
        topK,
        maxPerDocument: max === null ? null : Math.min(max, topK),
        isFollowUp: true,
      };
      const answer = await answerer.answer(step);
      return answer === null ? null : { query, weight, about, answer };
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "unavailable") return null;
      throw error;
    }
  }

  return {
    taken,
    isSpent,
    asOf: heldTime(question),
    passages,
    async run(questions, topK) {
      const results: Step[] = [];
      const queue = questions.map((each) => ({
        ...each,
        query: each.query.slice(0, MAX_QUERY_UNITS).trim(),
      }));
      for (let at = 0; at < queue.length; at += CONCURRENT_STEPS) {
        const batch = queue.slice(at, at + CONCURRENT_STEPS).filter(({ query }) => {
          if (query === "" || isSpent() || ran.has(keyOf(query))) return false;
          ran.add(keyOf(query));
          return true;
        });
        const steps = await Promise.all(batch.map((each) => retrieve(each, topK)));
        results.push(...steps.filter((step) => step !== null));
      }
      taken.push(...results);
      return results;
    },
  };
}

/** Without this check, a passage that only resembles the rest of the question would count in every step. */
export function relevantChunks({ about, answer }: Step): readonly RankedChunk[] {
  if (about === null) return answer.chunks;
  return answer.chunks.filter(({ header = "", text }) => fullNameFinder(`${header}\n${text}`)(about.key));
}

/** What a model found in the passages of the step. It did not read those of further steps, so it cannot deny an answer. */
export function readingOfStep(step: Step | undefined): AnswerReading | null {
  const reading = step?.answer.reading;
  return reading === undefined ? null : { ...reading, isComplete: false };
}

function keyOf(query: string): string {
  return query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
