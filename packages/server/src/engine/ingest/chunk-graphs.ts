/** What chunks contribute to their project's graph. */
import type { Chunk } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { ChunkGraph } from "../../ports/graph-store.ts";
import type { PassageReader } from "../../ports/passage-reader.ts";
import { encodePassage } from "../graph/passage-record.ts";
import { type ChunkOutline, outlineDocument } from "./outline.ts";

export interface GraphReading {
  /** In the order of the chunks; undefined where the job's project keeps no graph. */
  read(job: ClaimedJob, chunks: readonly Chunk[]): Promise<readonly ChunkGraph[]> | undefined;
  /** The job's text is not needed any more. */
  forget(jobId: string): void;
}

/** Keeps the outline of each job's document until it is forgotten, so that a text is read once, however many batches it takes. */
export function createGraphReading(passages: PassageReader): GraphReading {
  const outlines = new Map<string, (chunk: Chunk) => ChunkOutline>();

  function outlineOf(job: ClaimedJob): (chunk: Chunk) => ChunkOutline {
    const known = outlines.get(job.jobId) ?? outlineDocument(job.text);
    outlines.set(job.jobId, known);
    return known;
  }

  async function readChunk(job: ClaimedJob, chunk: Chunk): Promise<ChunkGraph> {
    const { subjects, sentences, mentions, title } = outlineOf(job)(chunk);
    const { sentenceVectors, statements, facts } = await passages.read({
      text: chunk.text,
      start: chunk.start,
      sentences,
      mentions,
      documentSubject: title,
      ontology: job.ontology,
    });
    const passage = encodePassage({ subjects, sentences, sentenceVectors, mentions, statements });
    return { position: chunk.position, passage, subjects, facts };
  }

  return {
    read(job, chunks) {
      if (job.config.extraction === "none") return undefined;
      return Promise.all(chunks.map((chunk) => readChunk(job, chunk)));
    },
    forget(jobId) {
      outlines.delete(jobId);
    },
  };
}
