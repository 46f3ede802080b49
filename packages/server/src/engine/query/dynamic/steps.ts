/** Retrievals of one dynamic answer, within its budget. */
import { ServiceError } from "../../../domain/errors.ts";
import type { Answer, Question } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";

/** What a step asks, and how much what it finds counts beside the question itself. */
export interface StepQuestion {
  readonly query: string;
  /** 0…1. */
  readonly weight: number;
  /** Normal form of the name that the step follows: only passages that have it count. null = all do. */
  readonly about: string | null;
}

export interface Step extends StepQuestion {
  readonly answer: Answer;
}

export interface StepBudget {
  /** Further retrievals after the first. */
  readonly maxSteps: number;
  /** By the clock that `now` reads: no step begins after it. */
  readonly endsAt: number;
}

export interface StepRunner {
  /** Of the question itself and then of the steps, in their order. */
  readonly taken: readonly Step[];
  readonly isSpent: () => boolean;
  /**
   * Retrieves for those that were not asked before, two at a time, until the budget is spent. A step that the index cannot
   * answer now is left out: the answer is made of the others.
   */
  run(questions: readonly StepQuestion[], topK: number): Promise<readonly Step[]>;
}

const AT_ONCE = 2;
const MAX_QUERY_UNITS = 2_000;

export function createStepRunner(
  question: Question,
  first: Answer,
  deps: { readonly answerer: Answerer; readonly now: () => number; readonly budget: StepBudget },
): StepRunner {
  const { answerer, now, budget } = deps;
  const taken: Step[] = [{ query: question.query, weight: 1, about: null, answer: first }];
  const asked = new Set([keyOf(question.query)]);
  const isSpent = () => asked.size > budget.maxSteps || now() >= budget.endsAt;

  async function retrieve({ query, weight, about }: StepQuestion, topK: number): Promise<Step | null> {
    try {
      const answer = await answerer.answer({ ...question, explain: false, mode: "static", query, topK });
      return answer === null ? null : { query, weight, about, answer };
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "unavailable") return null;
      throw error;
    }
  }

  return {
    taken,
    isSpent,
    async run(questions, topK) {
      const found: Step[] = [];
      const waiting = questions.map((each) => ({
        ...each,
        query: each.query.slice(0, MAX_QUERY_UNITS).trim(),
      }));
      for (let at = 0; at < waiting.length; at += AT_ONCE) {
        const batch = waiting.slice(at, at + AT_ONCE).filter(({ query }) => {
          if (query === "" || isSpent() || asked.has(keyOf(query))) return false;
          asked.add(keyOf(query));
          return true;
        });
        const answers = await Promise.all(batch.map((each) => retrieve(each, topK)));
        found.push(...answers.filter((step) => step !== null));
      }
      taken.push(...found);
      return found;
    },
  };
}

function keyOf(query: string): string {
  return query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
