/** The command `kcs`. */
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { isClosedPipe, run } from "./run.ts";

const interrupt = new AbortController();
// The terminal and the launcher may both deliver the same signal. Aborting twice has no further effect.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());
for (const stream of [process.stdout, process.stderr]) {
  // Other errors reject the write, and the command tells of them.
  stream.on("error", (error) => {
    if (isClosedPipe(error)) process.exit(EXIT.ok);
  });
}

// `process.exit` would truncate output that is still being written to a pipe.
process.exitCode = await run(process.argv.slice(2), processIo(interrupt.signal));
process.stdin.destroy();
