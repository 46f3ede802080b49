/** Embedding, and the reading of chunks for the graph, spread over threads: every core works on one text at a time. */
import { Worker } from "node:worker_threads";
import { MINILM_DIMENSIONS, MINILM_MODEL } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { type Embedder, EmbedderUnavailableError } from "../ports/embedder.ts";
import type { PassageReader, PassageReading } from "../ports/passage-reader.ts";
import type { EmbedThreadData, EmbedThreadReply, EmbedThreadRequest } from "./embed-thread.ts";
import { SMALL_HEAP } from "./heap-limits.ts";
import { createRpcClient, endThread, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface EmbedPool extends Embedder, PassageReader {
  /** Texts that no thread has begun are refused, those that lie at one are embedded. May be called twice. */
  close(): Promise<void>;
}

interface Lane {
  readonly worker: Worker;
  readonly client: RpcClient<EmbedThreadRequest, EmbedThreadReply>;
  /** It has embedded something, so it has a model. */
  isProven: boolean;
}

interface Waiting {
  readonly request: EmbedThreadRequest;
  readonly resolve: (reply: EmbedThreadReply) => void;
  readonly reject: (error: unknown) => void;
}

/** So many texts lie at a thread: the next one is there when it has finished one. */
const DEPTH = 8;

/**
 * `threads` threads are started with the first text. One that dies fails the texts it had and is replaced
 * with the next one. The queue is as long as its callers make it: each waits for its own batch.
 */
export function createEmbedPool(options: {
  readonly threads: number;
  readonly modelDir: string;
  readonly logLevel: LogLevel;
  readonly countTokens: (text: string) => number;
}): EmbedPool {
  const lanes: Lane[] = [];
  const queue: Waiting[] = [];
  let closed = false;
  let closing: Promise<unknown> | null = null;

  function startLane(): Lane {
    const data: EmbedThreadData = { modelDir: options.modelDir, logLevel: options.logLevel };
    const worker = new Worker(new URL("./embed-thread.ts", import.meta.url), {
      workerData: data,
      resourceLimits: SMALL_HEAP,
    });
    const lane: Lane = { worker, client: createRpcClient(worker), isProven: false };
    const gone = (cause?: unknown) => {
      const at = lanes.indexOf(lane);
      if (at >= 0) lanes.splice(at, 1);
      if (lane.isProven) {
        lane.client.fail(new ThreadGoneError("embedding", cause));
      } else if (!closed) {
        const error = new EmbedderUnavailableError(withoutModel(cause), cause);
        lane.client.fail(error);
        // The next thread would fare no better; the texts come again when their jobs are tried again.
        for (const waiting of queue.splice(0)) waiting.reject(error);
      }
      if (!closed) dispatch();
    };
    worker.on("error", gone);
    worker.on("exit", () => gone());
    lanes.push(lane);
    return lane;
  }

  function freeLane(): Lane | null {
    const lane = lanes.reduce<Lane | null>(
      (least, each) => (least === null || each.client.pending < least.client.pending ? each : least),
      null,
    );
    if ((lane === null || lane.client.pending > 0) && lanes.length < options.threads) return startLane();
    return lane !== null && lane.client.pending < DEPTH ? lane : null;
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const lane = freeLane();
      if (lane === null) return;
      const next = queue.shift();
      if (next !== undefined) void run(lane, next);
    }
  }

  async function run(lane: Lane, { request, resolve, reject }: Waiting): Promise<void> {
    try {
      const reply = await lane.client.call(request);
      lane.isProven = true;
      resolve(reply);
    } catch (error) {
      reject(error);
    }
    if (!closed) dispatch();
  }

  function ask(request: EmbedThreadRequest): Promise<EmbedThreadReply> {
    return new Promise((resolve, reject) => {
      if (closed) {
        reject(new ThreadGoneError("embedding"));
        return;
      }
      queue.push({ request, resolve, reject });
      dispatch();
    });
  }

  return {
    model: MINILM_MODEL,
    dimensions: MINILM_DIMENSIONS,
    countTokens: options.countTokens,
    // The thread answers a text with a vector, and a chunk with its reading.
    embed: (text) => ask(text) as Promise<Float32Array>,
    read: (request) => ask(request) as Promise<PassageReading>,
    async close() {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.reject(new ThreadGoneError("embedding"));
      closing ??= Promise.all(lanes.map((lane) => endThread(lane.worker)));
      await closing;
    },
  };
}

function withoutModel(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : "its thread ended";
  return `The embedding model could not be started: ${reason}`;
}
