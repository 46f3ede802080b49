/** What ONNX files say about their graphs, and what is refused by it before any weight is loaded. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { encodeOnnxModel } from "@kcs/minilm";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { openLocalEmbedder } from "../../src/adapters/models/local/embedder.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { filesIn } from "../../src/adapters/models/local/models-folder.ts";
import { readGraphShape } from "../../src/adapters/models/local/onnx-file.ts";
import { requireGraphs } from "../../src/adapters/models/local/require-graphs.ts";
import { openOnnxSession } from "../../src/adapters/models/runtime/onnx-session.ts";
import { loadConfig } from "../../src/config.ts";
import { checkLocalReader, withLocalModels } from "../../src/local-models.ts";
import { createLog } from "../../src/log.ts";
import { EMBEDDING_PORTS, type GraphPorts, graphFile, READER_PORTS } from "../support/onnx-graphs.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));
const READERS = fileURLToPath(new URL("./gliner", import.meta.url));
const { inputs, outputs } = EMBEDDING_PORTS;
const answer = (name: string) => [name, "float32", ["batch", "tokens"]] as const;

describe("a model's graph", () => {
  let modelsDir: string;
  before(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-graphs-"));
    for (const name of ["bert", "bert-reranker", "bert-answers"])
      await cp(join(FIXTURES, name), join(modelsDir, name), { recursive: true });
    await cp(join(READERS, "relex-token"), join(modelsDir, "relex-token"), { recursive: true });
  });
  after(() => rm(modelsDir, { recursive: true, force: true }));

  const write = (id: string, bytes: Buffer, file = "onnx/model.onnx") =>
    writeFile(join(modelsDir, id, file), bytes);
  const check = async (id: string) => requireGraphs(await describeModel(modelsDir, id));

  test("is read from the file as the runtime reads it, and fits its task, in every fixture", async () => {
    let graphs = 0;
    for (const folder of [FIXTURES, READERS])
      for (const path of await filesIn(folder)) {
        if (!path.endsWith(".onnx")) continue;
        const session = await openOnnxSession(join(folder, path), { name: path });
        assert.deepEqual(readGraphShape(join(folder, path)).inputs, session.graph.inputs, path);
        const known = new Map(session.graph.outputs.map((output) => [output.name, output]));
        // The runtime infers sizes that the file does not tell.
        for (const { name, type, dims } of readGraphShape(join(folder, path)).outputs) {
          const output = known.get(name);
          assert.equal(type, output?.type, `${path} ${name}`);
          for (const [at, size] of (dims ?? []).entries())
            assert.ok(size === null || size === output?.dims?.[at], `${path} ${name}`);
          assert.equal(dims?.length, output?.dims?.length);
        }
        await session.close();
        graphs++;
      }
    assert.ok(graphs > 20, String(graphs));
    for (const id of ["bert", "bert-reranker", "bert-answers", "relex-token"]) await check(id);
  });

  test("that does not fit its task is refused with the file, what it has and what to do", async () => {
    const faults: readonly (readonly [id: string, ports: GraphPorts, fault: RegExp])[] = [
      ["bert", { inputs: [inputs[1]!], outputs }, /has no input input_ids/],
      ["bert", { inputs: [...inputs, ["pixels", "float32", [1]]], outputs }, /needs the input pixels/],
      [
        "bert",
        { inputs: [["input_ids", "float32", ["a", "b"]]], outputs },
        /has the input input_ids \(float32 \[\?, \?\]\)/,
      ],
      [
        "bert",
        { inputs: [["input_ids", "int64", ["tokens"]]], outputs },
        /has the input input_ids \(int64 \[\?\]\)/,
      ],
      [
        "bert",
        { inputs: [["input_ids", "int64", [1, 128]]], outputs },
        /\(int64 \[1, 128\]\): it takes texts of one length only/,
      ],
      [
        "bert",
        { inputs, outputs: [["sentence_embedding", "float32", ["batch", 8]]] },
        /has the outputs sentence_embedding \(float32 \[\?, 8\]\)/,
      ],
      [
        "bert",
        { inputs, outputs: [["last_hidden_state", "int64", ["a", "b", 8]]] },
        /has the outputs last_hidden_state \(int64/,
      ],
      [
        "bert",
        { inputs, outputs: [["last_hidden_state", "float32", ["a", "b", 16]]] },
        /has 16 numbers for each token, where config\.json promises 8/,
      ],
      ["bert-reranker", { inputs, outputs }, /has the outputs last_hidden_state/],
      [
        "bert-reranker",
        { inputs, outputs: [["logits", "float32", ["batch", 2]]] },
        /has 2 scores for a pair/,
      ],
      [
        "bert-reranker",
        { inputs, outputs: [["logits", "float32", ["a", "b", 1]]] },
        /has the outputs logits/,
      ],
      ["bert-answers", { inputs, outputs: [answer("start_logits")] }, /has the outputs start_logits/],
      [
        "bert-answers",
        { inputs, outputs: [answer("start_logits"), ["end_logits", "float32", ["batch"]]] },
        /has the outputs/,
      ],
      ["relex-token", READER_PORTS.labels, /has the inputs .* expected .*words_mask \(int64, 2 dimensions\)/],
      [
        "relex-token",
        { ...READER_PORTS.text, outputs: [["logits", "float32", ["a", "b", 3]]] },
        /logits \(float32 \[\?, \?, 3\]\).* logits \(float32, 4 dimensions\)/,
      ],
    ];
    for (const [id, ports, fault] of faults) {
      await write(id, graphFile(ports));
      await assert.rejects(check(id), { name: "ModelFault", message: fault });
      await assert.rejects(check(id), /onnx\/model\.onnx has .* Export the model again|needs the input/);
    }
    await write("relex-token", graphFile(READER_PORTS.text));
    await write("relex-token", graphFile(READER_PORTS.text), "onnx/relations.onnx");
    await assert.rejects(check("relex-token"), /relations\.onnx has the inputs/);
  });

  test("in a file that was cut or is another one is refused", async () => {
    const whole = graphFile(EMBEDDING_PORTS, 5_000);
    const path = join(modelsDir, "bert/onnx/model.onnx");
    for (const bytes of [
      whole.subarray(0, 4_990),
      Buffer.from("<html>"),
      Buffer.alloc(0),
      Buffer.alloc(100, 0xff),
    ]) {
      await write("bert", bytes);
      await assert.rejects(check("bert"), {
        name: "ModelFault",
        message: `${path} is not a whole ONNX file. Add the model again, or copy the file again.`,
      });
    }
  });

  test("of several gigabytes is read by its parts, not as a whole", async () => {
    const path = join(modelsDir, "bert/onnx/model.onnx");
    const whole = graphFile(EMBEDDING_PORTS, 200_000);
    await writeFile(path, whole);
    await check("bert");
    // A field of unknown number behind the model, 3 GB of nothing on the disk: its length is all that is read.
    const length = 3 * 2 ** 30;
    const varint = [0, 7, 14, 21, 28].map((shift) => Math.floor(length / 2 ** shift) % 128);
    const header = Buffer.of(0x7a, ...varint.map((digit, at) => (at < 4 ? digit + 128 : digit)));
    await writeFile(path, Buffer.concat([whole, header]));
    await truncate(path, whole.length + header.length + length);
    await check("bert");
    await rm(path);
  });

  test("that only fails when it is computed is refused when it is opened, before the first text", async () => {
    await rm(join(modelsDir, "bert"), { recursive: true });
    await cp(join(FIXTURES, "bert"), join(modelsDir, "bert"), { recursive: true });
    const table = { shape: [2, 8], values: new Float32Array(16).fill(1) };
    const model = encodeOnnxModel({
      name: "table",
      nodes: [{ operator: "Gather", inputs: ["table", "input_ids"], outputs: ["last_hidden_state"] }],
      constants: new Map([["table", table]]),
      inputs: [{ name: "input_ids", type: "int64", shape: ["batch", "tokens"] }],
      outputs: [{ name: "last_hidden_state", type: "float32", shape: ["batch", "tokens", 8] }],
    });
    await write("bert", Buffer.concat(model));
    // The tokenizer has more words than the table.
    await check("bert");
    await assert.rejects(
      openLocalEmbedder(await identifyModel(await describeModel(modelsDir, "bert")), { kind: "query" }),
      {
        name: "ModelFault",
        message:
          /bert\/onnx\/model\.onnx cannot compute a text: .*Its tokenizer\.json may be that of another model/s,
      },
    );
  });

  test("of a reader is checked at the start of the service, before the first chunk", async () => {
    await rm(join(modelsDir, "relex-token"), { recursive: true });
    await cp(join(READERS, "relex-token"), join(modelsDir, "relex-token"), { recursive: true });
    const env = {
      ...{ KCS_EXTRACTION_PROVIDER: "local", KCS_EXTRACTION_MODEL: "relex-token" },
      KCS_MODELS_DIR: modelsDir,
    };
    const report = async () => {
      const reported: (readonly [outcome: string, error: string | null])[] = [];
      const config = await withLocalModels(loadConfig(env), createLog("error"));
      await checkLocalReader(config, ({ outcome, error }) => reported.push([outcome, error]));
      return reported;
    };
    assert.deepEqual(await report(), [["answered", null]]);
    await cp(join(READERS, "relex/onnx/relations.onnx"), join(modelsDir, "relex-token/onnx/relations.onnx"));
    const [[outcome, error] = ["", null]] = await report();
    assert.equal(outcome, "unavailable");
    assert.match(error ?? "", /relex-token\/onnx\/relations\.onnx has the inputs .* Export the model again/);
  });
});
