/** The main thread's side of the thread that reads large bodies. */
import { Worker } from "node:worker_threads";
import { errors, ServiceError } from "../domain/errors.ts";
import { DEFAULT_BODY_BUDGET } from "../http/body-budget.ts";
import type { Documents, LargeBody, ReadLargeBody } from "../http/ingest-body.ts";
import { lengthOf } from "../http/receive-body.ts";
import type { BodyReply, BodyThreadData } from "./body-thread.ts";
import { BODY_HEAP } from "./heap-limits.ts";
import { createHelperThread } from "./helper-thread.ts";
import { ThreadGoneError } from "./rpc.ts";

export interface BodyThread {
  readonly read: ReadLargeBody;
  /** Ends the thread at once; what it was reading is refused. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
const RETRY_SECONDS = 1;

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
  const thread = createHelperThread<LargeBody, BodyReply>({
    name: "body",
    idleMs,
    startWorker: () => startWorker({ maxTextBytes }),
  });
  let queuedBytes = 0;

  async function ask(body: LargeBody, bytes: number): Promise<BodyReply> {
    queuedBytes += bytes;
    try {
      return await thread.ask(
        body,
        body.pieces.map(({ buffer }) => buffer),
      );
    } finally {
      queuedBytes -= bytes;
    }
  }

  return {
    async read(body) {
      const bytes = lengthOf(body.pieces);
      if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) throw notRead();
      const reply = await ask(body, bytes).catch((error: unknown) => {
        throw error instanceof ThreadGoneError ? notRead(error) : error;
      });
      return documentsOf(reply);
    },
    close: thread.close,
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
