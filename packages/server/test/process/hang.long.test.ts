/** A whole service one of whose threads runs into an endless loop. The tests of each pool are in `src/threads`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertFault, type Client } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { startProcess } from "../support/process.ts";
import { describeOnBoth, withHome } from "../support/service.ts";

const PRELOAD = fileURLToPath(new URL("./hang-preload.ts", import.meta.url));
const HANGING = "Which question never ends?";
const LIMIT_MS = 180_000;

async function readMetrics(client: Client): Promise<readonly string[]> {
  return (await client.root("GET", "/metrics")).text.split("\n");
}

describeOnBoth((setting) => {
  test("a query thread that hangs fails its question, others are answered, and the threads are replaced", {
    timeout: LIMIT_MS,
  }, async () => {
    await withHome(setting, async (home) => {
      const service = await startProcess(home, {
        KCS_QUERY_THREADS: "2",
        NODE_OPTIONS: `--import=${PRELOAD}`,
        TEST_HANGING_QUESTION: HANGING,
      });
      try {
        const { owner } = service;
        const project_id = await createProject(owner);
        await ingestAll(owner, project_id, [{ text: "The sluice is green.", source_doc_id: "sluice" }]);
        const ask = (query: string) => owner.endpoint("query", { params: { project_id }, body: { query } });
        const askSluice = async () => {
          const reply = await ask("What is green?");
          assert.equal(reply.status, 200, reply.text);
          assert.match(reply.text, /The sluice is green/);
        };
        await askSluice();

        let isHanging = true;
        const hanging = ask(HANGING).finally(() => {
          isHanging = false;
        });
        await waitFor("the question to be pending", async () =>
          (await readMetrics(owner)).includes('kcs_thread_requests_pending{kind="query"} 1') ? true : null,
        );
        await askSluice();
        await ingestAll(owner, project_id, [{ text: "The gate is red.", source_doc_id: "gate" }]);
        for (const path of ["/health", "/ready"]) assert.equal((await owner.root("GET", path)).status, 200);
        assert.equal(isHanging, true, "The question was answered before the others.");

        const unready = await waitFor("the end of readiness", async () => {
          const reply = await owner.root("GET", "/ready");
          return reply.status === 200 ? null : reply;
        });
        assertFault(
          unready,
          503,
          "Questions cannot be answered: a query thread hung; the threads are being replaced.",
        );
        assert.equal((await owner.root("GET", "/health")).status, 200);
        const failed = await hanging;
        // Both limits are 30 seconds, and either may come first.
        assertFault(
          failed,
          503,
          /^(The question was not answered in time\. Try again\.|Questions cannot be answered: a query thread hung; the threads are being replaced\.)$/,
        );
        assert.equal(failed.headers["retry-after"], "1");

        await waitFor("readiness", async () =>
          (await owner.root("GET", "/ready")).status === 200 ? true : null,
        );
        await Promise.all([askSluice(), askSluice()]);
        const metrics = await readMetrics(owner);
        const expected = [
          'kcs_threads_replaced_total{kind="query",reason="hung"} 1',
          'kcs_threads_replaced_total{kind="query",reason="died"} 0',
          'kcs_threads_stuck{kind="query"} 0',
        ];
        for (const line of expected) assert.ok(metrics.includes(line), `${line} is missing`);
        const ended = await service.end("SIGTERM");
        assert.deepEqual([ended.code, ended.signal], [0, null], ended.output);
        assert.equal(ended.output.match(/"thread_hung"/g)?.length, 1, ended.output);
      } finally {
        await service.end("SIGKILL");
      }
    });
  });

  test("a stop does not wait for an embedding thread that hangs, and its job runs again after the next start", {
    timeout: LIMIT_MS,
  }, async () => {
    await withHome(setting, async (home) => {
      const first = await startProcess(home, {
        KCS_INGEST_THREADS: "1",
        NODE_OPTIONS: `--import=${PRELOAD}`,
        TEST_HANGING_TEXT: "sluice",
      });
      try {
        const project = await createProject(first.owner);
        await ingestAll(first.owner, project, [{ text: "The gate is red.", source_doc_id: "gate" }]);
        const job = await ingest(first.owner, project, {
          text: "The sluice is green.",
          source_doc_id: "sluice",
        });
        await waitFor("the text to be embedded", async () =>
          (await readMetrics(first.owner)).includes('kcs_thread_requests_pending{kind="embed"} 1')
            ? true
            : null,
        );
        const ended = await first.end("SIGTERM");
        assert.deepEqual([ended.code, ended.signal], [0, null], ended.output);
        const second = await startProcess(home);
        try {
          assert.equal((await waitForJob(second.owner, project, job)).status, "completed");
        } finally {
          await second.end("SIGKILL");
        }
      } finally {
        await first.end("SIGKILL");
      }
    });
  });
});
