/** Runs the comparison of `bench/ingest.ts` with a part of the data on the service with the large index. */
import type { StartedService } from "../../evals/service.ts";
import { sliceDocuments } from "../documents.ts";
import { startEmbedders } from "../embed-alone.ts";
import { createProject } from "../first-answer.ts";
import { type Round, runRound, summarizeRounds } from "../ingest-rounds.ts";
import type { AskedProject } from "./asking.ts";
import type { CountedDocument } from "./corpus.ts";

const ROUNDS = 4;

export async function measureIngestShare(
  service: StartedService,
  { api }: AskedProject,
  documents: readonly CountedDocument[],
) {
  const embedders = await startEmbedders();
  try {
    const projectId = await createProject(api, "ingest rounds");
    const sent = documents.map(({ source_doc_id, text }) => ({ source_doc_id, text }));
    const rounds: Round[] = [];
    const slices = sliceDocuments(sent, ROUNDS).filter((slice) => slice.length > 0);
    for (const [at, slice] of slices.entries()) {
      rounds.push(await runRound({ api, pid: service.pid, projectId, embedders }, slice, at));
    }
    return { ...summarizeRounds(rounds), threads: embedders.threads };
  } finally {
    await embedders.stop();
  }
}
