/** `kcs ingest` of files that change between the look at them and their sending. */
import assert from "node:assert/strict";
import fs, { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findDocuments } from "../src/ingest/find-documents.ts";
import { makeFolder, runCli } from "./run-cli.ts";

/** A service that accepts everything. `onSent` is called before each answer; a number is the status of that answer. */
async function serve(
  context: TestContext,
  onSent: (body: string, at: number) => Promise<number | undefined>,
) {
  const ids: string[] = [];
  let requests = 0;
  const deleted: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "DELETE") deleted.push(request.url ?? "");
    const answer = async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      if (request.method === "GET") return { jobs: ids.map((job_id) => ({ job_id })) };
      response.statusCode = (await onSent(body, requests++)) ?? 202;
      if (response.statusCode === 429) return { detail: "Rate limit exceeded." };
      ids.push(`job_${requests}`);
      return { job_id: `job_${requests}`, jobs: [{ job_id: `job_${requests}` }] };
    };
    void answer().then((body) => response.end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_URL: `http://127.0.0.1:${port}`, KCS_KEY: "kcs_x", KCS_PROJECT: "prj_x" };
  const state = join(await makeFolder(), "state.jsonl");
  const ingest = (...args: readonly string[]) =>
    runCli(["ingest", ...args, "--state", state, "--batch-size", "1", "--no-wait"], { env });
  return { ingest, deleted, state, env };
}

test("what is recorded is what was sent, not what was found before", async (context) => {
  const folder = await makeFolder();
  const names = ["1.md", "2.csv", "3.md"];
  const writeAll = (text: string) => Promise.all(names.map((name) => writeFile(join(folder, name), text)));
  const sent: string[] = [];
  const { ingest } = await serve(context, async (body, at) => {
    sent.push(/lamp|bell/.exec(body)?.[0] ?? "neither");
    if (at === 0) await writeAll("A bell was rung.");
    return undefined;
  });
  await writeAll("A lamp was lit.");
  assert.equal((await ingest(folder)).out, "3 accepted, 0 unchanged, 0 skipped, 0 failed\n");
  assert.deepEqual(sent, ["lamp", "bell", "bell"]);
  assert.equal((await ingest(folder, "--dry-run")).out, "1.md\n");
  await writeAll("A lamp was lit.");
  assert.equal((await ingest(folder, "--dry-run")).out, "2.csv\n3.md\n");
});

test("a file that changes while its upload waits for its turn is sent as it was, at each attempt", async (context) => {
  const folder = await makeFolder();
  const path = join(folder, "log.csv");
  const sent: string[] = [];
  const { ingest } = await serve(context, async (body, at) => {
    sent.push(/\r\n\r\n(a.*)\r\n--/.exec(body)?.[1] ?? "nothing");
    await writeFile(path, `${await readFile(path, "utf8")};b`);
    return at === 0 ? 429 : undefined;
  });
  await writeFile(path, "a");
  assert.equal((await ingest(folder)).code, 0);
  assert.deepEqual(sent, ["a", "a"]);
  assert.equal((await ingest(folder, "--dry-run")).out, "log.csv\n");
});

test("a file that is gone, and a line that has another id, when their turn comes fail alone", async (context) => {
  const folder = await makeFolder();
  const ids: string[] = [];
  const lines = join(folder, "2.jsonl");
  const { ingest } = await serve(context, async (body, at) => {
    ids.push(/"source_doc_id":"(\w+)/.exec(body)?.[1] ?? "other");
    if (at > 0) return undefined;
    await writeFile(lines, (await readFile(lines, "utf8")).replace("two", "six"));
    await rm(join(folder, "3.csv"));
    await rm(join(folder, "4.md"));
    return undefined;
  });
  await writeFile(
    lines,
    '{"id":"one","text":"1st"}\n{"id":"two","text":"2nd"}\n{"id":"three","text":"3rd"}\n',
  );
  for (const name of ["3.csv", "4.md", "5.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  const { code, out, err } = await ingest(folder);
  assert.deepEqual([code, out], [5, "3 accepted, 0 unchanged, 0 skipped, 3 failed\n"], err);
  assert.deepEqual(ids, ["one", "three", "5"]);
  assert.match(err, /failed: two: has changed in 2\.jsonl:2 since it was found/);
  assert.match(err, /failed: 3\.csv: cannot be read now \(ENOENT\)/);
  assert.match(err, /failed: 4\.md: cannot be read now \(ENOENT\)/);
});

test("watch deletes nothing while a folder cannot be read", async (context) => {
  const folder = await makeFolder();
  await mkdir(join(folder, "sub"));
  for (const name of ["a.md", "sub/b.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  const options = { prefix: "", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const { deleted, state, env } = await serve(context, async () => undefined);
  const found = await Array.fromAsync(findDocuments([folder], options));
  const sent = found.map((one) => [one.id, "hash" in one ? one.hash : "", "job_1", "completed"]);
  await writeFile(state, sent.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  const { readdir } = fs;
  context.mock.method(fs, "readdir", async (path: string, ...rest: never[]) => {
    if (!path.endsWith("sub")) return readdir(path, ...rest);
    throw Object.assign(new Error("It is somebody else's."), { code: "EACCES" });
  });
  syncBuiltinESMExports();
  const reset = () => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  };
  context.after(reset);
  const once = () => runCli(["watch", folder, "--once", "--state", state], { env });
  const { code, err } = await once();
  assert.equal(code, 5, err);
  assert.match(err, /skipped: sub cannot be read now \(EACCES\)\nThe folder sub cannot be read\./);
  assert.deepEqual(deleted, []);
  reset();
  await rm(join(folder, "sub"), { recursive: true });
  assert.equal((await once()).code, 0);
  assert.deepEqual(deleted, ["/api/v1/projects/prj_x/documents/sub%2Fb.md"]);
});
