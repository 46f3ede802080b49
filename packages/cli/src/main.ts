/** The command `kcs`. */
import { processIo } from "./io.ts";
import { run } from "./run.ts";

const interrupt = new AbortController();
// The terminal and the launcher may both deliver the same signal. Aborting twice has no further effect.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());
// What cannot be written ends no work: `processIo` tells of the output, and nobody can be told of the other stream.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

// `process.exit` would truncate output that is still being written to a pipe.
process.exitCode = await run(process.argv.slice(2), processIo(interrupt.signal));
process.stdin.destroy();
