/** What test files of one process share is closed once, after the last of them. */
import { after } from "node:test";

const closers: (() => Promise<void>)[] = [];

/**
 * Calls `close` when the process has run all its test files; call it at the top of a test file or in a hook. In a file
 * that is run by itself, with `node --test`, that is after its last test.
 */
export function closeAtEnd(close: () => Promise<void>): void {
  if (process.env["KCS_TEST_LANE"] === undefined) after(close);
  else closers.push(close);
}

/** Closes what was shared, the last first. */
export async function endLane(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
