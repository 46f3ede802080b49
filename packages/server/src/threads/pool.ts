/** Requests to the threads of one kind: who waits, who is next, and how long. */
import type { Transferable } from "node:worker_threads";
import { createTurns } from "../rpc/turns.ts";
import { type CrewOptions, createCrews, type Lane } from "./crews.ts";
import type { ThreadKind } from "./kinds.ts";
import { type ThreadDeps, ThreadError } from "./thread.ts";

export interface ThreadPool<Input, Output> {
  /**
   * Buffers in `transfer` move along. Where requests wait, accounts take turns.
   * @throws what the thread threw, or ThreadError
   */
  ask(
    input: Input,
    options?: { readonly transfer?: readonly Transferable[]; readonly account?: string },
  ): Promise<Output>;
  /**
   * Whether a thread can answer now, and if not, why. Starts lost threads again when their pause is over. For kinds that
   * start at once.
   */
  state(): "ready" | "starting" | ThreadError;
  /** Answers the requests that the kind's `finishes` says and refuses the others. May be called twice. */
  close(): Promise<void>;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly transfer: readonly Transferable[];
  readonly reply: PromiseWithResolvers<Output>;
  lane: Lane<Input, Output> | null;
}

/** Each request goes to the thread with the fewest pending ones, of those that are ready if any is. */
export function createThreadPool<Input, Output>(
  kind: ThreadKind,
  options: CrewOptions,
  deps: ThreadDeps,
): ThreadPool<Input, Output> {
  const queue = createTurns<Waiting<Input, Output>>();
  const load = countPending(kind, deps.board, () => void crews.end());
  let closing: Promise<unknown> | null = null;

  function onLost(error: ThreadError): void {
    if (closing === null) options.onLost?.(error);
    // The next thread would most likely fail in the same way, or starts only after a pause.
    if (!error.hasServed || kind.pauseMs > 0 || closing !== null) refuseQueue(error);
    dispatch();
  }
  const crews = createCrews<Input, Output>(kind, { ...options, onReady: dispatch, onLost }, deps);

  function dispatch(): void {
    while (queue.size > 0) {
      const lane = crews.freeLane();
      const next = lane === null ? null : queue.next();
      if (lane === null || next === null) return;
      void send(lane, next);
    }
  }

  async function send(lane: Lane<Input, Output>, waiting: Waiting<Input, Output>): Promise<void> {
    const { input, transfer, reply } = waiting;
    waiting.lane = lane;
    lane.pending++;
    try {
      reply.resolve(await lane.thread.rpc.call(input, transfer));
    } catch (error) {
      reply.reject(error);
    }
    release(waiting);
  }

  /** Gives the place at the thread to the next request. */
  function release(waiting: Waiting<Input, Output>): void {
    if (waiting.lane !== null) waiting.lane.pending--;
    waiting.lane = null;
    dispatch();
  }

  function refuseQueue(error: ThreadError): void {
    for (let next = queue.next(); next !== null; next = queue.next()) next.reply.reject(error);
  }

  async function enqueue(account: string, waiting: Waiting<Input, Output>): Promise<Output> {
    const { reply } = waiting;
    const remove = queue.add(account, waiting);
    dispatch();
    // No thread may be started now: the request is refused instead of waiting for a start that may fail again.
    if (!crews.hasAny()) refuseQueue(crews.loss() ?? new ThreadError(kind.name, "died"));
    if (kind.answerMs === null) return reply.promise;
    const late = setTimeout(() => {
      remove();
      reply.reject(new ThreadError(kind.name, "late"));
      release(waiting);
    }, kind.answerMs);
    return reply.promise.finally(() => clearTimeout(late));
  }

  async function finish(): Promise<void> {
    if (kind.finishes === "all") await load.empty();
    else refuseQueue(new ThreadError(kind.name, "closed"));
    crews.seal();
    await crews.end();
  }

  return {
    async ask(input, { transfer = [], account = "" } = {}) {
      if (closing !== null) throw new ThreadError(kind.name, "closed");
      if (kind.maxPending !== null && load.pending() >= kind.maxPending)
        throw new ThreadError(kind.name, "full");
      load.change(1);
      try {
        return await enqueue(account, { input, transfer, reply: Promise.withResolvers(), lane: null });
      } finally {
        load.change(-1);
      }
    },
    state: crews.state,
    async close() {
      closing ??= finish();
      await closing;
    },
  };
}

/** Counts requests without an answer, here and on the board; calls `onIdle` when there was none for the kind's `idleMs`. */
function countPending({ name, idleMs }: ThreadKind, board: ThreadDeps["board"], onIdle: () => void) {
  let pending = 0;
  let onEmpty: () => void = () => undefined;
  let idle: NodeJS.Timeout | undefined;
  return {
    pending: () => pending,
    change(by: number) {
      pending += by;
      board.add(name, "pending", by);
      clearTimeout(idle);
      if (pending > 0) return;
      onEmpty();
      if (idleMs !== null) idle = setTimeout(onIdle, idleMs).unref();
    },
    /** Resolves when no request is pending. */
    async empty() {
      if (pending === 0) return;
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
    },
  };
}
