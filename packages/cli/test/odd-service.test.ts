/** The command line with a service that answers what no service answers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { own } from "../../sdk/test/fake-fetch.ts";
import { makeFolder, runCli } from "./run-cli.ts";

async function serve(context: TestContext, body: string): Promise<readonly string[]> {
  return await listen(
    context,
    createServer((_request, response) => response.writeHead(200, own.json).end(body)),
  );
}

async function listen(context: TestContext, server: Server): Promise<readonly string[]> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return ["--url", `http://127.0.0.1:${port}`];
}

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const PROJECT = ["--project", "prj_x"];
const COMMANDS: readonly (readonly string[])[] = [
  ["projects"],
  ["projects", "use", "prj_x"],
  ["projects", "stats", "prj_x"],
  ["projects", "reembed", "prj_x", "--status"],
  ["jobs", ...PROJECT],
  ["jobs", "cancel", "job_x", ...PROJECT],
  ["jobs", "retry", "job_x", ...PROJECT],
  ["documents", ...PROJECT],
  ["documents", "--all", ...PROJECT],
  ["documents", "get", "x", ...PROJECT],
  ["graph", "entities", ...PROJECT],
  ["graph", "entity", "1", ...PROJECT],
  ["graph", "associations", "1", ...PROJECT],
  ["graph", "fit", ...PROJECT],
  ["ontologies"],
  ["ontologies", "get", "ont_x"],
  ["ontologies", "suggest", "ships"],
  ["query", "x", ...PROJECT],
  ["explain", "x", ...PROJECT],
  ["reread", "prj_x", "--status"],
];

test("an answer of another form is told in words, by every command", async (context) => {
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  for (const body of ["{}", "[]", "null", '"x"', "<html><body>Welcome</body></html>"]) {
    const url = await serve(context, body);
    for (const command of COMMANDS) {
      const { code, out, err } = await runCli([...command, ...url], { env });
      const told = `${command.join(" ")} of ${body}: ${code} ${out} ${err}`;
      assert.notEqual(code, 0, told);
      assert.match(err, /answer(?:ed|s)|did not explain/, told);
      assert.doesNotMatch(out + err, /undefined|Cannot|is not a|not iterable/, told);
    }
  }
});

test("a deletion that a page of a proxy answers is not told as made", async (context) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back soon</h1>");
  });
  const url = await listen(context, server);
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  for (const command of [
    ["documents", "delete", "a.txt", ...PROJECT],
    ["ontologies", "delete", "ont_x"],
    ["projects", "delete", "prj_x"],
  ]) {
    const { code, out, err } = await runCli([...command, ...url], { env });
    assert.deepEqual([code, out], [1, ""], `${command.join(" ")}: ${err}`);
    assert.match(err, /Something between answered .* instead of the service: 200, text\/html: <h1>Back soon/);
    assert.match(err, /It may have been carried out all the same/);
    assert.doesNotMatch(err, /Deleted/);
  }
});

test("what was queued is told where a later request of the same command is refused", async (context) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    const job = { job_id: "job_x", source_doc_id: "d0", status: "pending" };
    if (requests === 1) response.writeHead(200, own.json).end(JSON.stringify({ jobs: [job], total: 1 }));
    else
      response
        .writeHead(404, own.json)
        .end('{"detail": "Documents not found: \\"z\\". Nothing was queued."}');
  });
  const url = await listen(context, server);
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const ids = Array.from({ length: 128 }, () => "d0");
  const { code, out, err } = await runCli(
    ["documents", "reread", ...ids, "z", "--json", ...PROJECT, ...url],
    { env },
  );
  assert.match(out, /job_x/);
  assert.match(
    err,
    /1 document to be read again.*for the other 1 document was refused:.*Nothing was queued/s,
  );
  assert.notEqual(code, 0);
});

test("colours that a service puts into ids and statuses are shown, not obeyed", async (context) => {
  const red = "\u001b[31mred\r\u001b[K";
  const job = { job_id: red, status: red, source_doc_id: red, chunks_processed: 1, error_message: red };
  const project = { project_id: red, mode: red, created_at: red, name: red };
  const entity = { entity_id: red, type: red, name: red, chunks: 1, strength: 1, count: 1, example: red };
  const url = await serve(
    context,
    JSON.stringify({
      ...{ jobs: [job], projects: [project], entities: [entity], ontologies: [{ ...project, id: red }] },
      ...{ associations: [{ entity, strength: 1, chunks: 1 }], relationships: [], total: 1, dropped: [] },
      documents: [{ ...job, updated_at: red, chunks: 1 }],
    }),
  );
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const terminal = { columns: 80, hasColour: true };
  const lists = [["projects"], ["ontologies"], ["jobs", ...PROJECT], ["documents", ...PROJECT]];
  const ofGraph = [["entities"], ["associations", "1"], ["fit"]].map((rest) => [
    "graph",
    ...rest,
    ...PROJECT,
  ]);
  for (const command of [...lists, ...ofGraph]) {
    const { out, err } = await runCli([...command, ...url], { env, terminal });
    assert.ok(out.includes("␛[31mred"), `${command.join(" ")}: ${out}${err}`);
    assert.ok(!(out + err).includes("\u001b[31m"), command.join(" "));
    assert.ok(!(out + err).includes("\r"), command.join(" "));
  }
});

test("a full disk under the output is told in a line", async () => {
  const full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [MAIN, "help"], { stdio: ["ignore", full.fd, "pipe"] });
  assert.ok(child.stderr !== null);
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  await full.close();
  assert.deepEqual([err, code], ["kcs help: ENOSPC: no space left on device, write\n", 1]);
});
