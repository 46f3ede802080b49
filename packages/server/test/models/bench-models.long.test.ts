/** `kcs-server models bench`: what it measures, of which models. How fast they are is not judged. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { openMiniLmTokenCounter } from "../../src/adapters/models/minilm-embedder.ts";
import type { Device } from "../../src/adapters/models/runtime/onnx-session.ts";
import type { BenchRow } from "../../src/bench-models.ts";
import { measureModel, synthesizeChunk } from "../../src/measure-model.ts";
import { runModelsCommand } from "../../src/models-command.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));
const READERS = fileURLToPath(new URL("./gliner", import.meta.url));
const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/kcs-models", import.meta.url));

describe("the benchmark of models", () => {
  let modelsDir: string;
  before(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-bench-models-"));
    for (const name of ["bert", "bert-reranker", "roberta"])
      await cp(join(FIXTURES, name), join(modelsDir, name), { recursive: true });
    await cp(join(READERS, "relex"), join(modelsDir, "relex"), { recursive: true });
    await truncate(join(modelsDir, "roberta/onnx/model.onnx"), 1_000);
  });
  after(() => rm(modelsDir, { recursive: true, force: true }));

  let device: Device = "cpu";
  const run = async (...args: readonly string[]) => {
    const printed: string[] = [];
    const announced: string[] = [];
    const terminal = {
      print: (text: string) => void printed.push(text),
      progress: (text: string) => void announced.push(text),
    };
    const hub = { endpoint: "http://127.0.0.1:9", token: null, offline: true };
    const settings = { modelsDir, bundledDir: CACHE, modelsDevice: device, hub, extraction: null };
    const code = await runModelsCommand(["bench", "--seconds", "1", ...args], settings, terminal);
    return { code, printed: printed.join(""), announced };
  };

  test("measures the bundled model and each of the folder, and says which could not be measured", async () => {
    const { code, printed, announced } = await run("--json");
    assert.equal(code, 1);
    const rows: readonly BenchRow[] = JSON.parse(printed);
    assert.deepEqual(
      rows.map(({ model, task }) => [model, task]),
      [
        ["all-MiniLM-L6-v2", "embedding"],
        ["bert", "embedding"],
        ["bert-reranker", "rerank"],
        ["relex", "extraction"],
        ["roberta", "embedding"],
      ],
    );
    assert.deepEqual(
      announced.filter((text) => text !== ""),
      rows.map(({ model }) => `Measuring ${model}`),
    );
    for (const row of rows.slice(0, 4)) {
      assert.ok("chunks" in row, JSON.stringify(row));
      assert.ok(row.chunks >= 1 && row.chunks <= 1_000, String(row.chunks));
      assert.ok(row.loadSeconds > 0 && row.memoryBytes > 0);
      assert.equal(row.chunksPerSecond, row.chunks / row.seconds);
    }
    const [bundled] = rows;
    assert.ok(bundled !== undefined && "memoryBytes" in bundled);
    // Its weights have 23 MB, those of the others less than one.
    assert.ok(bundled.memoryBytes > 23e6, String(bundled.memoryBytes));
    const damaged = rows[4];
    assert.ok(damaged !== undefined && "fault" in damaged);
    assert.match(damaged.fault, /roberta\/onnx\/model\.onnx cannot be loaded/);
  });

  test("prints a table of the model that is named", async () => {
    const { code, printed } = await run("bert-reranker");
    assert.equal(code, 0);
    const [machine, heading, row, ...rest] = printed.split("\n");
    assert.match(machine ?? "", /Node \d+/);
    assert.match(heading ?? "", /^model {2,}task {2,}loads in {2,}memory {2,}chunks\/s, 1 thread/);
    assert.match(row ?? "", /^bert-reranker {2,}rerank {2,}\d+\.\d\d s {2,}\d+ MB {2,}[\d.]+ {2,}\d+$/);
    assert.deepEqual(rest, [""]);
    const missing = await run("none");
    assert.equal(missing.code, 1);
    assert.match(missing.printed, /^none was not measured: There is no model none/);
  });

  test("measures added models on the device that was chosen, and on no other", async () => {
    device = "coreml";
    const { printed } = await run("bert").finally(() => {
      device = "cpu";
    });
    // The runtime has no such device on Linux.
    assert.match(
      printed,
      /^bert was not measured: The device coreml cannot be used: .*KCS_MODELS_DEVICE=cpu/,
    );
  });

  test("begins no chunk after its time, and measures at least one", async () => {
    const model = await identifyModel(await describeModel(modelsDir, "bert"));
    const { chunks } = await measureModel({ kind: "local", model }, { chunks: 1_000, seconds: 0 });
    assert.equal(chunks, 1);
  });

  test("has chunks of the service's size that differ", async () => {
    const countTokens = await openMiniLmTokenCounter();
    const chunks = Array.from({ length: 1_000 }, (_, number) => synthesizeChunk(number));
    assert.equal(new Set(chunks).size, chunks.length);
    for (const chunk of chunks) assert.equal(countTokens(chunk), 128);
  });
});
