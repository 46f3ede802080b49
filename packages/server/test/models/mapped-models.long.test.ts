/** Models whose weights are in a file of their own, which is mapped: the same results, and memory that threads share. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { encodeOnnxModel } from "@kcs/minilm";
import { type AddOptions, addModel } from "../../src/adapters/models/hub/add-model.ts";
import { createHubClient } from "../../src/adapters/models/hub/hub-client.ts";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { openLocalEmbedder } from "../../src/adapters/models/local/embedder.ts";
import { openLocalReader } from "../../src/adapters/models/local/gliner/reader.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { bytesOfCopies } from "../../src/adapters/models/local/memory.ts";
import { listModels, verifyModel } from "../../src/adapters/models/local/models-folder.ts";
import { moveWeights } from "../../src/adapters/models/local/move-weights.ts";
import { floatsOf, openOnnxSession } from "../../src/adapters/models/runtime/onnx-session.ts";
import { graphFile, READER_PORTS } from "../support/onnx-graphs.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));
const READERS = fileURLToPath(new URL("./gliner", import.meta.url));
const texts: readonly string[] = JSON.parse(await readFile(join(FIXTURES, "texts.json"), "utf8")).slice(
  0,
  60,
);
const offline = createHubClient({ endpoint: "http://127.0.0.1:9", token: null, offline: true });

/** Looks up rows of a table of 400 kB. */
function tableModel(): Uint8Array {
  const values = Float32Array.from({ length: 100_000 }, (_, index) => Math.sin(index));
  return Buffer.concat(
    encodeOnnxModel({
      name: "table",
      nodes: [{ operator: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] }],
      constants: new Map([["table", { shape: [12_500, 8], values }]]),
      inputs: [{ name: "input_ids", type: "int32", shape: ["batch", "tokens"] }],
      outputs: [{ name: "rows", type: "float32", shape: ["batch", "tokens", 8] }],
    }),
  );
}

const WIDTH = 4_000;

/** A product with a matrix of 64 MB, which the runtime would pack. */
function productModel(): Uint8Array {
  const values = new Float32Array(WIDTH * WIDTH).fill(1);
  return Buffer.concat(
    encodeOnnxModel({
      name: "product",
      nodes: [
        { operator: "Cast", inputs: ["input"], outputs: ["floats"], integers: { to: 1 } },
        { operator: "MatMul", inputs: ["floats", "matrix"], outputs: ["product"] },
      ],
      constants: new Map([["matrix", { shape: [WIDTH, WIDTH], values }]]),
      inputs: [{ name: "input", type: "int32", shape: ["batch", WIDTH] }],
      outputs: [{ name: "product", type: "float32", shape: ["batch", WIDTH] }],
    }),
  );
}

/** Memory of this process that is not of files. */
async function privateBytes(): Promise<number> {
  const status = await readFile("/proc/self/status", "utf8");
  return 1_024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]);
}

async function rowsOf(path: string, options: { readonly isMapped: boolean }): Promise<Float32Array> {
  const session = await openOnnxSession(path, { name: "table", ...options });
  const input = { type: "int32", values: [999, 0, 500] } as const;
  const rows = floatsOf(await session.run({ input_ids: input }, ["rows"]), "rows").slice();
  await session.close();
  return rows;
}

describe("weights in a file of their own", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "kcs-mapped-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const [name, weights] of [
    ["bert", "onnx/model.onnx"],
    ["bert", "onnx/model_int8.onnx"],
    ["modernbert", "onnx/model.onnx"],
    ["deberta-v2", "onnx/model.onnx"],
  ] as const)
    test(`give the vectors that they give in the ONNX file: ${name}, ${weights}`, async () => {
      await cp(join(FIXTURES, name), join(folder, name), { recursive: true });
      const open = async (modelsDir: string) => {
        const described = { ...(await describeModel(modelsDir, name)), weights };
        const isMapped = modelsDir === folder;
        return openLocalEmbedder(await identifyModel({ ...described, isMapped }), { kind: "passage" });
      };
      const path = join(folder, name, weights);
      const before = (await stat(path)).size;
      assert.ok((await moveWeights(path, 64)) > 5);
      assert.ok((await stat(path)).size < before);
      const [inside, outside] = [await open(FIXTURES), await open(folder)];
      for (const text of texts) {
        const expected = await inside.embed(text);
        const difference = (await outside.embed(text)).map((value, at) => Math.abs(value - expected[at]!));
        assert.ok(Math.max(...difference) < 1e-5, `${JSON.stringify(text)}: ${Math.max(...difference)}`);
      }
      await Promise.all([inside.close(), outside.close()]);
    });

  test("are moved when a model is added, and verified like every file", async () => {
    const source = join(folder, "mine");
    await cp(join(FIXTURES, "bert"), source, { recursive: true });
    for (const file of ["model.onnx", "model_fp16.onnx", "model_int8.onnx"])
      await rm(join(source, "onnx", file));
    const path = join(source, "onnx/model.onnx");
    await writeFile(path, tableModel());
    const modelsDir = join(folder, "models");
    await mkdir(modelsDir);
    const options: AddOptions = {
      ...{ modelsDir, hints: {}, revision: "main", isMapped: true },
      onProgress: () => undefined,
    };
    const model = await addModel(source, options, offline);
    assert.equal(model.isMapped, true);
    const mapped = join(model.folder, "onnx/model.onnx");
    assert.ok((await stat(mapped)).size < 1_000);
    assert.equal((await stat(`${mapped}_data`)).size, 400_000);
    const checks = await verifyModel(model.folder);
    assert.deepEqual(
      checks.filter(({ state }) => state !== "intact"),
      [],
    );
    assert.ok(checks.some(({ path: checked }) => checked === "onnx/model.onnx_data"));
    const expected = await rowsOf(path, { isMapped: false });
    assert.equal(expected.length, 24);
    assert.deepEqual(await rowsOf(mapped, { isMapped: true }), expected);

    await cp(join(FIXTURES, "bert"), join(folder, "small"), { recursive: true });
    await assert.rejects(addModel(join(folder, "small"), options, offline), /no tensors that are worth/);
    assert.deepEqual(await listModels(modelsDir), ["mine"]);
  });

  test("of a reader are moved for each of its graphs", async () => {
    const source = join(folder, "mine");
    await cp(join(READERS, "relex-token"), source, { recursive: true });
    const { text, relations } = READER_PORTS;
    const graphs = ["onnx/model.onnx", "onnx/relations.onnx"];
    for (const [at, ports] of [text, relations].entries())
      await writeFile(join(source, graphs[at] ?? ""), graphFile(ports, 400_000));
    const modelsDir = join(folder, "models");
    const options: AddOptions = {
      ...{ modelsDir, hints: {}, revision: "main", isMapped: true },
      onProgress: () => undefined,
    };
    const { isMapped, folder: added } = await addModel(source, options, offline);
    assert.equal(isMapped, true);
    for (const graph of graphs) {
      const { size } = await stat(join(added, `${graph}_data`));
      assert.ok(size > 398_000 && size < 400_000, String(size));
    }
    const states = (await verifyModel(added)).map(({ path, state }) => [path, state]);
    assert.deepEqual(
      states.filter(([, state]) => state !== "intact"),
      [],
    );
    assert.equal(states.filter(([path]) => path?.endsWith("_data")).length, 2);
  });

  test("of a reader's graphs give what they give in the ONNX files", async () => {
    await cp(join(READERS, "relex"), join(folder, "relex"), { recursive: true });
    assert.equal((await describeModel(folder, "relex")).isMapped, false);
    for (const graph of ["model", "relations"])
      assert.ok((await moveWeights(join(folder, `relex/onnx/${graph}.onnx`), 64)) > 1);
    assert.equal((await describeModel(folder, "relex")).isMapped, true);
    const open = async (modelsDir: string) => {
      const model = await identifyModel(await describeModel(modelsDir, "relex"));
      assert.ok(model.reader !== null);
      const reader = { ...model.reader, threshold: 0.2, relationThreshold: 0.2 };
      return openLocalReader({ ...model, reader });
    };
    const [inside, outside] = [await open(READERS), await open(folder)];
    const labels = {
      entities: ["person", "place"].map((name) => ({ name, description: "" })),
      relations: [{ label: "lives in", sources: [0, 1], targets: [0, 1] }],
    };
    let related = 0;
    for (const text of texts) {
      const [expected, read] = [await inside.read(text, labels), await outside.read(text, labels)];
      const shape = ({ entities, relations }: typeof read) => [
        entities.map(({ start, end, label }) => [start, end, label]),
        relations.map(({ source, target, label }) => [source, target, label]),
      ];
      assert.deepEqual(shape(read), shape(expected), JSON.stringify(text));
      related += read.relations.length;
    }
    assert.ok(related > 0);
    await Promise.all([inside.close(), outside.close()]);
  });

  test("are not copied into a session", async () => {
    // Other systems do not tell private memory.
    if (process.platform !== "linux") return;
    const path = join(folder, "model.onnx");
    await writeFile(path, productModel());
    assert.equal(await moveWeights(path), 1);
    const before = await privateBytes();
    const session = await openOnnxSession(path, { name: "product", isMapped: true });
    const input = { type: "int32", values: new Int32Array(WIDTH).fill(1) } as const;
    const { product } = await session.run({ input }, ["product"]);
    assert.equal(product?.data[WIDTH - 1], WIDTH);
    const grown = (await privateBytes()) - before;
    await session.close();
    assert.ok(grown < 2 * WIDTH * WIDTH, `${grown} of ${4 * WIDTH * WIDTH} bytes`);
  });

  test("are counted once for all threads", () => {
    const weightBytes = 400e6;
    const inside = {
      task: "embedding",
      weights: "model.onnx",
      weightBytes,
      isMapped: false,
      reader: null,
    } as const;
    const mapped = { ...inside, isMapped: true };
    const [one, four] = [1, 4].map((copies) => bytesOfCopies(mapped, copies));
    assert.ok(one !== undefined && four !== undefined && four < one + 0.3 * weightBytes);
    assert.equal(bytesOfCopies(inside, 4), 4 * 1.75 * weightBytes);
  });

  test("of a reader are counted with what reading needs, and with a session for each graph", async () => {
    const { reader } = await describeModel(READERS, "relex");
    const weightBytes = 400e6;
    const inside = {
      task: "extraction",
      weights: "model.onnx",
      weightBytes,
      isMapped: false,
      reader,
    } as const;
    assert.equal(bytesOfCopies(inside, 4), 4 * 2.25 * weightBytes);
    const mapped = { ...inside, isMapped: true };
    const growth = (each: Parameters<typeof bytesOfCopies>[0]) =>
      bytesOfCopies(each, 4) - bytesOfCopies(each, 3);
    assert.ok(growth(mapped) > 0.5 * weightBytes && growth(mapped) < weightBytes);
    assert.equal(bytesOfCopies(mapped, 4), weightBytes + 4 * growth(mapped));
    assert.ok(growth(mapped) > growth({ ...mapped, reader: null }));
  });

  test("are not looked for in what is no ONNX file", async () => {
    const path = join(folder, "model.onnx");
    const model = tableModel();
    const broken = [
      model.subarray(0, model.length - 1_000),
      Buffer.from("not a model at all, but some text"),
      Buffer.alloc(100, 0xff),
      Buffer.of(0x3a, 0x80),
    ];
    for (const bytes of broken) {
      await writeFile(path, bytes);
      await assert.rejects(moveWeights(path), {
        name: "ModelFault",
        message: /model\.onnx is not a whole ONNX file/,
      });
      assert.deepEqual(await readFile(path), Buffer.from(bytes));
    }
  });
});
