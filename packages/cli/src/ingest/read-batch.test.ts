import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../test/run-cli.ts";
import type { FoundFile, RejectedDocument } from "./find-documents.ts";
import { withBatch } from "./read-batch.ts";

const MIB = 1024 * 1024;

test("files are sent as they were read, those beyond 64 MiB from copies that are gone at the end", async (t) => {
  const [folder, temporary] = [await makeFolder(), await makeFolder()];
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  t.after(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  const sizes = { "a.csv": 40 * MIB, "b.csv": 40 * MIB, "c.csv": 1, "d.csv": 0 };
  for (const [name, size] of Object.entries(sizes)) {
    await writeFile(join(folder, name), "");
    await truncate(join(folder, name), size);
  }
  const found = (name: string): FoundFile => {
    return { id: name, path: join(folder, name), bytes: 1, hash: "another", metadata: { year: 1994 } };
  };
  const refused: RejectedDocument[] = [];
  const names = [...Object.keys(sizes), "gone.csv"];
  const failing = withBatch(
    names.map(found),
    (one) => refused.push(one),
    async (read) => {
      assert.equal((await readdir(temporary, { recursive: true })).length, 2); // The folder and one copy.
      for (const name of names) await writeFile(join(folder, name), "Changed since.");
      for (const [at, size] of Object.values(sizes).entries()) {
        const one = read[at];
        assert.ok(one !== undefined && "content" in one);
        const bytes = await one.content.bytes();
        assert.ok(Buffer.alloc(size).equals(bytes), one.id);
        const hash = createHash("sha256").update('{"year":1994}').update(bytes);
        assert.equal(one.hash, hash.digest("base64url"));
      }
      throw new Error("The service is gone.");
    },
  );
  await assert.rejects(failing, /The service is gone/);
  assert.deepEqual(refused, [{ id: "gone.csv", reason: "cannot be read now (ENOENT)" }]);
  assert.deepEqual(await readdir(temporary), []);
  await rm(temporary, { recursive: true });
  const only = { ...found("large.csv"), path: join(folder, "large.csv") };
  await writeFile(only.path, "");
  await truncate(only.path, 65 * MIB);
  await withBatch(
    [only],
    (one) => refused.push(one),
    async () => undefined,
  );
  assert.equal(refused[1]?.reason, `cannot be copied to ${temporary} before it is sent (ENOENT)`);
});

test("the bytes of a file are not copied all at once, which would hold them twice", async (t) => {
  const path = join(await makeFolder(), "a.csv");
  await writeFile(path, "");
  await truncate(path, 8 * MIB + 1);
  const copied: number[] = [];
  const before = globalThis.Blob;
  globalThis.Blob = class extends before {
    constructor(parts: (Blob | Uint8Array<ArrayBuffer>)[] = []) {
      super(parts);
      const bytes = parts.filter((part) => ArrayBuffer.isView(part)).map((part) => part.byteLength);
      copied.push(bytes.reduce((sum, length) => sum + length, 0));
    }
  } as typeof Blob; // Takes the parts that are given here.
  t.after(() => {
    globalThis.Blob = before;
  });
  const file: FoundFile = { id: "a.csv", path, bytes: 1, hash: "another", metadata: {} };
  const sizes = await withBatch(
    [file],
    ({ reason }) => assert.fail(reason),
    async (read) => read.map((one) => "content" in one && one.content.size),
  );
  assert.deepEqual(sizes, [8 * MIB + 1]);
  assert.ok(Math.max(...copied) <= MIB, String(Math.max(...copied)));
  assert.equal(
    copied.reduce((sum, bytes) => sum + bytes),
    8 * MIB + 1,
  );
});
