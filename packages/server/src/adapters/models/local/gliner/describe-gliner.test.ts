import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { describeModel } from "../describe-model.ts";
import { identifyModel } from "../identify-model.ts";

type Files = Readonly<Record<string, unknown>>;

const files = { "gliner_config.json": {}, "tokenizer.json": {}, "onnx/model.onnx": {} };

describe("a GLiNER model's folder", () => {
  let modelsDir: string;
  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-gliner-"));
  });
  afterEach(() => rm(modelsDir, { recursive: true, force: true }));

  async function describeFiles(given: Files) {
    const folder = join(modelsDir, "own");
    await rm(folder, { recursive: true, force: true });
    for (const [path, value] of Object.entries(given)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), JSON.stringify(value));
    }
    return describeModel(modelsDir, "own");
  }
  const withConfig = (config: Files) => describeFiles({ ...files, "gliner_config.json": config });

  test("is a reader with the library's defaults; kcs-model.json says the thresholds", async () => {
    const { task, reader, maxTokens } = await describeFiles(files);
    assert.equal(task, "extraction");
    assert.equal(maxTokens, 512);
    assert.ok(reader !== null);
    assert.deepEqual([reader.maxWords, reader.maxWidth, reader.maxLabels], [384, 12, 25]);
    assert.deepEqual([reader.threshold, reader.relationThreshold, reader.confidence], [0.5, 0.5, null]);
    const confidence = { slope: 0.6, offset: -1 };
    const hints = { threshold: 0.4, relationThreshold: 0.7, nested: true, relationConfidence: confidence };
    const own = (await describeFiles({ ...files, "kcs-model.json": hints })).reader;
    assert.deepEqual(
      [own?.threshold, own?.relationThreshold, own?.nested, own?.confidence],
      [0.4, 0.7, true, confidence],
    );
    assert.equal(
      (await describeFiles({ ...files, "kcs-model.json": { threshold: 0.3 } })).reader?.relationThreshold,
      0.3,
    );
  });

  test("takes as many tokens as its tokenizer and its positions allow", async () => {
    const tokens = async (encoder: Files | null, stated: number | null) => {
      const own = { ...files, "gliner_config.json": { encoder_config: encoder } };
      const tokenizer = stated === null ? {} : { "tokenizer_config.json": { model_max_length: stated } };
      return (await describeFiles({ ...own, ...tokenizer })).maxTokens;
    };
    const deberta = { model_type: "deberta-v2", max_position_embeddings: 512, position_biased_input: false };
    assert.equal(await tokens(deberta, 1_024), 1_024);
    assert.equal(await tokens({ ...deberta, position_biased_input: true }, 1_024), 512);
    assert.equal(await tokens(deberta, 1e30), 512);
    assert.equal(await tokens(null, 100_000), 2_048);
    assert.equal(
      await tokens({ model_type: "xlm-roberta", max_position_embeddings: 514, pad_token_id: 1 }, 8_192),
      512,
    );
  });

  test("is another model with another graph beside the first", async () => {
    const bi = {
      ...files,
      "gliner_config.json": { labels_encoder: "x" },
      "labels_encoder/tokenizer.json": {},
    };
    const identify = async (labels: string) =>
      identifyModel(await describeFiles({ ...bi, "onnx/labels_encoder.onnx": labels }));
    const [one, other] = [await identify("a"), await identify("b")];
    assert.notEqual(one.fingerprint, other.fingerprint);
    assert.equal(one.reader?.maxLabels, 200);
    assert.ok(Object.keys(one.hashes).includes("labels_encoder/tokenizer.json"));
  });

  test("that cannot be used is refused with the file or the reason", async () => {
    await assert.rejects(
      withConfig({ labels_decoder: "gpt2" }),
      /gliner_config\.json: a model that generates labels/,
    );
    await assert.rejects(withConfig({ words_splitter_type: "jieba" }), /cuts words by "jieba"/);
    await assert.rejects(withConfig({ precomputed_prompts_mode: true }), /has its labels built in/);
    await assert.rejects(withConfig({ max_width: 0 }), /gliner_config\.json is not as expected/);
    await assert.rejects(
      withConfig({ relations_layer: "dot" }),
      /onnx\/relations\.onnx is missing\. Export the model with scripts\/models\/export_gliner\.py/,
    );
    await assert.rejects(
      describeFiles({ ...files, "kcs-model.json": { threshold: 2 } }),
      /kcs-model\.json is not valid/,
    );
  });
});
