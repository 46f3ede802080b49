/** What test files of one process share is closed once, after the last of them. */
import { after } from "node:test";

const closers: (() => Promise<void>)[] = [];

/** Calls `close` when this process has run all its test files. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes what was shared, the last first. */
export async function endLane(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

// A file that is run by itself, with `node --test`, has no lane that ends.
if (process.env["KCS_TEST_LANE"] === undefined) after(endLane);
