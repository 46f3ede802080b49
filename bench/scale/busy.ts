/** Measures questions while the service ingests on all cores. */
import type { StartedService } from "../../evals/service.ts";
import { createProject } from "../first-answer.ts";
import type { BenchQuestion } from "../questions.ts";
import { round } from "../report.ts";
import { type AskedProject, askUntilStopped } from "./asking.ts";
import type { Corpus } from "./corpus.ts";
import { ingestCounted } from "./ingesting.ts";
import { eventLoopDelayP99Ms, readMetrics } from "./metrics-view.ts";
import { waitForMerges } from "./segments.ts";
import { describeByKind } from "./timing.ts";

export interface BusyInput {
  readonly service: StartedService;
  readonly largest: AskedProject;
  readonly questions: readonly BenchQuestion[];
  readonly corpus: Corpus;
  /** Number of chunks to ingest in each part. */
  readonly chunks: number;
}

const FULL_LOAD_CLIENTS = 16;

/** One client during ingestion into another project, one during ingestion into the queried project, and 16 clients. */
export async function measureBusy(input: BusyInput) {
  const { api } = input.largest;
  const other = await createProject(api, "ingested meanwhile");
  const otherProject = await askWhileIngesting(input, { into: other, clients: 1 });
  await waitForMerges(input.service.dataDir);
  const sameProject = await askWhileIngesting(input, { into: input.largest.projectId, clients: 1 });
  await waitForMerges(input.service.dataDir);
  const fullLoad = await askWhileIngesting(input, { into: other, clients: FULL_LOAD_CLIENTS });
  return { otherProject, sameProject, fullLoad };
}

async function askWhileIngesting(
  { service, largest, questions, corpus, chunks }: BusyInput,
  { into, clients }: { readonly into: string; readonly clients: number },
) {
  const documents = corpus.take(chunks);
  await readMetrics(service.baseUrl); // Reading resets the event-loop delay.
  const asking = askUntilStopped(largest, questions, clients);
  const ingested = await ingestCounted({ ...largest, projectId: into }, documents);
  const timed = await asking.stop();
  const eventLoopDelay = eventLoopDelayP99Ms(await readMetrics(service.baseUrl));
  // Excludes the ingest request and the wait for the last poll of the jobs, when the service is not at full load.
  const during = timed.filter(({ at, ms }) => at >= ingested.from && at + ms <= ingested.to);
  return {
    clients,
    ...describeByKind(during),
    questionsPerSecond: round(during.length / ingested.seconds),
    ingestedChunksPerSecond: round(ingested.chunks / ingested.seconds),
    eventLoopDelayP99Ms: eventLoopDelay === null ? null : round(eventLoopDelay),
  };
}
