import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Io } from "../io.ts";

/** A line from the terminal that is not shown while it is typed. */
export async function readHidden(io: Io, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  io.err(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      // In raw mode Ctrl-C comes as a character, which readline tells of.
      lines.once("SIGINT", () => reject(new Error("Interrupted.")));
      io.signal.addEventListener("abort", () => reject(io.signal.reason), { once: true });
    });
  } finally {
    lines.close();
    io.err("\n");
  }
}
