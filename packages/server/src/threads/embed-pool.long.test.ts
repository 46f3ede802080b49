import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads, type HangingThread, startHangingThread } from "../../test/support/threads.ts";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../adapters/models/runtime/silence-runtime.ts";
import { EmbedderUnavailableError } from "../ports/embedder.ts";
import { createRpcClient } from "../rpc/rpc.ts";
import { createEmbedPool } from "./embed-pool.ts";
import type { EmbedThreadData, EmbedThreadRequest } from "./embed-thread.ts";
import { callsInside, closeNativeGate, createNativeGate } from "./native-gate.ts";

/** Of many lengths, because kernels differ by the number of tokens; the last is cut at the model's limit. */
const texts = [1, 2, 3, 7, 12, 30, 61, 90, 128, 400].map((words) =>
  Array.from(
    { length: words },
    (_, at) => ["pump", "valves", "of", "the", "Harbour", "42"][(at * words) % 6],
  ).join(" "),
);

const OPTIONS = { logLevel: "error", countTokens: (text: string) => text.length } as const;

let modelDir: string;
let alone: readonly Float32Array[];

before(async () => {
  silenceRuntime();
  modelDir = await mkdtemp(join(tmpdir(), "kcs-embed-pool-"));
  const embedder = await openMiniLmEmbedder(modelDir);
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embedder.embed(text));
  await embedder.close();
  alone = vectors;
});
after(() => rm(modelDir, { recursive: true, force: true }));

for (const threads of [1, 3]) {
  test(`a text has the same bytes alone and in company on ${threads} thread${threads > 1 ? "s" : ""}`, async () => {
    const pool = createEmbedPool({ ...OPTIONS, threads, modelDir }, createTestThreads().deps);
    try {
      // Every text meets different neighbours, before and after it, in each of the rounds.
      for (const order of [texts, texts.toReversed(), [...texts, ...texts.slice(3), ...texts]]) {
        const vectors = await Promise.all(order.map((text) => pool.embed(text)));
        for (const [at, vector] of vectors.entries()) {
          assert.deepEqual(vector, alone[texts.indexOf(order[at] ?? "")], `place ${at} of ${order.length}`);
        }
      }
    } finally {
      await pool.close();
    }
  });
}

const startReal = (gates: readonly SharedArrayBuffer[]) =>
  new Worker(new URL("./embed-thread.ts", import.meta.url), {
    workerData: {
      modelDir,
      logLevel: "error",
      localModels: [],
      reader: null,
      gates,
    } satisfies EmbedThreadData,
  });

test("a thread with a loaded model that hangs is ended without harm to the process, and is replaced", async () => {
  const { deps, board, logged, passSilence } = createTestThreads();
  const outerGate = createNativeGate(0);
  let first: HangingThread | null = null;
  const pool = createEmbedPool(
    {
      ...OPTIONS,
      threads: 1,
      modelDir,
      start(gates) {
        if (first !== null) return startReal(gates);
        first = startHangingThread("embed", { gates, modelDir });
        return first.worker;
      },
    },
    { ...deps, outerGate },
  );
  // Eight are at the thread, two wait for it and are embedded by the next one.
  const outcomes = Promise.allSettled(texts.map((text) => pool.embed(text)));
  const hanging: HangingThread = first ?? assert.fail();
  await hanging.hangs;
  const exited = once(hanging.worker, "exit");
  passSilence("embed");
  const settled = await outcomes;
  assert.deepEqual(
    settled.map((outcome) => (outcome.status === "rejected" ? outcome.reason.fault : outcome.value)),
    [...Array.from({ length: 8 }, () => "hung"), ...alone.slice(8)],
  );
  await exited;
  assert.deepEqual([board.read("embed", "hung"), board.read("embed", "stuck")], [1, 0]);
  assert.deepEqual(
    logged.map(([event]) => event),
    ["thread_hung"],
  );
  await pool.close();
  assert.equal(callsInside(outerGate), 0);
});

test("without a model, all texts are refused as an outage, and the next one tries again", async () => {
  const outerGate = createNativeGate(0);
  let starts = 0;
  const pool = createEmbedPool(
    {
      ...OPTIONS,
      threads: 1,
      modelDir,
      start(gates) {
        return starts++ === 0
          ? new Worker("throw new Error('no weights')", { eval: true })
          : startReal(gates);
      },
    },
    { ...createTestThreads().deps, outerGate },
  );
  const settled = await Promise.allSettled(texts.map((text) => pool.embed(text)));
  for (const outcome of settled) {
    assert(outcome.status === "rejected" && outcome.reason instanceof EmbedderUnavailableError);
    assert.match(outcome.reason.message, /could not be started: no weights/);
  }
  assert.deepEqual(await pool.embed(texts[0] ?? ""), alone[0]);
  await pool.close();
  // A thread that died while it loaded its model is no longer counted as inside native code.
  assert.equal(callsInside(outerGate), 0);
});

test("an account's large ontology does not hold up another account's text on the same thread", async (context) => {
  const pool = createEmbedPool({ ...OPTIONS, threads: 1, modelDir }, createTestThreads().deps);
  context.after(() => pool.close());
  await pool.embed("The thread has started.");
  const types = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`Kind${at}`, {}]));
  const schemaJson = JSON.stringify({
    ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [] },
  });
  const request = { text: "The pump stands.", start: 0, sentences: [], mentions: [], documentSubject: null };
  const order: string[] = [];
  const reading = pool.read({ ...request, ontology: { ontologyId: "large", schemaJson } }, "busy");
  await Promise.all([
    reading.then(() => order.push("busy")),
    pool.embed(texts[0] ?? "", "other").then(() => order.push("other")),
  ]);
  assert.deepEqual(order, ["other", "busy"]);
});

test("a thread that embeds all the time may be terminated once its gate is closed", async () => {
  for (let round = 0; round < 3; round++) {
    const gate = createNativeGate();
    const worker = startReal([gate]);
    const client = createRpcClient<EmbedThreadRequest, Float32Array>(worker);
    await once(worker, "message"); // It has its model.
    const answers = Array.from({ length: 500 }, () =>
      client.call({ accountId: "a", work: "the harbour pump ".repeat(40) }),
    );
    for (const answer of answers) answer.catch(() => undefined);
    await answers[round];
    assert.equal(await closeNativeGate(gate, 600_000), true);
    await worker.terminate();
  }
});
