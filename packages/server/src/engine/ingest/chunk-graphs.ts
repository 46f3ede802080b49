/** What chunks contribute to their project's graph. */
import type { Chunk } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { ChunkGraph } from "../../ports/graph-store.ts";
import { ModelError } from "../../ports/language-model.ts";
import type { PassageReader, PassageReading } from "../../ports/passage-reader.ts";
import { encodePassage } from "../graph/passage-record.ts";
import { withEntityNames } from "./entity-names.ts";
import {
  ExtractionSkippedError,
  InvalidExtractionError,
  type ModelExtractor,
} from "./extract/model/create-model-extractor.ts";
import { type ChunkOutline, outlineDocument } from "./outline.ts";

/** What the chunks of a part contribute. */
export interface PartGraphs {
  /** In the order of the chunks; only those before the first for which the language model failed. */
  readonly graphs: readonly ChunkGraph[];
  /** ModelError or InvalidExtractionError; null when no chunk failed. */
  readonly failure: unknown;
  /** A language model was paid for at least one of the chunks. */
  readonly isPaid: boolean;
}

export interface GraphReading {
  /** undefined where the job's project keeps no graph. */
  read(job: ClaimedJob, chunks: readonly Chunk[]): Promise<PartGraphs> | undefined;
  /** The job's text is not needed any more. */
  forget(jobId: string): void;
}

type ChunkReading =
  | { readonly graph: ChunkGraph; readonly isPaid: boolean; readonly failure: null }
  | { readonly graph: null; readonly failure: unknown };

const MODEL_FAILURES = [ModelError, InvalidExtractionError, ExtractionSkippedError] as const;

/**
 * Keeps the outline of each job's document until it is forgotten, so that a text is read once, however many batches it takes.
 * `extractor`: null where no language model is configured; then the built-in engine reads alone.
 */
export function createGraphReading(passages: PassageReader, extractor: ModelExtractor | null): GraphReading {
  const outlines = new Map<string, (chunk: Chunk) => ChunkOutline>();

  function outlineOf(job: ClaimedJob): (chunk: Chunk) => ChunkOutline {
    const known = outlines.get(job.jobId) ?? outlineDocument(job.text);
    outlines.set(job.jobId, known);
    return known;
  }

  async function readChunk(job: ClaimedJob, chunk: Chunk, isWanted: () => boolean): Promise<ChunkReading> {
    const outline = outlineOf(job)(chunk);
    const { text, start, header } = chunk;
    const { sentences, mentions, title: documentSubject } = outline;
    const { accountId, projectId, jobId, ontology } = job;
    const asked =
      extractor === null || job.config.extraction !== "model"
        ? null
        : extractor.ask({
            chunk: { text, start, header, sentences, documentSubject },
            ...{ ontology, meter: { accountId, projectId, jobId }, isWanted },
          });
    asked?.catch(() => undefined); // Awaited below, unless the passage cannot be read.
    const reading = await passages.read({ text, start, sentences, mentions, documentSubject, ontology });
    try {
      const said = await asked;
      const { own, joined: facts } = said?.joinWith(reading.facts) ?? { own: null, joined: reading.facts };
      const named = own === null ? outline : { ...outline, mentions: withEntityNames(outline, own) };
      return {
        graph: toGraph(chunk, named, { ...reading, facts }),
        isPaid: said?.isPaid === true,
        failure: null,
      };
    } catch (failure) {
      if (MODEL_FAILURES.some((kind) => failure instanceof kind)) return { graph: null, failure };
      throw failure;
    }
  }

  async function readPart(job: ClaimedJob, chunks: readonly Chunk[]): Promise<PartGraphs> {
    let failedAt = Number.POSITIVE_INFINITY;
    const readings = await Promise.all(
      chunks.map(async (chunk) => {
        const reading = await readChunk(job, chunk, () => chunk.position < failedAt);
        if (reading.graph === null) failedAt = Math.min(failedAt, chunk.position);
        return reading;
      }),
    );
    const failed = readings.findIndex(({ graph }) => graph === null);
    return {
      graphs: readings.slice(0, failed === -1 ? undefined : failed).flatMap(({ graph }) => graph ?? []),
      failure: readings[failed]?.failure ?? null,
      isPaid: readings.some((reading) => reading.graph !== null && reading.isPaid),
    };
  }

  return {
    read(job, chunks) {
      return job.config.extraction === "none" ? undefined : readPart(job, chunks);
    },
    forget(jobId) {
      outlines.delete(jobId);
    },
  };
}

function toGraph(chunk: Chunk, outline: Omit<ChunkOutline, "title">, reading: PassageReading): ChunkGraph {
  const { subjects, sentences, mentions } = outline;
  const { sentenceVectors, statements, facts } = reading;
  const passage = encodePassage({ subjects, sentences, sentenceVectors, mentions, statements });
  return { position: chunk.position, passage, subjects, facts };
}
