/** The models in `fixtures` against the vectors, scores and token ids that the reference libraries give; see make_models.py there. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { openLocalEmbedder, type TextKind } from "../../src/adapters/models/local/embedder.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { openLocalReranker } from "../../src/adapters/models/local/reranker.ts";
import { openTextModel } from "../../src/adapters/models/local/text-model.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));
const TOLERANCE = 1e-4;

interface Expected {
  readonly ids: readonly (readonly number[])[];
  /** By pooling, or by variant of the weights. */
  readonly vectors?: Readonly<Record<string, string>>;
  readonly queries?: string;
  readonly scores?: string;
}

const texts = JSON.parse(await readFile(join(FIXTURES, "texts.json"), "utf8")) as readonly string[];
const names = (await readdir(FIXTURES, { withFileTypes: true })).filter(
  // local-answers.test.ts has the others.
  (entry) => entry.isDirectory() && !entry.name.endsWith("-answers"),
);

async function expectedOf(name: string): Promise<Expected> {
  return JSON.parse(await readFile(join(FIXTURES, name, "expected.json"), "utf8"));
}

function floats(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float32Array(bytes.buffer);
}

async function assertVectors(
  model: Awaited<ReturnType<typeof identifyModel>>,
  { kind, expected, tolerance = TOLERANCE }: { kind: TextKind; expected: string; tolerance?: number },
): Promise<void> {
  const embedder = await openLocalEmbedder(model, { kind });
  const all = floats(expected);
  for (const [at, text] of texts.entries()) {
    const vector = await embedder.embed(text);
    const reference = all.subarray(at * model.dimensions, (at + 1) * model.dimensions);
    const difference = Math.max(...vector.map((value, index) => Math.abs(value - reference[index]!)));
    assert.ok(difference < tolerance, `${JSON.stringify(text.slice(0, 40))}: ${difference}`);
  }
  await embedder.close();
}

describe("a local model", () => {
  for (const { name } of names) {
    test(`${name} has the tokens of the reference, special and truncated ones included`, async () => {
      const model = await identifyModel(await describeModel(FIXTURES, name));
      const opened = await openTextModel(model, {});
      const { ids } = await expectedOf(name);
      for (const [at, text] of texts.entries()) {
        const [first, second] = model.task === "rerank" ? [texts[(at * 7) % texts.length]!, text] : [text];
        assert.deepEqual(await opened.tokenize(first, second), ids[at], JSON.stringify(text));
      }
      assert.ok(ids.some((each) => each.length === model.maxTokens));
      await opened.close();
    });

    test(`${name} gives the vectors or scores of the reference`, async () => {
      const described = await describeModel(FIXTURES, name);
      const model = await identifyModel(described);
      const { vectors = {}, queries, scores } = await expectedOf(name);
      const expected = vectors[model.pooling] ?? "";
      if (model.task === "embedding") await assertVectors(model, { kind: "passage", expected });
      if (queries !== undefined) await assertVectors(model, { kind: "query", expected: queries });
      if (scores === undefined) return;
      const reranker = await openLocalReranker(model);
      const all = floats(scores);
      for (const [at, text] of texts.entries()) {
        const score = await reranker.score(texts[(at * 7) % texts.length]!, text);
        assert.ok(
          Math.abs(score - all[at]!) < TOLERANCE,
          `${JSON.stringify(text)}: ${score}, not ${all[at]}`,
        );
      }
      await reranker.close();
    });
  }

  test("is pooled as its files or the operator say", async () => {
    const { vectors = {} } = await expectedOf("bert");
    const model = await identifyModel(await describeModel(FIXTURES, "bert"));
    assert.equal(model.pooling, "cls");
    await assertVectors({ ...model, pooling: "mean" }, { kind: "query", expected: vectors["mean"] ?? "" });
    await assertVectors(
      { ...model, pooling: "last" },
      { kind: "query", expected: vectors["lasttoken"] ?? "" },
    );
  });

  test("runs in half precision and with 8-bit weights", async () => {
    const { vectors = {} } = await expectedOf("bert");
    const described = await describeModel(FIXTURES, "bert");
    const variant = (weights: string) => identifyModel({ ...described, weights });
    const expected = { kind: "query", expected: vectors["fp16"] ?? "", tolerance: 2e-2 } as const;
    await assertVectors(await variant("onnx/model_fp16.onnx"), expected);
    // Kernels of other CPUs round differently.
    await assertVectors(await variant("onnx/model_int8.onnx"), {
      ...expected,
      expected: vectors["int8"] ?? "",
    });
  });

  test("is not computed on the CPU where another device was chosen", async () => {
    const described = await describeModel(FIXTURES, "bert");
    const model = await identifyModel(described, "coreml");
    assert.equal(model.fingerprint, (await identifyModel(described)).fingerprint);
    // The runtime has no such device on Linux.
    await assert.rejects(openLocalEmbedder(model, { kind: "query" }), {
      name: "ModelFault",
      message: /bert\/onnx\/model\.onnx cannot be loaded: .*coreml/,
    });
  });

  test("depends on the text alone", async () => {
    const model = await identifyModel(await describeModel(FIXTURES, "modernbert"));
    const embedder = await openLocalEmbedder(model, { kind: "query" });
    const alone = await embedder.embed("lighthouse");
    const [, together] = await Promise.all([embedder.embed("x ".repeat(500)), embedder.embed("lighthouse")]);
    assert.deepEqual(together, alone);
    assert.ok(Math.abs(Math.hypot(...alone) - 1) < 1e-6);
    await embedder.close();
  });
});
