import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { own } from "../../sdk/test/fake-fetch.ts";
import { makeFolder, runCli } from "./run-cli.ts";

test("a project that has the model already is told so, not its last move", async (context) => {
  const space = (embedding_model: string) => ({ embedding_model, embedding_dimensions: 4 });
  const none = {
    ...{ project_id: "prj_x", status: "completed", from: space("present"), to: space("present") },
    ...{ chunks_processed: 9, chunks_total: 9 },
    ...{ created_at: null, started_at: null, completed_at: null, error_message: null },
  };
  const last = { ...none, status: "failed", to: space("other"), created_at: "2031-05-04T10:00:00.000Z" };
  const server = createServer(({ method }, response) => {
    response.writeHead(200, own.json);
    response.end(JSON.stringify(method === "POST" ? none : last));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const reembed = (...options: readonly string[]) =>
    runCli(["projects", "reembed", "prj_x", ...options, "--url", `http://127.0.0.1:${port}`], { env });
  const { code, out } = await reembed("--to", "present");
  assert.deepEqual([code, out], [0, "not moved: the project has present already, 9 chunks\n"]);
  assert.match((await reembed("--status")).out, /^failed, other, /);
  assert.deepEqual(JSON.parse((await reembed("--json")).out), none);
});

test("a move or a reread that somebody else cancels while it is waited for is not done", async (context) => {
  const space = (embedding_model: string) => ({ embedding_model, embedding_dimensions: 4 });
  const times = { created_at: "2031-05-04T10:00:00.000Z", started_at: null, completed_at: null };
  const counts = { chunks_processed: 0, chunks_total: 9, documents_processed: 0, documents_total: 9 };
  const state = { project_id: "prj_x", from: space("a"), to: space("b"), ...times, ...counts };
  const ended = { ...state, documents_failed: 0, error_message: null };
  const server = createServer(({ method }, response) => {
    response.writeHead(200, own.json);
    response.end(JSON.stringify({ ...ended, status: method === "POST" ? "running" : "cancelled" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const env = { KCS_KEY: "kcs_x", XDG_CONFIG_HOME: await makeFolder() };
  const at = ["--url", `http://127.0.0.1:${port}`];
  for (const command of [
    ["reread", "prj_x", "--wait"],
    ["projects", "reembed", "prj_x"],
  ])
    assert.equal((await runCli([...command, ...at], { env })).code, 5, command.join(" "));
  assert.equal((await runCli(["reread", "prj_x", "--status", ...at], { env })).code, 0);
});
