/** The main thread's side of the thread that reads large bodies. */
import { Worker } from "node:worker_threads";
import { errors, ServiceError } from "../domain/errors.ts";
import { DEFAULT_BODY_BUDGET } from "../http/body-budget.ts";
import type { BodyForm, BodyForms, Content, LargeBody, ReadLargeBody } from "../http/large-body.ts";
import { lengthOf } from "../http/receive-body.ts";
import { threadEnvironment } from "../process-environment.ts";
import type { BodyReply, BodyThreadData } from "./body-thread.ts";
import { THREAD_KINDS, type ThreadKind } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import { type ThreadDeps, ThreadError } from "./thread.ts";

export interface BodyThread {
  readonly read: ReadLargeBody;
  /** Ends the thread at once; bodies that it has are refused. May be called twice. */
  close(): Promise<void>;
}

const RETRY_SECONDS = 1;
/** Longer bodies are read in a second thread: the others, which take some tenths of a second at most, do not wait for seconds. */
const LONG_BYTES = 64 * 1024;
const LONG_DOCUMENT_BYTES = 1024 * 1024;

/** Bodies that the thread does not answer are refused as unavailable; the next one starts another thread. */
export function createBodyThread(
  options: {
    readonly maxTextBytes: number;
    /**
     * Bytes that may wait for the thread; a single body is always accepted. The budget of all bodies does not limit
     * these bytes: it forgets a body whose client has disconnected, and ignores small ones.
     */
    readonly maxQueuedBytes?: number;
    readonly kind?: ThreadKind;
    readonly startWorker?: (data: BodyThreadData) => Worker;
  },
  deps: ThreadDeps,
): BodyThread {
  const { maxTextBytes, kind = THREAD_KINDS.body, startWorker = startBodyWorker } = options;
  const maxQueuedBytes = options.maxQueuedBytes ?? DEFAULT_BODY_BUDGET.totalBytes;
  const start = () => startWorker({ maxTextBytes });
  const createPool = () => createThreadPool<LargeBody, BodyReply>(kind, { startCrew: () => [start] }, deps);
  const [short, long] = [createPool(), createPool()];
  let queuedBytes = 0;
  const queuedOf = new Map<string, number>();

  /** Half of the queue is the share of an account. */
  function queue(accountId: string, bytes: number): void {
    const own = queuedOf.get(accountId) ?? 0;
    if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) throw unavailable();
    if (own > 0 && own + bytes > maxQueuedBytes / 2) throw unavailable();
    queuedOf.set(accountId, own + bytes);
    queuedBytes += bytes;
  }

  function unqueue(accountId: string, bytes: number): void {
    const own = (queuedOf.get(accountId) ?? 0) - bytes;
    if (own > 0) queuedOf.set(accountId, own);
    else queuedOf.delete(accountId);
    queuedBytes -= bytes;
  }

  return {
    async read<Form extends BodyForm>(body: LargeBody<Form>, accountId = "") {
      const bytes = lengthOf(body.pieces);
      queue(accountId, bytes);
      try {
        const transfer = body.pieces.map(({ buffer }) => buffer);
        const pool = isLong(body.form, bytes) ? long : short;
        return contentOf<Form>(await pool.ask(body, { transfer, account: accountId }));
      } catch (error) {
        throw error instanceof ThreadError ? unavailable(error) : error;
      } finally {
        unqueue(accountId, bytes);
      }
    },
    close: async () => void (await Promise.all([short.close(), long.close()])),
  };
}

function isLong(form: BodyForm, bytes: number): boolean {
  return bytes > (form === "document" || form === "batch" ? LONG_DOCUMENT_BYTES : LONG_BYTES);
}

function startBodyWorker(data: BodyThreadData): Worker {
  return new Worker(new URL("./body-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    workerData: data,
    resourceLimits: THREAD_KINDS.body.heap,
  });
}

function contentOf<Form extends BodyForm>(reply: BodyReply): Content<Form> {
  return () => {
    if (reply.kind === "fault") throw new ServiceError(reply.fault, reply.detail);
    return reply.content as BodyForms[Form]; // The thread answers in the form of the request.
  };
}

function unavailable(cause?: unknown): ServiceError {
  return errors.unavailable(
    "The body could not be read now; nothing of it was accepted. Try again shortly.",
    {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    },
  );
}
