/** The entry of every thread of a pool: opens its resources, reports that it serves, and answers until it is asked to end. */
import { parentPort, type Transferable } from "node:worker_threads";
import { sendBeat, serveRpc } from "../rpc/rpc.ts";
import { THREAD_KINDS, type ThreadName } from "./kinds.ts";
import { lowerThreadPriority } from "./priority.ts";

/** Answers everything received before, then ends the thread. */
export const END = "end";

export interface ThreadService<Input, Output> {
  answer(request: Input): Output | Promise<Output>;
  /** The buffers of an answer that may move. */
  transfer?(answer: Output): readonly Transferable[];
}

/**
 * An error in `open` ends the thread, and the requests that it was sent fail with that error. `open` receives why the
 * thread's priority could not be lowered, null otherwise; that costs speed only.
 */
export async function serveThread<Input, Output>(
  thread: ThreadName,
  open: (
    priorityFault: string | null,
  ) => ThreadService<Input, Output> | Promise<ThreadService<Input, Output>>,
): Promise<void> {
  const port = parentPort;
  if (port === null) return; // Imported for its types.
  // Before `open`: the native threads that it may start inherit the priority.
  const priorityFault = THREAD_KINDS[thread].priority === "low" ? lowerThreadPriority() : null;
  const { answer, transfer } = await open(priorityFault);
  const server = serveRpc(port, answer, transfer);
  port.on("message", (message: unknown) => {
    if (message === END) void server.drained().then(() => process.exit());
  });
  sendBeat(port);
}
