/** What chunks contribute to their project's graph. */
import type { Chunk } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { ChunkGraph } from "../../ports/graph-store.ts";
import { ModelError } from "../../ports/language-model.ts";
import type { PassageReader, PassageReading } from "../../ports/passage-reader.ts";
import { encodePassage } from "../graph/passage-record.ts";
import { withEntityNames } from "./entity-names.ts";
import {
  type ExtractionRequest,
  ExtractionSkippedError,
  InvalidExtractionError,
  type ModelExtractor,
} from "./extract/model/create-model-extractor.ts";
import { JobGoneError } from "./job-gone.ts";
import { type ChunkOutline, outlineDocument } from "./outline.ts";

/** What the chunks of a part contribute. */
export interface PartGraphs {
  /** In the order of the chunks; only those before the first for which the language model failed. */
  readonly graphs: readonly ChunkGraph[];
  /** ModelError, InvalidExtractionError or JobGoneError; null when no chunk failed. */
  readonly failure: unknown;
  /** A language model was paid for at least one of the chunks. */
  readonly isPaid: boolean;
}

export interface GraphReading {
  /** undefined where the job's project keeps no graph. */
  read(job: ClaimedJob, chunks: readonly Chunk[]): Promise<PartGraphs> | undefined;
  /** The job's text is not needed any more. */
  forget(jobId: string): void;
  /** Begins no further call of a language model, and resolves when those that have begun are over. */
  end(): Promise<void>;
}

type ChunkReading =
  | { readonly graph: ChunkGraph; readonly isPaid: boolean; readonly failure: null }
  | { readonly graph: null; readonly failure: unknown };

const MODEL_FAILURES = [ModelError, InvalidExtractionError, ExtractionSkippedError, JobGoneError] as const;

/**
 * Keeps the outline of each job's document until it is forgotten, so that a text is read once, however many batches it takes.
 */
export function createGraphReading(deps: {
  readonly passages: PassageReader;
  /** null where no language model is configured; then the built-in engine reads alone. */
  readonly extractor: ModelExtractor | null;
  /** Aborted when the job is gone. */
  readonly signalOf: (jobId: string) => AbortSignal;
}): GraphReading {
  const { passages, extractor, signalOf } = deps;
  const outlines = new Map<string, (chunk: Chunk) => ChunkOutline>();
  /** By job, the first chunk for which the language model failed: what is behind it is in vain, in later parts as well. */
  const failedAt = new Map<string, number>();
  const calls = new Set<Promise<unknown>>();
  let isEnding = false;

  function outlineOf(job: ClaimedJob): (chunk: Chunk) => ChunkOutline {
    const known = outlines.get(job.jobId) ?? outlineDocument(job.text);
    outlines.set(job.jobId, known);
    return known;
  }

  /** The promise is awaited or not: it has been looked at. */
  function askModel(job: ClaimedJob, chunk: Chunk, asked: ExtractionRequest["chunk"]) {
    if (extractor === null || job.config.extraction !== "model") return null;
    const { accountId, projectId, jobId, ontology } = job;
    const call = extractor.ask({
      ...{ chunk: asked, ontology, meter: { accountId, projectId, jobId }, signal: signalOf(jobId) },
      isWanted: () => !isEnding && chunk.position < (failedAt.get(jobId) ?? Number.POSITIVE_INFINITY),
    });
    calls.add(call);
    const settle = () => calls.delete(call);
    call.then(settle, () => {
      settle();
      failedAt.set(jobId, Math.min(failedAt.get(jobId) ?? chunk.position, chunk.position));
    });
    return call;
  }

  async function readChunk(job: ClaimedJob, chunk: Chunk): Promise<ChunkReading> {
    const outline = outlineOf(job)(chunk);
    const { text, start, header } = chunk;
    const { sentences, mentions, title: documentSubject } = outline;
    const asked = askModel(job, chunk, { text, start, header, sentences, documentSubject });
    const reading = await passages.read({
      text,
      start,
      sentences,
      mentions,
      documentSubject,
      antecedent: outline.antecedent,
      ontology: job.ontology,
    });
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
    const readings = await Promise.all(chunks.map((chunk) => readChunk(job, chunk)));
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
    async end() {
      isEnding = true;
      await Promise.allSettled(calls);
    },
  };
}

function toGraph(
  chunk: Chunk,
  outline: Omit<ChunkOutline, "title" | "antecedent">,
  reading: PassageReading,
): ChunkGraph {
  const { subjects, sentences, mentions } = outline;
  const { sentenceVectors, statements, facts } = reading;
  const passage = encodePassage({ subjects, sentences, sentenceVectors, mentions, statements });
  return { position: chunk.position, passage, subjects, facts };
}
