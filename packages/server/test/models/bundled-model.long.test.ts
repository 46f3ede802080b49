/** The bundled model against what it gave before it was run by the code that runs all local models; see `bundled`. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  createTokenizer,
  ensureModel,
  graphInput,
  graphOutput,
  MINILM,
  readVocabulary,
  requireId,
  specialTokens,
} from "@kcs/minilm";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { type ClosableEmbedder, openMiniLmEmbedder } from "../../src/adapters/models/minilm-embedder.ts";
import { multipliesIntegersExactly } from "../../src/adapters/models/runtime/integer-kernels.ts";
import { loadRuntime } from "../../src/adapters/models/runtime/onnx-session.ts";
import { describeTexts, type RecordedText } from "./bundled/recorded.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const texts = JSON.parse(await read("./fixtures/texts.json")) as readonly string[];
const recorded = JSON.parse(await read("./bundled/vectors.json")) as readonly RecordedText[];
/** Of the processor on which the vectors were recorded: with others, last digits differ. */
const KERNELS = ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"];
/** Between processors. */
const TOLERANCE = 0.01;

/** Whether ONNX Runtime computes here with the instructions with which the vectors were recorded. */
async function hasRecordedKernels(): Promise<boolean> {
  const description = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  const flags = new Set(/^flags\s*:(.*)$/m.exec(description)?.[1]?.split(" "));
  return process.arch === "x64" && KERNELS.every((flag) => flags.has(flag));
}

describe("the bundled model", () => {
  let cacheDir: string;
  let model: ClosableEmbedder;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "kcs-bundled-"));
    model = await openMiniLmEmbedder(cacheDir);
  });
  after(async () => {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  });

  test("gives the recorded vectors and states, to the bit on the kind of processor of the record", async () => {
    const given = await describeTexts(model, texts);
    const isSameKind = await hasRecordedKernels();
    assert.equal(given.length, 40);
    for (const [place, row] of given.entries()) {
      const known = recorded[place];
      assert.ok(known !== undefined);
      assert.deepEqual([row.at, row.tokens], [known.at, known.tokens]);
      for (const [at, number] of row.numbers.entries())
        assert.ok(Math.abs(number - (known.numbers[at] ?? 2)) < TOLERANCE, `text ${row.at}`);
      if (isSameKind)
        assert.deepEqual([row.vector, row.states], [known.vector, known.states], `text ${row.at}`);
    }
  });

  test("gives, to the bit on any processor, what the runtime alone gives for the text's tokens", async () => {
    const vocabulary = await readVocabulary();
    const tokenizer = createTokenizer(vocabulary);
    const isExact = await multipliesIntegersExactly(await loadRuntime());
    const session = await InferenceSession.create((await ensureModel(cacheDir)).onnxPath, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      extra: {
        optimization: { disable_specified_optimizers: "SkipLayerNormFusion" },
        ...(isExact ? {} : { session: { x64quantprecision: "1" } }),
      },
    });
    for (const { at } of recorded) {
      const text = texts[at] ?? "";
      const tokens = tokenizer.encode(text, MINILM.maxTokens - 2);
      const [start, end] = [
        requireId(vocabulary, specialTokens.start),
        requireId(vocabulary, specialTokens.end),
      ];
      const ids = Int32Array.of(start, ...tokens, end);
      const outputs = await session.run({ [graphInput]: new Tensor("int32", ids, [1, ids.length]) }, [
        graphOutput,
      ]);
      assert.deepEqual(await model.embed(text), outputs[graphOutput]?.data, `text ${at}`);
    }
    await session.release();
  });
});
