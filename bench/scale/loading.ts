/** Fills a new service: one project per scale. Smaller projects contain the first documents of the larger ones. */
import { createApi } from "../../evals/client.ts";
import type { StartedService } from "../../evals/service.ts";
import { createProject } from "../first-answer.ts";
import { readMemory } from "../process-stats.ts";
import type { Failures } from "./asking.ts";
import { type CountedDocument, countChunks, firstChunks, hashDocuments } from "./corpus.ts";
import type { Filled, Scale } from "./data-directory.ts";
import { ingestWithProgress } from "./ingesting.ts";
import { ownFigures, readMetrics } from "./metrics-view.ts";
import { readIndex, waitForMerges } from "./segments.ts";

/** `documents` are those of the largest scale. `scales` are numbers of chunks, ascending. */
export async function loadScales(
  service: StartedService,
  input: {
    readonly documents: readonly CountedDocument[];
    readonly scales: readonly number[];
    readonly failures: Failures;
  },
): Promise<Filled> {
  const { documents, failures } = input;
  const scales: Scale[] = [];
  for (const chunks of input.scales) {
    scales.push(await loadScale(service, { documents: firstChunks(documents, chunks), failures }));
  }
  const memory = await readMemory(service.pid);
  return {
    key: service.key,
    sha256: hashDocuments(documents),
    scales,
    rssAfterLoadBytes: memory?.rssBytes ?? null,
    countersAfterLoad: ownFigures(await readMetrics(service.baseUrl)),
  };
}

async function loadScale(
  service: StartedService,
  { documents, failures }: { documents: readonly CountedDocument[]; failures: Failures },
): Promise<Scale> {
  const chunks = countChunks(documents);
  process.stderr.write(`Ingesting ${documents.length} documents, ${chunks} chunks\n`);
  const api = createApi(service.baseUrl, service.key);
  const projectId = await createProject(api, `scale ${chunks}`);
  const ingested = await ingestWithProgress({ api, projectId, failures }, documents, service);
  const mergesSettledSeconds = await waitForMerges(service.dataDir);
  const index = readIndex(service.dataDir, projectId);
  if (index.chunks !== chunks) failures.add(`The index holds ${index.chunks} chunks, not ${chunks}.`);
  return { projectId, documents: documents.length, chunks, ingested, index, mergesSettledSeconds };
}
