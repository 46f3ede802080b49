/** `kcs ingest` of files that change between the look at them and their sending. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { mkdir, open, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findDocuments } from "../src/ingest/find-documents.ts";
import { openJournal } from "../src/ingest/journal.ts";
import { serve } from "./accepting-service.ts";
import { makeFolder, runCli } from "./run-cli.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

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
  const head = ["prj_x", folder, "", "project"];
  await writeFile(state, [head, ...sent].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
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

/** `look` is a look of `kcs watch`, and gives what was deleted meanwhile. */
async function watchLines(context: TestContext, onSent: Parameters<typeof serve>[1]) {
  const folder = await makeFolder();
  const { deleted, state, env } = await serve(context, onSent);
  await writeFile(join(folder, "kept.md"), "A lamp was lit.");
  const lines = ['{"id":"one","text":"1st"}', '{"id":"two","text":"2nd"}'];
  return {
    lines,
    async look(...content: readonly string[]) {
      await writeFile(join(folder, "lines.jsonl"), content.join("\n"));
      const ran = await runCli(["watch", folder, "--once", "--state", state, "--prefix", "w/"], { env });
      const ids = deleted.splice(0).map((url) => decodeURIComponent(url.split("/").at(-1) ?? ""));
      return { ...ran, deleted: ids.toSorted() };
    },
  };
}

test("watch rejects a line that is no document, also the first one, and deletes nothing", async (context) => {
  const sent: string[] = [];
  const { look, lines } = await watchLines(context, async (body) => void sent.push(body));
  assert.equal((await look(...lines)).out, "3 completed, 0 deleted, 0 failed\n");
  sent.length = 0;
  for (const [content, told] of [
    [['{"version":1}', ...lines], /skipped: lines\.jsonl:1 has no id.*\n.*$/],
    [["[]", " ", lines[1] ?? ""], /skipped: lines\.jsonl:1 has no id.*\nNot every line of lines\.jsonl/],
    [['{"version":1}', '{"id":"one","te'], /lines\.jsonl:2 is not JSON\nNot every line of lines\.jsonl/],
    [[], /skipped: w\/lines\.jsonl is empty\nNot every line of lines\.jsonl/],
  ] as const) {
    const { code, deleted, err } = await look(...content);
    assert.deepEqual([code, deleted, sent], [5, [], []], err);
    assert.match(err, told);
  }
  assert.deepEqual((await look(lines[1] ?? "")).deleted, ["w/one"]);
});

test("watch deletes the documents of a file that becomes a table, or lines, only when the service has it so", async (context) => {
  const answers: (number | "failed")[] = [];
  const { look, lines } = await watchLines(context, async () => answers.shift());
  const rows = ['{"crane":"K1"}', '{"crane":"K2","id":7}'];
  await look(...lines);
  for (const answer of [400, "failed"] as const) {
    answers.push(answer);
    const { code, deleted, err } = await look(...rows);
    assert.deepEqual([code, deleted], [5, []], err);
    assert.match(
      err,
      /w\/lines\.jsonl is one document, which has not been ingested as it is\..*no document is deleted/,
    );
  }
  assert.deepEqual((await look(...rows)).deleted, ["w/one", "w/two"]);
  assert.deepEqual((await look()).deleted, []);
  answers.push("failed");
  assert.deepEqual((await look(...lines)).deleted, []);
  const last = await look(...lines);
  assert.deepEqual([last.code, last.deleted], [0, ["w/lines.jsonl"]], last.err);
});

test("what another project got is not taken for sent", async (context) => {
  const folder = await makeFolder();
  await writeFile(join(folder, "one.txt"), "One");
  let sent = 0;
  const { ingest, env, state } = await serve(context, async () => void sent++);
  assert.equal((await ingest(folder)).code, 0);
  const ofAnother = await runCli(["ingest", folder, "--state", state, "--project", "prj_y"], { env });
  assert.deepEqual([ofAnother.code, ofAnother.out, sent], [1, "", 1]);
  assert.match(ofAnother.err, /records what was sent to project prj_x\. Give another file for prj_y\.\n$/);
  const watched = await runCli(["watch", folder, "--once", "--state", state, "--project", "prj_y"], { env });
  assert.match(watched.err, /records what was sent to project prj_x/);
  assert.equal((await ingest(folder)).code, 0);
});

test("the work is done and its exit code told when nobody reads the messages", async (context) => {
  const folder = await makeFolder();
  const sent: string[] = [];
  const { env, state } = await serve(context, async (body) => void sent.push(body));
  for (const name of ["1.md", "2.md", "3.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  await writeFile(join(folder, "0.md"), " ");
  const args = [MAIN, "ingest", folder, "--state", state, "--batch-size", "1", "--no-wait"];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  child.stderr.destroy();
  child.stdout.destroy();
  const [code] = await once(child, "exit");
  assert.deepEqual([sent.length, code], [3, 5]);
});

test("a file with another content of the same size and time is found", async () => {
  const path = join(await makeFolder(), "lamp.md");
  const options = {
    prefix: "",
    metadata: {},
    stdin: { id: undefined, read: async () => "" },
    memory: new Map(),
  };
  const hashes = new Set<string>();
  for (const text of ["1994", "1995"]) {
    await writeFile(path, text);
    await utimes(path, 0, 0);
    for await (const one of findDocuments([path], options)) hashes.add("hash" in one ? one.hash : "none");
  }
  assert.equal(hashes.size, 2);
});

test("watch deletes the document of a renamed file also when the answer to it was lost", async (context) => {
  const folder = await makeFolder();
  const interrupt = new AbortController();
  const { deleted, state, env } = await serve(context, async (_body, at) => (at === 0 ? "lost" : undefined));
  const look = (signal?: AbortSignal) =>
    runCli(["watch", folder, "--once", "--state", state], {
      env,
      ...(signal && { signal }),
      onErr: () => interrupt.abort(),
    });
  await writeFile(join(folder, "old.md"), "A lamp was lit.");
  assert.equal((await look(interrupt.signal)).code, 130);
  await rename(join(folder, "old.md"), join(folder, "new.md"));
  assert.equal((await look()).out, "1 completed, 1 deleted, 0 failed\n");
  assert.deepEqual(deleted, ["/api/v1/projects/prj_x/documents/old.md"]);
});

test("watch does not forget what it has to delete when a page of a proxy answers", async (context) => {
  const folder = await makeFolder();
  const { deleted, proxy, state, env } = await serve(context, async () => undefined);
  const look = () => runCli(["watch", folder, "--once", "--state", state], { env });
  for (const name of ["a.md", "b.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  assert.equal((await look()).out, "2 completed, 0 deleted, 0 failed\n");
  await rm(join(folder, "b.md"));
  for (const [status, exit] of [
    [200, 1],
    [404, 6],
  ] as const) {
    proxy.status = status;
    const { code, out, err } = await look();
    assert.deepEqual([code, out], [exit, ""]);
    assert.match(err, /instead of the service/);
  }
  proxy.status = null;
  assert.equal((await look()).out, "0 completed, 1 deleted, 0 failed\n");
  assert.deepEqual(deleted, ["/api/v1/projects/prj_x/documents/b.md"]);
});

test("watch deletes no document that the service has refused", async (context) => {
  for (const status of [400, 401, 403, 404, 413]) {
    const folder = await makeFolder();
    const { deleted, state, env } = await serve(context, async (_body, at) =>
      at === 0 ? status : undefined,
    );
    const look = () => runCli(["watch", folder, "--once", "--state", state], { env });
    await writeFile(join(folder, "of-another.md"), "A lamp was lit.");
    assert.notEqual((await look()).code, 0);
    await rename(join(folder, "of-another.md"), join(folder, "new.md"));
    assert.equal((await look()).out, "1 completed, 0 deleted, 0 failed\n", `after ${status}`);
    assert.deepEqual(deleted, []);
  }
});

test("what is refused again and again does not make the file of what was sent grow", async () => {
  const path = join(await makeFolder(), "state.jsonl");
  const journal = await openJournal(path, { projectId: "prj_x", folder: "", prefix: "" });
  const ids = Array.from({ length: 500 }, (_, at) => `${at}.md`);
  for (let at = 0; at < 30; at++) {
    await journal.write(ids.map((id) => [id, { hash: "", job: "", state: "sent" }]));
    await journal.forget(ids);
  }
  const several = Array.from({ length: 40 }, (_, at) => ({
    hash: "h",
    job: `j${at}`,
    state: "completed" as const,
  }));
  await Promise.all(several.map((entry) => journal.write(Array(200).fill(["kept.md", entry]))));
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  assert.ok(lines.length < 6_200, String(lines.length));
  const again = await openJournal(path, { projectId: "prj_x", folder: "", prefix: "" });
  assert.deepEqual([[...again.ids()], again.find("kept.md")?.job], [["kept.md"], "j39"]);
});

test("watch counts what an earlier run had sent", async (context) => {
  const folder = await makeFolder();
  const { ingest, state, env } = await serve(context, async (_body, at) => (at === 0 ? "failed" : undefined));
  for (const name of ["1.md", "2.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  await ingest(folder);
  const { out } = await runCli(["watch", folder, "--once", "--state", state], { env });
  assert.equal(out, "1 completed, 0 deleted, 1 failed\n");
});

test("a file that no service accepts is refused before it is read", async (context) => {
  const folder = await makeFolder();
  const { ingest } = await serve(context, async () => assert.fail("It is sent."));
  const file = await open(join(folder, "big.pdf"), "w");
  await file.truncate(12 * 1024 ** 3);
  await file.close();
  const { code, err } = await ingest(folder);
  assert.deepEqual(
    [code, err],
    [5, "skipped: big.pdf is larger than 1 GiB, the maximum that a service accepts\n"],
  );
});
