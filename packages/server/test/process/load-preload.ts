/** Loaded into the service with `--import`: it writes a line `loaded …` for each module that the main thread loads. */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const STDERR = 2;

if (isMainThread) {
  registerHooks({
    load(url, context, nextLoad) {
      writeSync(STDERR, `loaded ${url}\n`);
      return nextLoad(url, context);
    },
  });
}
