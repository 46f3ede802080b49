/** Clients that ask one question after the other. */
import type { Api } from "../../evals/client.ts";
import { ask } from "../first-answer.ts";
import type { BenchQuestion } from "../questions.ts";
import { type TimedQuestion, timeMs } from "./timing.ts";

/** What went wrong in a run; its first cases in words. */
export interface Failures {
  readonly count: number;
  readonly examples: readonly string[];
  add(message: string): void;
}

const MAX_EXAMPLES = 20;

export function createFailures(): Failures {
  const examples: string[] = [];
  let count = 0;
  return {
    examples,
    get count() {
      return count;
    },
    add(message) {
      count++;
      if (examples.length < MAX_EXAMPLES) examples.push(message.slice(0, 500));
    },
  };
}

export interface AskedProject {
  readonly api: Api;
  readonly projectId: string;
  readonly failures: Failures;
}

/** Any answer but a good one with chunks is a failure. */
export async function timeQuestion(asked: AskedProject, question: BenchQuestion): Promise<TimedQuestion> {
  const ms = await timeMs(async () => {
    try {
      const { results } = await ask(asked.api, asked.projectId, question.text);
      if (results.chunks.length === 0) asked.failures.add(`No chunk for ${JSON.stringify(question.text)}.`);
    } catch (error) {
      asked.failures.add(error instanceof Error ? error.message : String(error));
    }
  });
  return { kind: question.kind, ms };
}

export async function askInTurn(
  asked: AskedProject,
  questions: readonly BenchQuestion[],
): Promise<readonly TimedQuestion[]> {
  const timed: TimedQuestion[] = [];
  for (const question of questions) timed.push(await timeQuestion(asked, question));
  return timed;
}

/** So many clients share the questions; seconds from the first question to the last answer. */
export async function askWithClients(
  asked: AskedProject,
  questions: readonly BenchQuestion[],
  clients: number,
): Promise<{ readonly seconds: number; readonly timed: readonly TimedQuestion[] }> {
  const waiting = [...questions].reverse();
  const timed: TimedQuestion[] = [];
  const client = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      timed.push(await timeQuestion(asked, next));
    }
  };
  const ms = await timeMs(() => Promise.all(Array.from({ length: clients }, client)));
  return { seconds: ms / 1000, timed };
}

export interface AskedAt extends TimedQuestion {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** So many clients go round the questions until told to stop. */
export function askUntilStopped(
  asked: AskedProject,
  questions: readonly BenchQuestion[],
  clients: number,
): { stop(): Promise<readonly AskedAt[]> } {
  const timed: AskedAt[] = [];
  let place = 0;
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const question = questions[place++ % questions.length];
      if (question === undefined) return;
      const at = Date.now();
      timed.push({ ...(await timeQuestion(asked, question)), at });
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, client));
  return {
    async stop() {
      isOver = true;
      await ended;
      return timed;
    },
  };
}
