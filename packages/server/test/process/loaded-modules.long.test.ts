/** Loading a library takes the event loop for as long as it takes, so it belongs to the start and not to a request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startProcess } from "../support/process.ts";
import { describeOnEach, withHome } from "../support/service.ts";

const PRELOAD = fileURLToPath(new URL("./load-preload.ts", import.meta.url));
const ACCEPT = { accept: "application/json, text/event-stream" };

describeOnEach((setting) => {
  test("a request loads no library into the main thread", async () => {
    await withHome(setting, async (home) => {
      const service = await startProcess(home, { NODE_OPTIONS: `--import=${PRELOAD}` });
      const { owner, welcome } = service;
      const message = (method: string, params = {}) =>
        owner.root("POST", "/mcp", { headers: ACCEPT, body: { jsonrpc: "2.0", id: 1, method, params } });
      for (const path of ["/", "/docs", "/openapi.json", "/llms.txt"]) await owner.root("GET", path);
      assert.equal((await message("tools/list")).status, 200);
      assert.equal((await message("tools/call", { name: "list_projects", arguments: {} })).status, 200);
      const { output } = await service.end("SIGTERM");
      assert.match(welcome, /^loaded \S+\/node_modules\//m, "The preload wrote nothing.");
      // The process starts again with other settings, and Fastify has compilers of schemas that nothing here needs.
      const loaded = welcome.match(/^loaded \S+/gm) ?? [];
      assert.equal(loaded.filter((line) => line.endsWith("/src/compose.ts")).length, 1);
      assert.deepEqual(
        loaded.filter((line) => /\/node_modules\/(?:ajv|@fastify\/ajv-compiler)\//.test(line)),
        [],
      );
      const later = output.slice(welcome.length).split("\n");
      assert.deepEqual(
        later.filter((line) => line.startsWith("loaded ") && line.includes("/node_modules/")),
        [],
      );
    });
  });
});
