/** Measures questions to a service without other load. */
import { availableParallelism } from "node:os";
import type { StartedService } from "../../evals/service.ts";
import { readCpuSeconds, readMemory } from "../process-stats.ts";
import type { BenchQuestion } from "../questions.ts";
import { round } from "../report.ts";
import { type AskedProject, askInTurn, askWithClients, timeQuestion } from "./asking.ts";
import { describeByKind, describeTimes, type TimedQuestion } from "./timing.ts";

export interface IdleInput {
  readonly service: StartedService;
  readonly smallest: AskedProject;
  readonly largest: AskedProject;
  readonly questions: readonly BenchQuestion[];
}

const WARM_UP = 50;
const CLIENTS = 16;
/** Share of the questions that is sent to both projects in turn. */
const GROWTH_SHARE = 0.4;
/** How often the clients together repeat all questions. */
const ROUNDS = 2;

export async function measureIdle(input: IdleInput) {
  const { service, largest, questions } = input;
  await askInTurn(input.smallest, questions.slice(0, WARM_UP));
  await askInTurn(largest, questions.slice(0, WARM_UP));
  const oneClient = await measureOneClient(input);
  const rssAfterQuestionsBytes = (await readMemory(service.pid))?.rssBytes ?? null;
  const growth = await measureGrowth(input);
  const manyClients = await measureManyClients(input, oneClient.cpuSecondsPerQuestion.together);
  const memory = await readMemory(service.pid);
  return {
    oneClient,
    growth,
    manyClients,
    rssAfterQuestionsBytes,
    rssAfterManyClientsBytes: memory?.rssBytes ?? null,
    peakRssBytes: memory?.peakRssBytes ?? null,
  };
}

interface CpuSeconds {
  readonly service: number;
  /** This process. */
  readonly client: number;
}

/** Processor time so far, of all threads. */
async function readCpu(pid: number): Promise<CpuSeconds> {
  const { user, system } = process.cpuUsage();
  return { service: (await readCpuSeconds(pid)) ?? Number.NaN, client: (user + system) / 1e6 };
}

/** Processor time per question: of both processes together and of each. */
async function cpuPerQuestion(pid: number, before: CpuSeconds, questions: number) {
  const now = await readCpu(pid);
  const service = (now.service - before.service) / questions;
  const client = (now.client - before.client) / questions;
  return { together: round(service + client, 6), service: round(service, 6), client: round(client, 6) };
}

async function measureOneClient({ service, largest, questions }: IdleInput) {
  const before = await readCpu(service.pid);
  const timed = await askInTurn(largest, questions);
  const cpuSecondsPerQuestion = await cpuPerQuestion(service.pid, before, questions.length);
  return { ...describeByKind(timed), cpuSecondsPerQuestion };
}

/** Sends the same questions to the smallest and the largest project, in alternating order. */
async function measureGrowth({ smallest, largest, questions }: IdleInput) {
  const small: TimedQuestion[] = [];
  const large: TimedQuestion[] = [];
  const shared = questions.slice(0, Math.ceil(questions.length * GROWTH_SHARE));
  for (const [at, question] of shared.entries()) {
    if (at % 2 === 0) small.push(await timeQuestion(smallest, question));
    large.push(await timeQuestion(largest, question));
    if (at % 2 === 1) small.push(await timeQuestion(smallest, question));
  }
  const of = (timed: readonly TimedQuestion[]) => describeTimes(timed.map(({ ms }) => ms));
  return {
    smallest: of(small),
    largest: of(large),
    ratio: round(of(large).p50Ms / of(small).p50Ms, 3),
  };
}

async function measureManyClients({ service, largest, questions }: IdleInput, secondsPerQuestion: number) {
  const all = Array.from({ length: ROUNDS }, () => questions).flat();
  const before = await readCpu(service.pid);
  const { seconds, timed } = await askWithClients(largest, all, CLIENTS);
  const cpuSecondsPerQuestion = await cpuPerQuestion(service.pid, before, all.length);
  const cores = availableParallelism();
  const questionsPerSecond = all.length / seconds;
  return {
    clients: CLIENTS,
    questionsPerSecond: round(questionsPerSecond),
    /** Throughput if every core only answered questions at the processor time measured with one client. */
    possiblePerSecond: round(cores / secondsPerQuestion),
    shareOfPossible: round((questionsPerSecond * secondsPerQuestion) / cores, 3),
    cpuSecondsPerQuestion,
    busyCores: round(cpuSecondsPerQuestion.together * questionsPerSecond),
    ...describeTimes(timed.map(({ ms }) => ms)),
  };
}
