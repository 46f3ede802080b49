/**
 * Runs test files one after another in this process, each in a suite of its own, so that modules, compiled code and a
 * shared service are loaded once. The hooks at the top of a file belong to its suite.
 */
import { describe } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { endLane } from "./lane-end.ts";
import type { ToLane } from "./lane-messages.ts";

/** Each run draws the same cases; `KCS_TEST_SEED=N` draws others. A failure names its seed. */
fc.configureGlobal({ seed: Number(process.env.KCS_TEST_SEED ?? 1) });

process.on("message", (message: ToLane) => {
  if (message.kind === "run") {
    const url = pathToFileURL(message.file).href;
    void describe(message.file, async () => {
      await import(url);
    });
    return;
  }
  void endLane().finally(() => process.disconnect?.());
});
