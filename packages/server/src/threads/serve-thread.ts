/** The entry of every thread of a pool: opens its resources, reports that it serves, and answers until it is asked to end. */
import { parentPort, type Transferable } from "node:worker_threads";
import { sendBeat, serveRpc } from "../rpc/rpc.ts";
import { watchMemory } from "../rpc/thread-memory.ts";
import { THREAD_KINDS, type ThreadName } from "./kinds.ts";
import { lowerThreadPriority } from "./priority.ts";

/** Answers everything received before, then ends the thread. */
export const END = "end";

export interface ThreadService<Input, Output> {
  answer(request: Input): Output | Promise<Output>;
  /** The buffers of an answer that may move. */
  transfer?(answer: Output): readonly Transferable[];
  /** See `MemoryReport`. */
  readonly indexBytes?: () => number;
  /** The thread's priority could not be lowered, which costs speed only. */
  onPriorityKept?(reason: string): void;
}

/** An error in `open` ends the thread, and the requests that it was sent fail with that error. */
export async function serveThread<Input, Output>(
  thread: ThreadName,
  open: () => ThreadService<Input, Output> | Promise<ThreadService<Input, Output>>,
): Promise<void> {
  const port = parentPort;
  if (port === null) return; // Imported for its types.
  const service = await open();
  const isLow = THREAD_KINDS[thread].priority === "low";
  const server = serveRpc(port, isLow ? lowerAfterFirst(service) : service.answer, service.transfer);
  port.on("message", (message: unknown) => {
    if (message === END) void server.drained().then(() => process.exit());
  });
  sendBeat(port);
  watchMemory(thread, service.indexBytes);
}

/**
 * What a thread loads at its start and with its first request takes seconds of a core, at low priority beside busy threads ten times
 * that. It has no native threads that would have to inherit the priority: each session runs in the thread that calls it.
 */
function lowerAfterFirst<Input, Output>({ answer, onPriorityKept }: ThreadService<Input, Output>) {
  let isFirst = true;
  return async (request: Input): Promise<Output> => {
    try {
      return await answer(request);
    } finally {
      const reason = isFirst ? lowerThreadPriority() : null;
      isFirst = false;
      if (reason !== null) onPriorityKept?.(reason);
    }
  };
}
