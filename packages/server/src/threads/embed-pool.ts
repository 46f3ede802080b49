/** Embedding, and the reading of chunks for the graph, spread over threads: each core works on one text at a time. */
import { Worker } from "node:worker_threads";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import { spaceOfLocal } from "../adapters/models/local/lazy-embedder.ts";
import { nameOfLocal } from "../adapters/models/local/lazy-model.ts";
import { MINILM_DIMENSIONS, MINILM_MODEL } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import { type Embedder, EmbedderUnavailableError } from "../ports/embedder.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { EntityReader, ReaderReading } from "../ports/entity-reader.ts";
import type { PassageReader, PassageReading } from "../ports/passage-reader.ts";
import { threadEnvironment } from "../process-environment.ts";
import type {
  EmbedThreadData,
  EmbedThreadReply,
  EmbedThreadRequest,
  EmbedThreadWork,
} from "./embed-thread.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import { type StartWorker, type ThreadDeps, ThreadError } from "./thread.ts";

/** `accountId`: where texts wait, accounts take turns. */
type EmbedInTurn = (text: string, accountId?: string) => Promise<Float32Array>;

export interface EmbedPool extends Embedder, PassageReader {
  readonly embed: EmbedInTurn;
  /** The configured local reader of entities and relations; null when there is none. */
  readonly reader: EntityReader | null;
  /** The configured local models. */
  readonly locals: readonly (EmbeddingSpace & { readonly embed: EmbedInTurn })[];
  /** See `ThreadPool.hurry`. */
  hurry(): void;
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
    readonly localModels?: readonly IdentifiedModel[];
    readonly reader?: IdentifiedModel | null;
    /** A local model begins to work or to fail. */
    readonly onActivity?: (activity: EmbeddingActivity) => void;
    readonly countTokens: (text: string) => number;
    readonly start?: StartWorker;
  },
  deps: ThreadDeps,
): EmbedPool {
  const { threads, modelDir, logLevel, localModels = [], reader = null } = options;
  const start =
    options.start ?? ((gates) => startEmbedWorker({ modelDir, logLevel, localModels, reader, gates }));
  const onEvent = (event: unknown) => options.onActivity?.(event as EmbeddingActivity); // What the thread sends.
  const pool = createThreadPool<EmbedThreadRequest, EmbedThreadReply>(
    KIND,
    { startCrew: () => [start], maxCrews: threads, onEvent },
    deps,
  );

  async function ask(work: EmbedThreadWork, accountId = ""): Promise<EmbedThreadReply> {
    try {
      return await pool.ask({ accountId, work }, { account: accountId });
    } catch (error) {
      throw error instanceof ThreadError && !error.hasServed ? withoutModel(error) : error;
    }
  }

  return {
    model: MINILM_MODEL,
    dimensions: MINILM_DIMENSIONS,
    countTokens: options.countTokens,
    // The thread answers a text with a vector, and a chunk with its reading.
    embed: (text, accountId) => ask(text, accountId) as Promise<Float32Array>,
    locals: localModels.map(spaceOfLocal).map((space) => ({
      ...space,
      embed: (localText, accountId) =>
        ask({ model: space.model, localText }, accountId) as Promise<Float32Array>,
    })),
    reader:
      reader === null
        ? null
        : {
            model: nameOfLocal(reader),
            read: (labelledText, labels, accountId) =>
              ask({ labelledText, labels }, accountId) as Promise<ReaderReading>,
          },
    read: (request, accountId) => ask(request, accountId) as Promise<PassageReading>,
    hurry: pool.hurry,
    close: pool.close,
  };
}

function startEmbedWorker(data: EmbedThreadData): Worker {
  return new Worker(new URL("./embed-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    workerData: data,
    resourceLimits: KIND.heap,
  });
}

/** The text is not at fault, so its job waits and is tried again. */
function withoutModel({ cause }: ThreadError): EmbedderUnavailableError {
  const reason = cause instanceof Error ? cause.message : "its thread ended";
  return new EmbedderUnavailableError(`The embedding model could not be started: ${reason}`, cause);
}
