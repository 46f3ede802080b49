/** Exports of a graph: where they are written, and what is said when the connection breaks. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { own } from "../../sdk/test/fake-fetch.ts";
import { makeFolder, runCli } from "./run-cli.ts";

async function start(context: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const at = ["--project", "prj_x", "--url", `http://127.0.0.1:${port}`];
  const folder = join(await makeFolder(), "exports");
  await mkdir(folder);
  return { folder, run: (...options: string[]) => runCli(["graph", "export", ...options, ...at], { env }) };
}

test("an export that cannot be written leaves no draft", async (context) => {
  const { folder, run } = await start(context, (_request, response) =>
    response.writeHead(200, own.file).end("{}"),
  );
  const taken = join(folder, "taken");
  await mkdir(taken);
  const { code } = await run("--out", taken);
  assert.notEqual(code, 0);
  assert.deepEqual(await readdir(folder), ["taken"]);
});

test("an export replaces the file that a link leads to, and no device", async (context) => {
  const { folder, run } = await start(context, (_request, response) =>
    response.writeHead(200, own.file).end("{}"),
  );
  const [file, link] = [join(folder, "graph.json"), join(folder, "link.json")];
  await writeFile(file, "before");
  await symlink(file, link);
  await symlink("/dev/null", join(folder, "null"));
  assert.equal((await run("--out", link)).code, 0);
  assert.equal((await run("--out", join(folder, "null"))).code, 0);
  assert.equal(await readFile(file, "utf8"), "{}");
  assert.deepEqual((await readdir(folder)).sort(), ["graph.json", "link.json", "null"]);
});

test("a connection that breaks is told as such, and nothing is written", async (context) => {
  const { folder, run } = await start(context, (_request, response) => {
    response.writeHead(200, { ...own.file, "content-length": 1_000 }).write("{");
    setImmediate(() => response.destroy());
  });
  const { code, err } = await run("--out", join(folder, "graph.json"));
  assert.equal(code, 6);
  assert.match(err, /The connection broke before the export was complete/);
  assert.deepEqual(await readdir(folder), []);
});

test("a page of a proxy replaces no export", async (context) => {
  const { folder, run } = await start(context, (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back soon</h1>");
  });
  const file = join(folder, "graph.csv");
  await writeFile(file, "before");
  const { code, err } = await run("--format", "csv", "--out", file);
  assert.equal(code, 1);
  assert.match(err, /instead of the service: 200, text\/html: <h1>Back soon/);
  assert.equal(await readFile(file, "utf8"), "before");
  assert.deepEqual(await readdir(folder), ["graph.csv"]);
});

test("an export to - goes to standard output", async (context) => {
  const { run } = await start(context, (_request, response) => response.writeHead(200, own.file).end("{}"));
  const { code, out, err } = await run("--out", "-");
  assert.deepEqual([code, out, err], [0, "{}", ""]);
  await assert.rejects(readFile("-"));
});
