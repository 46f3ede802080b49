/** The figures that have a limit. On PostgreSQL, limits of time and memory are half as much again. */
import { atLeast, atMost, type Row, under } from "../scale/table.ts";
import type { measureIngest, measureMemory, measureQuestions, measureStarts } from "./measure.ts";
import type { RecallResult } from "./recall.ts";
import type { Database } from "./subject.ts";
import type { measureTenants } from "./tenants.ts";

export interface Figures {
  readonly database: Database;
  readonly chunks: number;
  readonly cacheBytes: number;
  readonly questions: Awaited<ReturnType<typeof measureQuestions>>;
  readonly memory: Awaited<ReturnType<typeof measureMemory>>;
  readonly ingest: Awaited<ReturnType<typeof measureIngest>>;
  readonly recall: RecallResult;
  readonly restarts: Awaited<ReturnType<typeof measureStarts>>;
}

const MORE: Readonly<Record<Database, number>> = { sqlite: 1, postgres: 1.5 };
const MIB = 1024 ** 2;
const MB = 1e6;
/** Of memory, beside the segments. */
const REST_MB = 400;

export function tableOf(figures: Figures, failures: number): readonly Row[] {
  return [...questionRows(figures), ...otherRows(figures), failureRow(failures)];
}

function failureRow(value: number): Row {
  return atMost({ what: "answers and jobs that failed", value, limit: 0, unit: "" });
}

function questionRows({ database, chunks, questions, recall }: Figures): readonly Row[] {
  const more = MORE[database];
  const what = `question over HTTP to ${chunks} chunks, one client`;
  const { p50Ms, p95Ms } = questions.oneClient;
  return [
    under({ what: `${what}, p50`, value: p50Ms, limit: 50 * more, unit: "ms" }),
    under({ what: `${what}, p95`, value: p95Ms, limit: 120 * more, unit: "ms" }),
    atLeast({
      what: "recall at 10 of the search of likely chunks against the search of all",
      value: recall.recallAt10,
      limit: 0.99,
      unit: "",
    }),
  ];
}

function otherRows({ database, cacheBytes, memory, ingest, restarts }: Figures): readonly Row[] {
  const more = MORE[database];
  const most = Math.max(...Object.values(memory.afterQuestions));
  return [
    atLeast({
      what: "ingestion into the large project over that into an empty one",
      value: ingest.ratio,
      limit: 0.8,
      unit: "x",
    }),
    atMost({
      what: "start with these data until ready",
      value: restarts.readySeconds,
      limit: 2 * more,
      unit: "s",
    }),
    atMost({
      what: "start with these data until the first answer",
      value: restarts.fromStartSeconds,
      limit: 2 * more,
      unit: "s",
    }),
    atMost({
      what: "proportional memory of the largest process after the questions",
      value: (most * MIB) / MB,
      limit: Math.round((cacheBytes / MB + REST_MB) * more),
      unit: "MB",
    }),
  ];
}

/** A question to one of many projects may take a tenth longer than one to the only project: that is the noise. */
const NO_SLOWER = 1.1;

export function tenantRows(
  { warm, cold }: Awaited<ReturnType<typeof measureTenants>>,
  failures: number,
): readonly Row[] {
  return [
    atMost({
      what: "question to one of many projects over one to the only project, p50",
      value: warm.ratio,
      limit: NO_SLOWER,
      unit: "x",
    }),
    atMost({ what: "first question to a project, p50", value: cold.p50Ms, limit: 60, unit: "ms" }),
    atMost({ what: "first question to a project, p95", value: cold.p95Ms, limit: 60, unit: "ms" }),
    failureRow(failures),
  ];
}
