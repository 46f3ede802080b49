/** The calls to the model that extracts, a language model or a local reader, for one claim of jobs. */
import type { Chunk } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type {
  ExtractionRequest,
  ModelExtractor,
  ModelStatements,
} from "./extract/model/create-model-extractor.ts";

export interface ModelCalls {
  /**
   * Asks the model about a chunk; null where the job is not extracted by a model. A failure skips the job's later chunks that
   * still wait for their turn, because a job is committed only up to its first failed chunk. The rejection is handled here, so
   * the caller may leave the promise without awaiting it.
   */
  start(
    job: ClaimedJob,
    chunk: Chunk,
    extracted: ExtractionRequest["chunk"],
  ): Promise<ModelStatements> | null;
  /** Skips the calls that have not begun, and resolves when the others have ended. */
  end(): Promise<void>;
}

export function createModelCalls(deps: {
  /** null where none is configured. */
  readonly extractor: ModelExtractor | null;
  readonly signalOf: (jobId: string) => AbortSignal;
}): ModelCalls {
  const { extractor, signalOf } = deps;
  /** By job, the lowest position for which the model failed. */
  const failedAt = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  let isEnding = false;

  function firstFailure(jobId: string): number {
    return failedAt.get(jobId) ?? Number.POSITIVE_INFINITY;
  }

  return {
    start(job, chunk, extracted) {
      if (extractor === null || job.config.extraction !== "model") return null;
      const { accountId, projectId, jobId, ontology } = job;
      const call = extractor.ask({
        chunk: extracted,
        ontology,
        confidenceLimits: job.config.confidenceLimits ?? null,
        meter: { accountId, projectId, jobId },
        signal: signalOf(jobId),
        isWanted: () => !isEnding && chunk.position < firstFailure(jobId),
      });
      underWay.add(call);
      call.then(
        () => underWay.delete(call),
        () => {
          underWay.delete(call);
          failedAt.set(jobId, Math.min(firstFailure(jobId), chunk.position));
        },
      );
      return call;
    },
    async end() {
      isEnding = true;
      await Promise.allSettled(underWay);
    },
  };
}
