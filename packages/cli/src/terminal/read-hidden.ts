import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Io } from "../io.ts";

/** Reads a line from the terminal without echoing it. */
export async function readHidden(io: Io, question: string): Promise<string> {
  const discarded = new Writable({ write: (_part, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: discarded, terminal: true });
  io.err(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
      // In raw mode Ctrl-C arrives as a character, for which readline emits this event.
      lines.once("SIGINT", () => reject(new Error("Interrupted.")));
      io.signal.addEventListener("abort", () => reject(io.signal.reason), { once: true });
    });
  } finally {
    lines.close();
    io.err("\n");
  }
}
