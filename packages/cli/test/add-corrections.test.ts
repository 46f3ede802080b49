/** Corrections that are sent in several requests, of which one fails. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { own } from "../../sdk/test/fake-fetch.ts";
import { makeFolder, runCli } from "./run-cli.ts";

/** A service that takes corrections until `refuse` says what is wrong with a request. Returns how many each request has. */
async function start(
  context: TestContext,
  refuse: (request: number) => { status: number; detail: string; headers?: Record<string, string> } | null,
) {
  const sizes: number[] = [];
  const answer = async (request: IncomingMessage) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const { corrections } = JSON.parse(body) as { corrections: unknown[] };
    sizes.push(corrections.length);
    return refuse(sizes.length);
  };
  const server = createServer((request, response) => {
    void answer(request).then((refusal) => {
      const later = refusal?.status === 409 ? { "retry-after": "0" } : {};
      response.writeHead(refusal?.status ?? 200, { ...(refusal?.headers ?? own.json), ...later });
      response.end(JSON.stringify(refusal ?? { corrections: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const file = join(await makeFolder(), "corrections.jsonl");
  // A byte order mark is before it, as some editors write it.
  const line = JSON.stringify({ kind: "rename", entity: { type: "Boat", name: "Tern" }, name: "Gull" });
  const content = `\uFEFF${line}\n\n${`${line}\n`.repeat(149)}`;
  await writeFile(file, content);
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const at = ["--project", "prj_x", "--url", `http://127.0.0.1:${port}`];
  const run = (from: string, options: readonly string[]) =>
    runCli(["corrections", "add", from, ...options, ...at], { env, stdin: content });
  const add = (...options: string[]) => run(file, options);
  return { sizes, add, pipe: () => run("-", []) };
}

test("a fault names the line of the file, and what was made before it is told", async (context) => {
  const detail = "corrections[20].entity: missing; corrections[3].name: is blank";
  const { sizes, add } = await start(context, (request) => (request === 2 ? { status: 400, detail } : null));
  const { code, err } = await add();
  assert.equal(code, 1);
  assert.match(err, /Made 100 corrections, of the lines before line 102\. None is made from line 102 on\./);
  assert.match(err, /Then go on with --from 102\./);
  assert.match(err, /line 122\.entity: missing; line 105\.name: is blank/);
  const again = await add("--from", "102");
  assert.deepEqual([again.code, again.err], [0, "Made 50 corrections.\n"]);
  assert.deepEqual(sizes, [100, 50, 50]);
});

test("it is said what is not known when a request was lost", async (context) => {
  for (const refusal of [
    { status: 500, detail: "Internal error" },
    { status: 409, detail: "Idempotency-Key: its request is still running" },
    { status: 404, detail: "Of a proxy", headers: { "content-type": "text/plain" } },
  ]) {
    const { add } = await start(context, (request) => (request === 1 ? null : refusal));
    const { code, err } = await add();
    assert.notEqual(code, 0);
    assert.match(
      err,
      /Made 100 corrections, of the lines before line 102\. Whether those of lines 102 to 151 are made is not known/,
    );
    assert.doesNotMatch(err, /--from/);
  }
});

test("corrections are read from standard input, and a byte order mark is skipped", async (context) => {
  const { sizes, add, pipe } = await start(context, () => null);
  for (const { code, err } of [await add("--from", "1"), await pipe()])
    assert.deepEqual([code, err], [0, "Made 150 corrections.\n"]);
  assert.deepEqual(sizes, [100, 50, 100, 50]);
});

test("bytes that are not UTF-8 are refused, from a file and from standard input", async () => {
  const file = join(await makeFolder(), "latin.jsonl");
  const line = JSON.stringify({ kind: "rename", entity: { type: "Boat", name: "Möwe" }, name: "Gull" });
  await writeFile(file, line, "latin1");
  const options = { env: { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() } };
  const { code, err } = await runCli(["corrections", "add", file, "--project", "p"], options);
  assert.deepEqual([code, err.includes("latin.jsonl is not text in UTF-8")], [2, true], err);
  const stdin = Buffer.from(line, "latin1");
  const piped = await runCli(["corrections", "add", "-", "--project", "p"], { ...options, stdin });
  assert.deepEqual([piped.code, piped.err.includes("Standard input is not text in UTF-8")], [2, true]);
});

test("a refusal of the key or of the rate says nothing of an earlier try", async (context) => {
  const refusals = [null, { status: 502, detail: "Bad gateway" }, { status: 401, detail: "No." }];
  const { add } = await start(context, (request) => refusals[request - 1] ?? null);
  assert.match((await add()).err, /Whether those of lines 102 to 151 are made is not known/);
});

test("a teaching whose answer was lost is not repeated, and said to have been carried out perhaps", async (context) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const at = ["--project", "prj_x", "--url", `http://127.0.0.1:${port}`];
  const { code, err } = await runCli(["corrections", "teach", ...at], { env });
  assert.deepEqual([code, requests], [6, 1]);
  assert.match(err, /It may have been carried out all the same\./);
});
