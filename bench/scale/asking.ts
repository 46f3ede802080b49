/** Clients that send questions one after the other. */
import type { Api } from "../../evals/client.ts";
import { ask } from "../first-answer.ts";
import type { BenchQuestion } from "../questions.ts";
import { type TimedQuestion, timeMs } from "./timing.ts";

/** The failures of a run, with descriptions of the first ones. */
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

/** Counts an error and an answer without chunks as failures. */
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

/** `clients` clients share the questions. `seconds` is the time from the first question to the last answer. */
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

/** `clients` clients repeat the questions until `stop` is called. */
export function askUntilStopped(
  asked: AskedProject,
  questions: readonly BenchQuestion[],
  clients: number,
): { stop(): Promise<readonly AskedAt[]> } {
  const timed: AskedAt[] = [];
  let next = 0;
  let isStopped = false;
  const client = async () => {
    while (!isStopped) {
      const question = questions[next++ % questions.length];
      if (question === undefined) return;
      const at = Date.now();
      timed.push({ ...(await timeQuestion(asked, question)), at });
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, client));
  return {
    async stop() {
      isStopped = true;
      await ended;
      return timed;
    },
  };
}
