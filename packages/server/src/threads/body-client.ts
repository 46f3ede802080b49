/** The main thread's side of the thread that reads large bodies. */
import { Worker } from "node:worker_threads";
import { errors, ServiceError } from "../domain/errors.ts";
import { DEFAULT_BODY_BUDGET } from "../http/body-budget.ts";
import type { Documents, LargeBody, ReadLargeBody } from "../http/ingest-body.ts";
import { lengthOf } from "../http/receive-body.ts";
import type { BodyReply, BodyThreadData } from "./body-thread.ts";
import { BODY_HEAP } from "./heap-limits.ts";
import { createRpcClient, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface BodyThread {
  readonly read: ReadLargeBody;
  /** Ends the thread at once; what it was reading is refused. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
const RETRY_SECONDS = 1;

interface Running {
  readonly worker: Worker;
  readonly client: RpcClient<LargeBody, BodyReply>;
}

/**
 * Starts a thread with the first body and ends it when there was none for `idleMs`. One that dies refuses what it had as
 * unavailable, and the next body starts another.
 */
export function createBodyThread(options: {
  readonly maxTextBytes: number;
  readonly idleMs?: number;
  /**
   * Bytes that may lie at the thread; one body alone is always let in. The budget of all bodies does not hold here:
   * it forgets a body whose client has gone, and bodies of up to its free size.
   */
  readonly maxQueuedBytes?: number;
  readonly startWorker?: (data: BodyThreadData) => Worker;
}): BodyThread {
  const { maxTextBytes, idleMs = IDLE_MS, startWorker = startBodyWorker } = options;
  const maxQueuedBytes = options.maxQueuedBytes ?? DEFAULT_BODY_BUDGET.totalBytes;
  let current: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  let queuedBytes = 0;

  function start(): Running {
    const worker = startWorker({ maxTextBytes });
    const running: Running = { worker, client: createRpcClient(worker) };
    const gone = (cause?: unknown) => {
      if (current === running) current = null;
      running.client.fail(new ThreadGoneError("body", cause));
    };
    worker.once("error", gone);
    worker.once("exit", () => gone());
    return running;
  }

  /** It runs nothing but JavaScript, which may be ended anywhere; what it reads is not accepted yet. */
  async function end(): Promise<void> {
    clearTimeout(idle);
    const running = current;
    current = null;
    await running?.worker.terminate();
  }

  async function ask(body: LargeBody, bytes: number): Promise<BodyReply> {
    clearTimeout(idle);
    current ??= start();
    const running = current;
    queuedBytes += bytes;
    try {
      return await running.client.call(
        body,
        body.pieces.map(({ buffer }) => buffer),
      );
    } finally {
      queuedBytes -= bytes;
      if (current === running && running.client.pending === 0) {
        idle = setTimeout(() => void end(), idleMs).unref();
      }
    }
  }

  return {
    async read(body) {
      const bytes = lengthOf(body.pieces);
      if (closed || (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes)) throw notRead();
      const reply = await ask(body, bytes).catch((error: unknown) => {
        throw error instanceof ThreadGoneError ? notRead(error) : error;
      });
      return documentsOf(reply);
    },
    async close() {
      closed = true;
      await end();
    },
  };
}

function startBodyWorker(data: BodyThreadData): Worker {
  return new Worker(new URL("./body-thread.ts", import.meta.url), {
    workerData: data,
    resourceLimits: BODY_HEAP,
  });
}

function documentsOf(reply: BodyReply): Documents {
  return () => {
    if (reply.kind === "fault") throw new ServiceError(reply.fault, reply.detail);
    return reply.documents;
  };
}

function notRead(cause?: unknown): ServiceError {
  return errors.unavailable(
    "The body could not be read now; nothing of it was accepted. Try again shortly.",
    {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    },
  );
}
