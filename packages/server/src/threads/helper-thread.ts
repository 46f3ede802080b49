/** The side of a thread that asks another one for pure work: started with the first request, replaced when it dies, ended when idle. */
import type { Transferable, Worker } from "node:worker_threads";
import { createRpcClient, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface HelperThread<Input, Output> {
  /**
   * What is in `transfer` moves along.
   * @throws what the thread threw, or `ThreadGoneError` where it died or was closed
   */
  ask(input: Input, transfer?: readonly Transferable[]): Promise<Output>;
  /** Requests that have not been answered. */
  readonly pending: number;
  /** Ends the thread at once; what was asked fails. May be called twice. */
  close(): Promise<void>;
}

interface Running<Input, Output> {
  readonly worker: Worker;
  readonly client: RpcClient<Input, Output>;
}

/**
 * One that dies fails what it was asked, and the next request starts another. It must run nothing but JavaScript, which may be
 * ended anywhere; `name` is what errors call it.
 */
export function createHelperThread<Input, Output>(options: {
  readonly name: string;
  readonly idleMs: number;
  readonly startWorker: () => Worker;
}): HelperThread<Input, Output> {
  const { name, idleMs, startWorker } = options;
  let current: Running<Input, Output> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Running<Input, Output> {
    const worker = startWorker();
    const running: Running<Input, Output> = { worker, client: createRpcClient(worker) };
    const gone = (cause?: unknown) => {
      if (current === running) current = null;
      running.client.fail(new ThreadGoneError(name, cause));
    };
    worker.once("error", gone);
    worker.once("exit", () => gone());
    return running;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const running = current;
    current = null;
    await running?.worker.terminate();
  }

  return {
    get pending() {
      return current?.client.pending ?? 0;
    },
    async ask(input, transfer) {
      if (isClosed) throw new ThreadGoneError(name);
      clearTimeout(idle);
      current ??= start();
      const running = current;
      try {
        return await running.client.call(input, transfer);
      } finally {
        if (current === running && running.client.pending === 0) {
          idle = setTimeout(() => void end(), idleMs).unref();
        }
      }
    },
    async close() {
      isClosed = true;
      await end();
    },
  };
}
