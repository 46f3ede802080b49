/** Files of what was sent, given by `--state`, of more than one folder. */
import assert from "node:assert/strict";
import { glob, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "./accepting-service.ts";
import { makeFolder, runCli } from "./run-cli.ts";

const NOTHING_DELETED = "1 completed, 0 deleted, 0 failed\n";

async function makeFolderWith(name: string): Promise<string> {
  const folder = await makeFolder();
  await writeFile(join(folder, name), "A lamp was lit.");
  return folder;
}

test("watch and ingest refuse a file of what another folder or prefix sent", async (context) => {
  const [first, second] = [await makeFolderWith("a.md"), await makeFolderWith("b.md")];
  const { deleted, env, state } = await serve(context, async () => undefined);
  const run = (...args: readonly string[]) => runCli([...args, "--state", state], { env });
  assert.equal((await run("watch", first, "--once", "--prefix", "p/")).out, NOTHING_DELETED);
  const content = await readFile(state, "utf8");
  for (const args of [
    ["watch", second, "--once", "--prefix", "p/"],
    ["watch", first, "--once"],
    ["ingest", first, "--prefix", "p/"],
  ]) {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [1, ""], args.join(" "));
    assert.ok(err.includes(`${state} records what kcs watch sent from ${first} with the prefix p/.`), err);
    assert.match(err, /Give another file with --state/);
  }
  assert.equal(await readFile(state, "utf8"), content);
  await writeFile(join(first, "c.md"), "A bell was rung.");
  await rm(join(first, "a.md"));
  const same = await run("watch", join(first, "."), "--once", "--prefix", "p/");
  assert.equal(same.out, "1 completed, 1 deleted, 0 failed\n");
  assert.deepEqual(deleted, ["/api/v1/projects/prj_x/documents/p%2Fa.md"]);
});

test("watch deletes nothing of a file that does not say from which folder it is", async (context) => {
  const [first, second] = [await makeFolderWith("a.md"), await makeFolderWith("b.md")];
  const { deleted, env, ingest, state } = await serve(context, async () => undefined);
  assert.equal((await ingest(first)).code, 0);
  const ofIngest = await readFile(state, "utf8");
  const ofOlderVersion = ofIngest.split("\n").slice(1).join("\n");
  for (const content of [ofIngest, ofOlderVersion]) {
    await writeFile(state, content);
    const look = () => runCli(["watch", second, "--once", "--state", state], { env });
    for (const expected of [NOTHING_DELETED, "0 completed, 0 deleted, 0 failed\n"]) {
      const { code, out, err } = await look();
      assert.deepEqual([code, out], [0, expected]);
      assert.match(err, /does not say from which folder .*no document is deleted/);
    }
  }
  assert.deepEqual(deleted, []);
});

test("watch deletes by its own file of an older version, which was named by the folder", async (context) => {
  const folder = await makeFolderWith("a.md");
  const { deleted, env, ingest, state } = await serve(context, async () => undefined);
  assert.equal((await ingest(folder)).code, 0);
  const home = { ...env, XDG_STATE_HOME: await makeFolder() };
  const look = () => runCli(["watch", folder, "--once"], { env: home });
  assert.equal((await look()).out, NOTHING_DELETED);
  const [path = ""] = await Array.fromAsync(glob("kcs/watch/*.jsonl", { cwd: home.XDG_STATE_HOME }));
  await writeFile(join(home.XDG_STATE_HOME, path), await readFile(state, "utf8"));
  await rename(join(folder, "a.md"), join(folder, "b.md"));
  assert.equal((await look()).out, "1 completed, 1 deleted, 0 failed\n");
  assert.deepEqual(deleted, ["/api/v1/projects/prj_x/documents/a.md"]);
});
