/** The command `kcs`. */
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { isGoneReader, run } from "./run.ts";

const interrupt = new AbortController();
// A terminal and the launcher may both deliver one key press: aborting twice is aborting once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (!isGoneReader(error)) throw error;
    process.exit(EXIT.ok);
  });
}

// Not `process.exit`: what was written to a pipe would be cut off.
process.exitCode = await run(process.argv.slice(2), processIo(interrupt.signal));
process.stdin.destroy();
