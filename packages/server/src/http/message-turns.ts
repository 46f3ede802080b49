/** Begins messages to `/mcp` one at a time, with turns of the event loop between them that are free for everything else. */
import { setImmediate as turn } from "node:timers/promises";
import { errors } from "../domain/errors.ts";
import { createFairQueue } from "../domain/fair-queue.ts";

/**
 * A turn of the event loop accepts one new connection. If each turn also began a message, a newcomer behind sixty connections
 * would wait for sixty messages. A turn in which nothing happens takes about 10 µs.
 */
const FREE_TURNS = 16;
/** More are refused rather than kept in memory: they arrive faster than they begin. */
const MAX_WAITING = { ofAccount: 512, inAll: 2_048 };
const RETRY_SECONDS = 1;

/**
 * Returns a promise for each of the messages of a request, resolved when it may begin. Accounts take turns.
 * @throws ServiceError when too many messages wait
 */
export type TakeTurns = (accountId: string, messages: number) => readonly Promise<void>[];

export function createMessageTurns(): TakeTurns {
  const queue = createFairQueue<() => void>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await turn();
    for (let begin = queue.shift(); begin !== undefined; begin = queue.shift()) {
      begin();
      // One more than are free, because the last of them is that of the next message.
      for (let passed = 0; passed <= FREE_TURNS; passed++) await turn();
    }
    isRunning = false;
  }

  return (accountId, messages) => {
    const own = queue.sizeOf(accountId);
    // Who has none is let in: its message begins after one of each other account, however many those have.
    const isFull = own > 0 && queue.size + messages > MAX_WAITING.inAll;
    if (own + messages > MAX_WAITING.ofAccount || isFull) {
      throw errors.busy("Too many messages wait. Read the answers to the earlier ones first.", RETRY_SECONDS);
    }
    const taken = Array.from({ length: messages }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      queue.push(() => resolve(), { accountId, isUrgent: false });
      return promise;
    });
    if (!isRunning) void run();
    return taken;
  };
}
