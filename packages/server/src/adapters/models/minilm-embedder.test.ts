import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import {
  type ClosableEmbedder,
  MINILM_DIMENSIONS,
  MINILM_MAX_TOKENS,
  openMiniLmEmbedder,
} from "./minilm-embedder.ts";
import { silenceRuntime } from "./runtime/silence-runtime.ts";

const injury = "A surgeon operated on the injured driver.";
const copper = "Copper prices fell for the third week.";
const bees = "How do bees find their way home?";

/** Cosines of the model with the same weights as 32-bit floats and without quantised activations. */
const floatCosines: readonly (readonly [string, string, number])[] = [
  [injury, "The hurt motorist underwent surgery.", 0.646],
  [injury, copper, -0.078],
  [bees, "Honeybees navigate by the sun and by landmarks.", 0.678],
  [bees, "The parliament adopted a new budget.", -0.038],
  [copper, "The metal became cheaper again.", 0.456],
];

describe("the bundled model", () => {
  let cacheDir: string;
  let model: ClosableEmbedder;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "minilm-"));
    model = await openMiniLmEmbedder(cacheDir);
  });
  after(async () => {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  });

  it("gives unit vectors for any text, including an empty one", async () => {
    for (const text of ["", " \n", "\0\ud800", "漢字 🙂", injury, "x".repeat(100_000), "- ".repeat(50_000)]) {
      const vector = await model.embed(text);
      assert.equal(vector.length, MINILM_DIMENSIONS);
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5, JSON.stringify(text.slice(0, 20)));
    }
  });

  it("stays within quantisation error of the model in floats", async () => {
    for (const [left, right, expected] of floatCosines) {
      const cosine = dot(await model.embed(left), await model.embed(right));
      assert.ok(Math.abs(cosine - expected) < 0.04, `${left} | ${right}: ${cosine}, not ${expected}`);
    }
  });

  it("gives the same bytes for a text alone and together with other texts", async () => {
    const single = await model.embed(injury);
    const concurrent = await Promise.all(
      [copper, injury, bees.repeat(40), injury].map((text) => model.embed(text)),
    );
    assert.deepEqual(concurrent[1], single);
    assert.deepEqual(concurrent[3], single);
    assert.notDeepEqual(concurrent[0], single);
  });

  it("encodes to the same bytes as it embeds, with the state and the offsets of every token", async () => {
    for (const text of ["", injury, "stone ".repeat(300), "don't na\u00efve 3Arena"]) {
      const { vector, states, dimensions, starts, ends } = await model.encode(text);
      assert.deepEqual(vector, await model.embed(text));
      assert.equal(starts.length, Math.min(model.countTokens(text), MINILM_MAX_TOKENS - 2));
      assert.equal(states.length, starts.length * dimensions);
      assert.equal(ends.length, starts.length);
    }
    const { starts, ends } = await model.encode(injury);
    assert.equal(injury.slice(starts[1], ends[1]), "surgeon");
  });

  it("gives the same bytes in two worker threads in parallel", async () => {
    const texts = [injury, copper, bees.repeat(20), ""];
    const expected = await Promise.all(texts.map((text) => model.embed(text)));
    const [left, right] = await Promise.all([embedInWorker(cacheDir, texts), embedInWorker(cacheDir, texts)]);
    assert.deepEqual(left, expected);
    assert.deepEqual(right, expected);
  });

  it("reads the first 254 tokens of a text and nothing after them", async () => {
    const full = "stone ".repeat(MINILM_MAX_TOKENS - 2);
    assert.deepEqual(await model.embed(`${full}river`), await model.embed(full));
    assert.notDeepEqual(await model.embed(`${full.slice("stone ".length)}river`), await model.embed(full));
  });

  it("finishes the running texts when it is closed, and refuses new ones", async () => {
    const closing = await openMiniLmEmbedder(cacheDir);
    const running = closing.embed(copper);
    await closing.close();
    assert.deepEqual(await running, await model.embed(copper));
    await assert.rejects(closing.embed(copper), /closed/u);
    await closing.close();
  });
});

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}

async function embedInWorker(cacheDir: string, texts: readonly string[]): Promise<unknown> {
  silenceRuntime();
  const source = `
    import { parentPort, workerData } from "node:worker_threads";
    const { openMiniLmEmbedder } = await import(workerData.module);
    const model = await openMiniLmEmbedder(workerData.cacheDir);
    const vectors = [];
    for (const text of workerData.texts) vectors.push(await model.embed(text));
    await model.close();
    parentPort.postMessage(vectors);`;
  const workerData = { module: new URL("./minilm-embedder.ts", import.meta.url).href, cacheDir, texts };
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
