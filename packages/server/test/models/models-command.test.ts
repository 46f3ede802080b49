import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isModelFolder } from "../../src/adapters/models/local/models-folder.ts";
import { runModelsCommand } from "../../src/models-command.ts";
import { FILES, WEIGHTS, weights } from "../support/tiny-repository.ts";

describe("the models command", () => {
  let folder: string;
  let modelsDir: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kcs-source-"));
    modelsDir = join(folder, "models");
    for (const [path, bytes] of FILES) {
      await mkdir(join(folder, "mine", path, ".."), { recursive: true });
      await writeFile(join(folder, "mine", path), bytes);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = async (...args: readonly string[]) => {
    let printed = "";
    const terminal = {
      print: (text: string) => {
        printed += text;
      },
      progress: () => undefined,
    };
    const hub = { endpoint: "http://127.0.0.1:9", token: null, offline: true };
    const settings = { modelsDir, bundledDir: folder, modelsDevice: "cpu", extraction: null } as const;
    const code = await runModelsCommand(args, { ...settings, hub }, terminal);
    return { code, printed };
  };

  test("adds a folder without a network, lists, verifies and removes it", async () => {
    const added = await run("add", join(folder, "mine"), "--query-prefix", "query: ");
    assert.match(
      added.printed,
      /Added mine: embedding model of 8 dimensions, cls pooling \(bert\), 64 tokens, onnx\/model\.onnx, 1 MB, about 1 MB of memory/,
    );
    assert.match(
      added.printed,
      /KCS_EMBEDDING_PROVIDER=local KCS_EMBEDDING_MODEL=mine\nPrefix of questions: "query: "/,
    );
    assert.match(
      (await run("list")).printed,
      /all-MiniLM-L6-v2: embedding model of 384 dimensions.*mine: embedding model of 8 dimensions.*BAAI\/bge-small-en-v1\.5: embedding/s,
    );
    const answers = fileURLToPath(new URL("./fixtures/bert-answers", import.meta.url));
    assert.match(
      (await run("add", answers)).printed,
      /Added bert-answers: model that answers questions \(bert\), 96 tokens.*\nUse it: KCS_ANSWER_PROVIDER=local KCS_ANSWER_MODEL=bert-answers\n$/,
    );
    await run("remove", "bert-answers");
    assert.deepEqual(await run("verify"), { code: 0, printed: "mine: 6 of 6 files are intact.\n" });

    await writeFile(join(modelsDir, "mine", WEIGHTS), Buffer.alloc(weights.length));
    await rm(join(modelsDir, "mine", "tokenizer.json"));
    const damaged = await run("verify", "mine");
    assert.equal(damaged.code, 1);
    assert.match(
      damaged.printed,
      /onnx\/model\.onnx is damaged\.\n.*tokenizer\.json is missing\.\n.*4 of 6 files/s,
    );
    assert.match((await run("list")).printed, /mine: cannot be used: .*tokenizer\.json is missing/);

    assert.equal((await run("remove", "mine")).code, 0);
    assert.equal(await isModelFolder(join(modelsDir, "mine")), false);
    await assert.rejects(run("remove", "mine"), /There is no model mine/);
    await assert.rejects(run("remove", "../source"), /is not the name of a model/);
    await assert.rejects(run("remove", ".unfinished"), /is not the name of a model/);
  });

  test("says what to do where the models folder is a file, and where a file is far too large", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const source = join(folder, "large");
    await cp(join(folder, "mine"), source, { recursive: true });
    await truncate(join(source, "config.json"), 4 * 2 ** 30);
    const hub = { endpoint: "http://127.0.0.1:9", token: null, offline: true };
    const settings = { bundledDir: folder, modelsDevice: "cpu", extraction: null, hub } as const;
    const terminal = { print: () => undefined, progress: () => undefined };
    for (const args of [["list"], ["verify"], ["add", join(folder, "mine")]])
      await assert.rejects(runModelsCommand(args, { ...settings, modelsDir: file }, terminal), {
        name: "ModelFault",
        message: `${file} is not a folder. Name one as KCS_MODELS_DIR.`,
      });
    // Not read: there is no memory for it.
    await assert.rejects(
      run("add", source),
      /large\/config\.json is too large for a JSON file: at most 64 MB/,
    );
  });

  test("says what cannot be used of a folder that was copied by hand", async () => {
    await cp(join(folder, "mine"), join(modelsDir, "copied"), { recursive: true });
    assert.match(
      (await run("verify", "copied")).printed,
      /^copied: 0 of 0 files are intact, \d without a recorded hash/,
    );
    await truncate(join(modelsDir, "copied", WEIGHTS), 10_000);
    const { code, printed } = await run("verify", "copied");
    assert.equal(code, 1);
    assert.match(printed, /copied cannot be used: .*copied\/onnx\/model\.onnx is not a whole ONNX file/);
    await assert.rejects(run("add", join(modelsDir, "copied")), /is in .* already/);
    await run("remove", "copied");
  });

  test("shows its usage for what it does not know", async () => {
    for (const args of [
      [],
      ["add"],
      ["list", "x"],
      ["other", "x"],
      ["add", "a", "b"],
      ["add", "a", "--pooling", "max"],
      ["verify", "--file", "x"],
      ["add", "a", "--json"],
      ["remove", "a", "--map"],
      ["bench", "--file", "x"],
      ["bench", "--seconds", "0"],
    ]) {
      const { code, printed } = await run(...args);
      assert.equal(code, 2);
      assert.match(printed, /^Usage: kcs-server models list/);
    }
  });
});
