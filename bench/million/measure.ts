/** Questions, memory, ingestion and restarts of a service with one large project. */
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sliceDocuments } from "../documents.ts";
import { createProject } from "../first-answer.ts";
import { timeIngest } from "../ingest-rounds.ts";
import { readTreePssMiB } from "../peers/process-tree.ts";
import type { BenchQuestion } from "../questions.ts";
import { round } from "../report.ts";
import { askInTurn, askWithClients, type Failures } from "../scale/asking.ts";
import { measureRestarts } from "../scale/restart.ts";
import { describeByKind, describeTimes } from "../scale/timing.ts";
import { dataDirOf, environmentOf, type Place, type Subject, type SubjectOptions } from "./subject.ts";
import type { RealDocument } from "./texts.ts";

const WARM_UP = 50;
const CLIENTS = 8;
const REST_MS = 30_000;
const ROUNDS = 4;

/** Of the last minute, beside figures that it changes. */
function loadNow(): number {
  return round(loadavg()[0] ?? 0, 2);
}

export interface Asked {
  readonly projectId: string;
  readonly questions: readonly BenchQuestion[];
  readonly failures: Failures;
}

/** One client, whose questions go to the processes by turns, and several. */
export async function measureQuestions({ api, apis }: Subject, { questions, ...asked }: Asked) {
  const project = { api, ...asked };
  for (const _ of apis) await askInTurn(project, questions.slice(0, WARM_UP));
  const loadBefore = loadNow();
  const oneClient = describeByKind(await askInTurn(project, questions));
  const { seconds, timed } = await askWithClients(project, questions, CLIENTS);
  return {
    loadBefore,
    loadAfter: loadNow(),
    oneClient,
    clients: {
      clients: CLIENTS,
      questionsPerSecond: round(questions.length / seconds, 1),
      ...describeTimes(timed.map(({ ms }) => ms)),
    },
  };
}

/** Of each process with all that it has started, in MiB: at once, and at rest. */
export async function measureMemory({ services }: Subject) {
  const read = async () => {
    const all: Record<string, number> = {};
    for (const [name, { pid }] of Object.entries(services)) all[name] = await readTreePssMiB(pid);
    return all;
  };
  const afterQuestions = await read();
  await sleep(REST_MS);
  return { afterQuestions, atRest: await read() };
}

/** The same real documents into an empty project and into the large one, in slices, the order of which alternates. */
export async function measureIngest(
  { api }: Subject,
  { projectId: large }: Asked,
  documents: readonly RealDocument[],
) {
  const loadBefore = loadNow();
  const sent = documents.map(({ source_doc_id, text }) => ({ source_doc_id, text }));
  const warm = await createProject(api, "threads start");
  await timeIngest({ api, projectId: warm }, sent.slice(0, 1));
  const empty = await createProject(api, "beside");
  const seconds = { empty: 0, large: 0 };
  const chunks = { empty: 0, large: 0 };
  const projects = { empty, large } as const;
  const names = ["empty", "large"] as const;
  for (const [at, slice] of sliceDocuments(sent, ROUNDS).entries()) {
    for (const name of at % 2 === 0 ? names : names.toReversed()) {
      const timed = await timeIngest({ api, projectId: projects[name] }, slice);
      seconds[name] += timed.seconds;
      chunks[name] += timed.chunks;
    }
  }
  const speed = {
    empty: round(chunks.empty / seconds.empty, 1),
    large: round(chunks.large / seconds.large, 1),
  };
  return {
    loadBefore,
    loadAfter: loadNow(),
    chunks,
    chunksPerSecond: speed,
    ratio: round(speed.large / speed.empty, 3),
  };
}

/** Of a stopped subject: one process, with the same data. */
export async function measureStarts(place: Place, { key, env }: SubjectOptions, asked: Asked) {
  const loadBefore = loadNow();
  const role = place.postgres === null ? {} : { KCS_ROLE: "api" };
  const { service, restarts } = await measureRestarts({
    ...{ key, ...asked, dataDir: dataDirOf(place) },
    env: { ...environmentOf(place), ...env, ...role },
  });
  await service.kill("SIGTERM");
  return { loadBefore, ...restarts };
}
