/** Requests and answers over a message port: one shape for every thread of ours. */
import type { MessagePort, Transferable, Worker } from "node:worker_threads";
import { fromWireError, toWireError, type WireError } from "../adapters/database/thread-messages.ts";
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { DamagedIndexError, type SegmentKey } from "../domain/index-damage.ts";

interface Request {
  readonly id: number;
  readonly value: unknown;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: WireError;
  /** Beside `error` where it is an outcome that the caller can act on. */
  readonly outcome?: { readonly kind: ServiceErrorKind; readonly retryAfterSeconds: number | null };
  /** Beside `error` where it is a `DamagedIndexError`. */
  readonly damaged?: SegmentKey;
}

export interface RpcClient<Input, Output> {
  /**
   * What is in `transfer` moves along.
   * @throws what the other side threw, `ThreadGoneError`, or what `postMessage` throws for a value that cannot be sent
   */
  call(value: Input, transfer?: readonly Transferable[]): Promise<Output>;
  readonly pending: number;
  /** Fails every open call, and every later one. */
  fail(error: Error): void;
}

/** The thread that should have answered has ended. */
export class ThreadGoneError extends Error {
  constructor(thread: string, cause?: unknown) {
    super(`The ${thread} thread ended before it answered.`, cause === undefined ? undefined : { cause });
    this.name = "ThreadGoneError";
  }
}

export function createRpcClient<Input, Output>(port: MessagePort | Worker): RpcClient<Input, Output> {
  const open = new Map<number, { resolve: (value: Output) => void; reject: (error: unknown) => void }>();
  let nextId = 1;
  let gone: Error | null = null;
  port.on("message", (reply: Reply) => {
    const call = open.get(reply.id);
    if (call === undefined) return;
    open.delete(reply.id);
    if (reply.error === undefined)
      call.resolve(reply.value as Output); // The two sides share their types.
    else call.reject(errorOf(reply.error, reply));
  });
  return {
    get pending() {
      return open.size;
    },
    call(value, transfer = []) {
      if (gone !== null) return Promise.reject(gone);
      const id = nextId++;
      return new Promise<Output>((resolve, reject) => {
        open.set(id, { resolve, reject });
        try {
          port.postMessage({ id, value } satisfies Request, [...transfer]);
        } catch (error) {
          open.delete(id); // What cannot be cloned or moved was not sent, so nothing will answer.
          reject(error);
        }
      });
    },
    fail(error) {
      gone = error;
      for (const call of open.values()) call.reject(error);
      open.clear();
    },
  };
}

function errorOf(wire: WireError, { outcome, damaged }: Reply): Error {
  if (damaged !== undefined) {
    return new DamagedIndexError(damaged, wire.cause === null ? fromWireError(wire) : new Error(wire.cause));
  }
  if (outcome === undefined) return fromWireError(wire);
  const retry = outcome.retryAfterSeconds === null ? {} : { retryAfterSeconds: outcome.retryAfterSeconds };
  return new ServiceError(outcome.kind, wire.message, retry);
}

const END = "end";

/**
 * Ends a thread that serves calls, once those that it has are answered. Never `terminate()`: ending a thread
 * inside native code, the model's above all, aborts the whole process.
 */
export async function endThread(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => resolve());
  });
  worker.postMessage(END);
  await ended;
}

/**
 * Answers each request with what `handle` gives or throws, until the thread is told to end. `transfer` names the
 * buffers that may move.
 */
export function serveRpc<Input, Output>(
  port: MessagePort,
  handle: (value: Input) => Promise<Output>,
  transfer: (value: Output) => readonly ArrayBuffer[] = () => [],
): void {
  const open = new Set<Promise<void>>();

  async function answer(request: Request): Promise<void> {
    try {
      const value = await handle(request.value as Input); // The two sides share their types.
      port.postMessage({ id: request.id, value } satisfies Reply, [...transfer(value)]);
    } catch (error) {
      port.postMessage({ id: request.id, error: toWireError(error), ...kindOf(error) } satisfies Reply, []);
    }
  }
  port.on("message", (request: Request | typeof END) => {
    if (request === END) {
      void Promise.all(open).then(() => process.exit());
      return;
    }
    const answering = answer(request).finally(() => open.delete(answering));
    open.add(answering);
  });
}

function kindOf(error: unknown): Pick<Reply, "outcome" | "damaged"> {
  if (error instanceof ServiceError) {
    return { outcome: { kind: error.kind, retryAfterSeconds: error.retryAfterSeconds } };
  }
  if (error instanceof DamagedIndexError) {
    return { damaged: { projectId: error.projectId, segmentId: error.segmentId } };
  }
  return {};
}
