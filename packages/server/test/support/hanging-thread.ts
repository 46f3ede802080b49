/** A thread that serves like all others, until it runs into an endless loop. */
import { workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../../src/adapters/models/minilm-embedder.ts";
import { webAssembly } from "../../src/engine/index/kernels/web-assembly.ts";
import type { ThreadName } from "../../src/threads/kinds.ts";
import { createNativeSection } from "../../src/threads/native-gate.ts";
import { serveThread } from "../../src/threads/serve-thread.ts";

export interface HangingThreadData {
  readonly kind: ThreadName;
  readonly gates: readonly SharedArrayBuffer[];
  /** Of the real model, which then is loaded and used; null = no model. */
  readonly modelDir: string | null;
  /** Its word is 1 from the beginning of the loop. */
  readonly entered: SharedArrayBuffer;
  readonly loop: Loop;
}

export type Loop = keyof typeof LOOPS;

/** A module that exports `(func (loop (br 0)))` as "f". */
const ENDLESS_WASM = "0061736d0100000001040160000003020100070501016600000a0901070003400c000b0b";

/** None of them ends. */
const LOOPS = {
  script() {
    for (;;);
  },
  wasm() {
    const { exports } = new webAssembly.Instance(
      new webAssembly.Module(Buffer.from(ENDLESS_WASM, "hex")),
      {},
    );
    (exports["f"] as () => void)(); // As the module declares it.
  },
  regex() {
    /^(?:a|a)*$/.test(`${"a".repeat(100)}b`);
  },
} as const;

const { kind, gates, modelDir, entered, loop } = workerData as HangingThreadData; // Set by `startHangingThread`.

function hang(): void {
  const words = new Int32Array(entered);
  Atomics.store(words, 0, 1);
  Atomics.notify(words, 0);
  LOOPS[loop]();
}

await serveThread<unknown, unknown>(kind, async () => {
  const native = createNativeSection(gates);
  const embedder = modelDir === null ? null : await openMiniLmEmbedder(modelDir, native.run);
  native.leave();
  return {
    async answer(request) {
      // The ingest thread's first request is answered when it ends.
      if (request === "work") return new Promise(() => undefined);
      await embedder?.embed("a text before the loop");
      return hang();
    },
  };
});
