/** The watch over the two threads of the embedded database. */
import type { DatabaseThreads } from "../adapters/database/sqlite-store.ts";
import { killProcess } from "../cut-off.ts";
import { THREAD_KINDS } from "./kinds.ts";
import type { ThreadDeps } from "./thread.ts";

/**
 * A database thread that hangs ends the process: no other thread can take over its connection while it may hold a lock,
 * and it may be in SQLite's native code, which no termination interrupts. The next start continues from what was committed.
 */
export function watchDatabaseThreads({ watch, board, log }: ThreadDeps): DatabaseThreads {
  const { heap, silenceMs } = THREAD_KINDS.writer;
  return {
    heap,
    watch,
    silenceMs,
    onStarted: (role) => board.add(role, "alive", 1),
    onPending: (role, change) => board.add(role, "pending", change),
    onHung(role) {
      board.add(role, "hung", 1);
      log.error("thread_hung", { thread: role, silentMs: silenceMs });
      killProcess();
    },
    onMisplaced(path) {
      if (path === null) log.info("database_in_place");
      else
        log.error("database_misplaced", { path, message: "The database is not written until it is back." });
    },
  };
}
