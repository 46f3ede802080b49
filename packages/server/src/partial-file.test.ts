import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeWholeFile } from "./partial-file.ts";

const folder = await mkdtemp(join(tmpdir(), "kcs-partial-"));
after(() => rm(folder, { recursive: true, force: true }));

/** A process that has begun to write the file and goes on until it is killed. */
async function startWriter(path: string) {
  const script = `
    import { writeWholeFile } from ${JSON.stringify(new URL("./partial-file.ts", import.meta.url).href)};
    await writeWholeFile(${JSON.stringify(path)}, async (file) => {
      await file.write("half");
      process.stdout.write("begun");
      await new Promise((resolve) => setTimeout(resolve, 1e9));
    });`;
  const writer = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(writer.stdout, "data");
  return writer;
}

test("what a killed process left of a file is replaced, and what a running one writes is kept", async () => {
  const path = join(folder, "all.kcs");
  const writer = await startWriter(path);
  const begun = await readdir(folder);
  assert.equal(begun.length, 1);
  await writeWholeFile(path, (file) => file.writeFile("first"));
  assert.deepEqual((await readdir(folder)).sort(), ["all.kcs", ...begun]);

  writer.kill("SIGKILL");
  await once(writer, "close");
  await writeFile(join(folder, "all.kcs.notes.partial"), "of the user");
  await writeWholeFile(path, (file) => file.writeFile("second"));
  assert.deepEqual((await readdir(folder)).sort(), ["all.kcs", "all.kcs.notes.partial"]);
  assert.equal(await readFile(path, "utf8"), "second");
});

test("of a file that cannot be written nothing is left", async () => {
  const path = join(folder, "none.kcs");
  await assert.rejects(
    writeWholeFile(path, () => Promise.reject(new Error("full"))),
    /full/,
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("none")),
    [],
  );
});
