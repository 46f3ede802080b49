/** Embedding, and the reading of chunks for the graph, spread over threads: each core works on one text at a time. */
import { Worker } from "node:worker_threads";
import { MINILM_DIMENSIONS, MINILM_MODEL } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { type Embedder, EmbedderUnavailableError } from "../ports/embedder.ts";
import type { PassageReader, PassageReading } from "../ports/passage-reader.ts";
import type { EmbedThreadData, EmbedThreadReply, EmbedThreadRequest } from "./embed-thread.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import { type StartWorker, type ThreadDeps, ThreadError } from "./thread.ts";

export interface EmbedPool extends Embedder, PassageReader {
  /** Refuses the texts that no thread has; the others are embedded. May be called twice. */
  close(): Promise<void>;
}

const KIND = THREAD_KINDS.embed;

/** The queue has no limit of its own: each caller waits for its batch before it sends the next one. */
export function createEmbedPool(
  options: {
    readonly threads: number;
    readonly modelDir: string;
    readonly logLevel: LogLevel;
    readonly countTokens: (text: string) => number;
    readonly start?: StartWorker;
  },
  deps: ThreadDeps,
): EmbedPool {
  const { threads, modelDir, logLevel } = options;
  const start = options.start ?? ((gates) => startEmbedWorker({ modelDir, logLevel, gates }));
  const pool = createThreadPool<EmbedThreadRequest, EmbedThreadReply>(
    KIND,
    { startCrew: () => [start], maxCrews: threads },
    deps,
  );

  async function ask(request: EmbedThreadRequest): Promise<EmbedThreadReply> {
    try {
      return await pool.ask(request);
    } catch (error) {
      throw error instanceof ThreadError && !error.hasServed ? withoutModel(error) : error;
    }
  }

  return {
    model: MINILM_MODEL,
    dimensions: MINILM_DIMENSIONS,
    countTokens: options.countTokens,
    // The thread answers a text with a vector, and a chunk with its reading.
    embed: (text) => ask(text) as Promise<Float32Array>,
    read: (request) => ask(request) as Promise<PassageReading>,
    close: pool.close,
  };
}

function startEmbedWorker(data: EmbedThreadData): Worker {
  return new Worker(new URL("./embed-thread.ts", import.meta.url), {
    workerData: data,
    resourceLimits: KIND.heap,
  });
}

/** The text is not at fault, so its job waits and is tried again. */
function withoutModel({ cause }: ThreadError): EmbedderUnavailableError {
  const reason = cause instanceof Error ? cause.message : "its thread ended";
  return new EmbedderUnavailableError(`The embedding model could not be started: ${reason}`, cause);
}
