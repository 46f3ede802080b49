/** Measures the time to the first answer after a start with a filled data directory. */
import { createApi } from "../../evals/client.ts";
import { type StartedService, startService } from "../../evals/service.ts";
import type { BenchQuestion } from "../questions.ts";
import { quantile, round } from "../report.ts";
import { type Failures, timeQuestion } from "./asking.ts";

export interface RestartInput {
  readonly dataDir: string;
  readonly key: string;
  readonly projectId: string;
  readonly questions: readonly BenchQuestion[];
  readonly failures: Failures;
  /** Of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Restart {
  readonly readySeconds: number;
  /** From the moment when `/ready` succeeds. */
  readonly firstAnswerSeconds: number;
  readonly fromStartSeconds: number;
}

const ROUNDS = 5;

/** The files are in the system's page cache. Returns medians and all rounds, and leaves the last service running. */
export async function measureRestarts(input: RestartInput) {
  const rounds: Restart[] = [];
  for (;;) {
    const service = await startService(input);
    rounds.push(await firstAnswer(service, input, rounds.length));
    if (rounds.length === ROUNDS) return { service, restarts: describe(rounds) };
    await service.kill("SIGTERM");
  }
}

async function firstAnswer(service: StartedService, input: RestartInput, round: number): Promise<Restart> {
  const [question] = input.questions.slice(round);
  if (question === undefined) throw new Error("There are too few questions.");
  const api = createApi(service.baseUrl, service.key);
  const { ms } = await timeQuestion({ api, ...input }, question);
  return {
    readySeconds: service.startMs / 1000,
    firstAnswerSeconds: ms / 1000,
    fromStartSeconds: (service.startMs + ms) / 1000,
  };
}

function describe(rounds: readonly Restart[]) {
  const median = (pick: (restart: Restart) => number) => round(quantile(rounds.map(pick), 0.5), 3);
  return {
    readySeconds: median(({ readySeconds }) => readySeconds),
    firstAnswerSeconds: median(({ firstAnswerSeconds }) => firstAnswerSeconds),
    fromStartSeconds: median(({ fromStartSeconds }) => fromStartSeconds),
    rounds,
  };
}
