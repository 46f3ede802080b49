import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { describeModel } from "./describe-model.ts";
import { identifyModel } from "./identify-model.ts";

type Files = Readonly<Record<string, unknown>>;

const config = {
  model_type: "bert",
  architectures: ["BertModel"],
  hidden_size: 8,
  max_position_embeddings: 512,
};
const files = { "config.json": config, "tokenizer.json": {}, "model.onnx": {} };
const pooled = { ...files, "1_Pooling/config.json": { pooling_mode_mean_tokens: true } };

describe("a model's folder", () => {
  let modelsDir: string;
  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-describe-"));
  });
  afterEach(() => rm(modelsDir, { recursive: true, force: true }));

  async function describeFiles(given: Files, id = "own") {
    const folder = join(modelsDir, id);
    await rm(folder, { recursive: true, force: true });
    for (const [path, value] of Object.entries(given)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), JSON.stringify(value));
    }
    return describeModel(modelsDir, id);
  }

  test("says the pooling in the old and the new spelling, and the length that is the shortest", async () => {
    assert.equal((await describeFiles(pooled)).pooling, "mean");
    const last = { ...files, "1_Pooling/config.json": { pooling_mode: "lasttoken" } };
    assert.equal((await describeFiles(last)).pooling, "last");
    assert.equal((await describeFiles(pooled)).maxTokens, 512);
    assert.equal(
      (await describeFiles({ ...pooled, "tokenizer_config.json": { model_max_length: 1e30 } })).maxTokens,
      512,
    );
    assert.equal(
      (await describeFiles({ ...pooled, "sentence_bert_config.json": { max_seq_length: 256 } })).maxTokens,
      256,
    );
    const roberta = { ...config, model_type: "roberta", max_position_embeddings: 514, pad_token_id: 1 };
    assert.equal((await describeFiles({ ...pooled, "config.json": roberta })).maxTokens, 512);
  });

  test("says the prefixes; the catalogue and the operator say what it does not", async () => {
    const prompts = { prompts: { query: "q: ", document: "d: " } };
    const own = await describeFiles({ ...pooled, "config_sentence_transformers.json": prompts });
    assert.deepEqual([own.queryPrefix, own.passagePrefix], ["q: ", "d: "]);
    const known = await describeFiles(files, "intfloat/e5-small-v2");
    assert.deepEqual(
      [known.queryPrefix, known.passagePrefix, known.pooling],
      ["query: ", "passage: ", "mean"],
    );
    const told = { ...files, "kcs-model.json": { pooling: "cls", queryPrefix: "?", maxTokens: 16 } };
    const { queryPrefix, pooling, maxTokens } = await describeFiles(told, "intfloat/e5-small-v2");
    assert.deepEqual([queryPrefix, pooling, maxTokens], ["?", "cls", 16]);
  });

  test("answers questions where its architecture says so, without a pooling or a width", async () => {
    const { hidden_size: _, ...rest } = config as Readonly<Record<string, unknown>>;
    const answers = {
      ...files,
      "config.json": { ...rest, architectures: ["DebertaV2ForQuestionAnswering"] },
    };
    const { task, dimensions } = await describeFiles(answers);
    assert.deepEqual([task, dimensions], ["answer", 1]);
  });

  test("is another model with other weights, data of weights, or prefixes", async () => {
    const fingerprint = async (given: Files) => (await identifyModel(await describeFiles(given))).fingerprint;
    const first = await fingerprint(pooled);
    assert.match(first, /^[0-9a-f]{8}$/);
    assert.equal(await fingerprint({ ...pooled, "README.md": "x" }), first);
    const changes: readonly Files[] = [
      { "model.onnx": [1] },
      { "model.onnx_data": [1] },
      { Constant_7_attr__value: [1] },
      { "tokenizer.json": [1] },
      { "kcs-model.json": { queryPrefix: "q: " } },
    ];
    const seen = new Set([first]);
    for (const change of changes) seen.add(await fingerprint({ ...pooled, ...change }));
    assert.equal(seen.size, changes.length + 1);
  });

  test("that cannot be used is refused with the file or the reason", async () => {
    const faults: readonly (readonly [Files, RegExp])[] = [
      [files, /do not say how token states become one vector/],
      [
        { ...files, "1_Pooling/config.json": { pooling_mode_max_tokens: true } },
        /1_Pooling\/config\.json asks for a pooling/,
      ],
      [
        { ...pooled, "modules.json": [{ type: "sentence_transformers.models.Dense", path: "2_Dense" }] },
        /has the module .*Dense/,
      ],
      [{ ...pooled, "modules.json": [{ type: "x.Pooling", path: "../../etc" }] }, /outside of its folder/],
      [
        { ...pooled, "other.onnx": {}, "model.onnx": {}, "kcs-model.json": { weights: "../x.onnx" } },
        /outside of its folder/,
      ],
      [{ "config.json": config, "model.onnx": {} }, /own\/tokenizer\.json is missing/],
      [{ "config.json": config, "tokenizer.json": {} }, /has no ONNX file/],
      [
        { "config.json": config, "tokenizer.json": {}, "a.onnx": {}, "b.onnx": {} },
        /has several ONNX files \(a\.onnx, b\.onnx\)/,
      ],
      [
        { ...pooled, "config.json": { ...config, hidden_size: "8" } },
        /config\.json has no usable hidden_size/,
      ],
      [{ ...pooled, "config.json": [] }, /config\.json is not as expected/],
      [
        { ...pooled, "config.json": { ...config, architectures: ["BertForTokenClassification"] } },
        /is a BertForTokenClassification/,
      ],
      [
        { ...pooled, "config.json": { ...config, architectures: ["BertForSequenceClassification"] } },
        /classifier of 2 labels/,
      ],
      [{ ...pooled, "kcs-model.json": { pooling: "max" } }, /kcs-model\.json is not valid/],
    ];
    for (const [given, message] of faults)
      await assert.rejects(describeFiles(given), { name: "ModelFault", message });
    await assert.rejects(
      describeModel(modelsDir, "none"),
      /There is no model none .*kcs-server models add none/,
    );
  });
});
