import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const MODULE = new URL("../minilm-embedder.ts", import.meta.url).href;
const SILENCE = new URL("./silence-runtime.ts", import.meta.url).href;
const CACHE = new URL("../../../../../../node_modules/.cache/kcs-models", import.meta.url).pathname;

/** Runs `script` and lists the files in its temporary folder, where the library's telemetry creates a log first. */
async function filesCreatedBy(script: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "kcs-silence-"));
  folders.push(folder);
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env["PATH"], HOME: folder, XDG_CACHE_HOME: folder, TMPDIR: folder },
  });
  return readdir(folder);
}

const EMBED = `
  const model = await openMiniLmEmbedder(${JSON.stringify(CACHE)});
  await model.embed("A quiet room.");
  await model.close();
`;

test("embedding leaves no file of the runtime's telemetry, on the main thread and on worker threads", async () => {
  assert.deepEqual(
    await filesCreatedBy(`import { openMiniLmEmbedder } from ${JSON.stringify(MODULE)};${EMBED}`),
    [],
  );
  const worker = `import(${JSON.stringify(MODULE)}).then(async ({ openMiniLmEmbedder }) => {${EMBED}})`;
  const main = `
    import { Worker } from "node:worker_threads";
    import { silenceRuntime } from ${JSON.stringify(SILENCE)};
    silenceRuntime();
    new Worker(${JSON.stringify(worker)}, { eval: true }).on("error", (error) => { throw error; });
  `;
  assert.deepEqual(await filesCreatedBy(main), []);
});

test("a thread that was started without silenceRuntime does not load the runtime", async () => {
  const worker = `import(${JSON.stringify(MODULE)}).then(async ({ openMiniLmEmbedder }) => {${EMBED}})`;
  const main = `
    import { Worker } from "node:worker_threads";
    new Worker(${JSON.stringify(worker)}, { eval: true }).on("error", (error) => { throw error; });
  `;
  await assert.rejects(filesCreatedBy(main), /silenceRuntime/);
});
