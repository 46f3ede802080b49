/** Requests to the threads of one kind: who waits, who is next, and how long. */
import type { Transferable } from "node:worker_threads";
import { createFairQueue } from "../domain/fair-queue.ts";
import { type CrewOptions, createCrews, type Lane } from "./crews.ts";
import type { ThreadKind } from "./kinds.ts";
import { type ThreadDeps, ThreadError } from "./thread.ts";

export interface ThreadPool<Input, Output> {
  /**
   * Buffers in `transfer` move along. Where requests wait, accounts take turns.
   * @throws what the thread threw, or ThreadError; the signal's reason when it is aborted before a thread has the request
   */
  ask(input: Input, options?: AskOptions): Promise<Output>;
  /**
   * Whether a thread can answer now, and if not, why. Starts lost threads again when their pause is over. For kinds that
   * start at once.
   */
  state(): "ready" | "starting" | ThreadError;
  /** The service stops: answers requests as before, but starts no more threads, and waits three seconds for one that hangs. */
  hurry(): void;
  /** Answers the requests that the kind's `finishes` says and refuses the others, in a hurry. May be called twice. */
  close(): Promise<void>;
}

export interface AskOptions {
  readonly transfer?: readonly Transferable[];
  readonly account?: string;
  /** null = the answer is wanted in any case. */
  readonly signal?: AbortSignal | null;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly options: AskOptions;
  readonly reply: PromiseWithResolvers<Output>;
  lane: Lane<Input, Output> | null;
}

/** Each request goes to the thread with the fewest pending ones, of those that are ready if any is. */
export function createThreadPool<Input, Output>(
  kind: ThreadKind,
  options: CrewOptions,
  deps: ThreadDeps,
): ThreadPool<Input, Output> {
  const queue = createFairQueue<Waiting<Input, Output>>();
  const places = countPlaces<Input, Output>(() => placesOfAccount(kind, options, crews.size()));
  const load = countPending(kind, deps.board, () => void crews.end());
  let closing: Promise<unknown> | null = null;

  function onLost(error: ThreadError): void {
    if (closing === null) options.onLost?.(error);
    // The next thread would most likely fail in the same way, or starts only after a pause.
    if (!error.hasServed || kind.pauseMs > 0 || closing !== null || crews.isDone()) refuseQueue(error);
    dispatch();
  }
  const crews = createCrews<Input, Output>(kind, { ...options, onReady: dispatch, onLost }, deps);

  function dispatch(): void {
    while (queue.size > 0) {
      const lane = crews.freeLane();
      const next = lane === null ? undefined : queue.shift(places.isFree);
      if (lane === null || next === undefined) return;
      void send(lane, next);
    }
  }

  async function send(lane: Lane<Input, Output>, waiting: Waiting<Input, Output>): Promise<void> {
    const { input, options, reply } = waiting;
    places.take(waiting, lane);
    try {
      reply.resolve(await lane.thread.rpc.call(input, options.transfer));
    } catch (error) {
      reply.reject(error);
    }
    release(waiting);
  }

  /** Gives the place at the thread to the next request. */
  function release(waiting: Waiting<Input, Output>): void {
    places.leave(waiting);
    dispatch();
  }

  function refuseQueue(error: ThreadError): void {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) next.reply.reject(error);
  }

  async function enqueue(waiting: Waiting<Input, Output>): Promise<Output> {
    const { options, reply } = waiting;
    const { account = "", signal = null } = options;
    const remove = queue.push(waiting, { accountId: account, isUrgent: false });
    const giveUp = (error: unknown) => {
      remove();
      reply.reject(error);
      release(waiting);
    };
    const answered = limitWait(waiting, { kind, signal, giveUp });
    dispatch();
    // No thread may be started now: the request is refused instead of waiting for a start that may fail again.
    if (crews.size() === 0) refuseQueue(crews.loss() ?? new ThreadError(kind.name, "died"));
    return reply.promise.finally(answered);
  }

  async function finish(): Promise<void> {
    crews.hurry();
    if (kind.finishes === "all") await load.empty();
    else refuseQueue(new ThreadError(kind.name, "closed"));
    await crews.end();
  }

  return {
    async ask(input, options = {}) {
      options.signal?.throwIfAborted();
      if (closing !== null) throw new ThreadError(kind.name, "closed");
      if (kind.maxPending !== null && load.pending() >= kind.maxPending)
        throw new ThreadError(kind.name, "full");
      load.change(1);
      const waiting = { input, options, reply: Promise.withResolvers<Output>(), lane: null };
      return enqueue(waiting).finally(() => load.change(-1));
    },
    state: crews.state,
    hurry: crews.hurry,
    async close() {
      closing ??= finish();
      await closing;
    },
  };
}

function placesOfAccount({ ofAccount }: ThreadKind, { maxCrews = 1 }: CrewOptions, running: number): number {
  return (ofAccount ?? Number.POSITIVE_INFINITY) * Math.max(maxCrews, running);
}

/** Counts the places at threads, also by account; requests of the service itself have no bound. */
function countPlaces<Input, Output>(most: () => number) {
  /** Accounts without any have no entry. */
  const heldBy = new Map<string, number>();
  function change({ options: { account = "" } }: Waiting<Input, Output>, by: 1 | -1): void {
    const held = (heldBy.get(account) ?? 0) + by;
    if (held === 0) heldBy.delete(account);
    else heldBy.set(account, held);
  }
  return {
    isFree: (account: string) => account === "" || (heldBy.get(account) ?? 0) < most(),
    take(waiting: Waiting<Input, Output>, lane: Lane<Input, Output>): void {
      waiting.lane = lane;
      lane.pending++;
      change(waiting, 1);
    },
    /** Does nothing for a request without a place. */
    leave(waiting: Waiting<Input, Output>): void {
      if (waiting.lane === null) return;
      waiting.lane.pending--;
      waiting.lane = null;
      change(waiting, -1);
    },
  };
}

/** Gives up when the signal is aborted while no thread has the request, and after the kind's time. The returned function ends this. */
function limitWait(
  waiting: { readonly lane: unknown },
  options: {
    readonly kind: ThreadKind;
    readonly signal: AbortSignal | null;
    readonly giveUp: (error: unknown) => void;
  },
): () => void {
  const { kind, signal, giveUp } = options;
  const onAbort = () => {
    if (waiting.lane === null) giveUp(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const onLate = () => giveUp(new ThreadError(kind.name, "late"));
  const late = kind.answerMs === null ? undefined : setTimeout(onLate, kind.answerMs);
  return () => {
    clearTimeout(late);
    signal?.removeEventListener("abort", onAbort);
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
