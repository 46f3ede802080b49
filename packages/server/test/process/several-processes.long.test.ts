/** Several processes of the service on one PostgreSQL database. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { describeProcesses } from "../../src/commands.ts";
import { loadConfig } from "../../src/config.ts";
import { queryRows } from "../release/open-data.ts";
import type { Client } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { usePostgres } from "../support/postgres.ts";
import {
  environmentOf,
  type Home,
  postgresOf,
  startSession,
  type TestService,
  withHome,
  withService,
} from "../support/service.ts";

const setting = postgresOf(usePostgres());
type Environment = Readonly<Record<string, string>>;

/** Two services with data directories of their own; the second one begins when the first one listens. */
async function withTwo(
  envs: readonly [Environment, Environment],
  run: (first: TestService, second: TestService, home: Home) => Promise<void>,
): Promise<void> {
  await withHome(setting, (home) =>
    withHome(setting, (other) =>
      withService({ home, env: envs[0] }, (first) =>
        withService({ home: { ...other, ...shared(home) }, env: envs[1] }, (second) =>
          run(first, second, home),
        ),
      ),
    ),
  );
}

const shared = ({ databaseUrl, ownerKey }: Home) => ({ databaseUrl, ownerKey });

describe("two processes", () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer({ embeddings: () => null });
  });
  after(() => server.close());

  test("know each other's sessions", () =>
    withTwo([{}, {}], async (first, second) => {
      const cookie = await startSession(first.nobody, first.baseUrl);
      for (const { nobody, baseUrl } of [first, second]) {
        const headers = { cookie, origin: baseUrl, "sec-fetch-site": "same-origin" };
        assert.equal((await nobody.root("GET", "/api/v1/projects", { headers })).status, 200);
      }
      assert.deepEqual(await processesAt(second), { running: 2, differ_in: [] });
    }));

  test("say that their secrets and the lengths of their texts differ", () =>
    withTwo([{}, { KCS_SECRET: "s".repeat(32), KCS_MAX_TEXT_BYTES: "1000000" }], async (_first, second) => {
      assert.deepEqual(await processesAt(second), { running: 2, differ_in: ["text_limit", "secret"] });
      const told = second.logged.filter(({ event }) => event === "processes_differ");
      assert.match(String(told[0]?.["message"]), /Give all the same KCS_MAX_TEXT_BYTES/);
      assert.match(String(told[1]?.["message"]), /Set the same KCS_SECRET for all of them/);
      const metrics = await second.nobody.root("GET", "/metrics");
      assert.match(metrics.text, /^kcs_processes 2$/m);
      assert.match(metrics.text, /^kcs_processes_differ\{difference="secret"\} 1$/m);
      assert.match(metrics.text, /^kcs_processes_differ\{difference="version"\} 0$/m);
    }));

  test("leave each other the jobs that they cannot do, and name the setting of a question that they cannot answer", () => {
    const able = {
      KCS_EMBEDDING_BASE_URL: server.baseUrl,
      KCS_EMBEDDING_MODEL: "vectors",
      KCS_EMBEDDING_DIMENSIONS: "48",
    };
    return withTwo([able, {}], async (first, second, home) => {
      const projectId = await createProject(first.owner);
      // The second one is asked, so it looks for the jobs first; its own project shows that it has looked behind them.
      const documents = Array.from({ length: 20 }, (_, number) => ({
        source_doc_id: `note ${number}`,
        text: `Keeper number ${number} lit the lamp.`,
      }));
      await ingestAll(second.owner, projectId, documents);
      const own = await createProject(second.owner);
      await ingestAll(second.owner, own, documents.slice(0, 1));
      const ask = (owner: Client) =>
        owner.endpoint("query", { params: { project_id: projectId }, body: { query: "Who lit the lamp?" } });
      assert.equal((await ask(first.owner)).status, 200);
      const refused = await ask(second.owner);
      assert.equal(refused.status, 503);
      assert.match(refused.text, /KCS_EMBEDDING_MODEL/);
      assert.deepEqual(await processesAt(second), { running: 2, differ_in: ["embedding_models"] });
      const listed = await describeProcesses(loadConfig(environmentOf(home)));
      assert.match(listed, /^2 running, 0 ended within an hour\n/);
      assert.match(listed, /embeds openai-compatible\/vectors \(48\), all-MiniLM-L6-v2 \(384\)/);
      assert.match(listed, /differ in: embedding_models$/);
    });
  });
});

describe("an api and workers", () => {
  test("share the work by their roles, and say that jobs wait while no worker runs", () =>
    withHome(setting, (home) =>
      withService({ home, env: { KCS_ROLE: "api" } }, async (api) => {
        const projectId = await createProject(api.owner);
        const jobId = await ingest(api.owner, projectId, { source_doc_id: "a", text: "Odd keeps the lamp." });
        assert.deepEqual(await processesAt(api), { running: 1, differ_in: [], jobs_wait_for_worker: true });
        const before = await api.nobody.root("GET", "/metrics");
        assert.match(before.text, /^kcs_workers 0$/m);
        assert.match(before.text, /^kcs_jobs_without_worker 1$/m);
        await withHome(setting, (other) => {
          const place = { ...other, ...shared(home) };
          return withService({ home: place, env: { KCS_ROLE: "worker" } }, async (worker) => {
            assert.equal((await waitForJob(api.owner, projectId, jobId)).status, "completed");
            assert.deepEqual(await processesAt(worker), { running: 2, differ_in: [] });
            assert.match((await worker.nobody.root("GET", "/metrics")).text, /^kcs_workers 1$/m);
            assert.equal((await worker.nobody.root("GET", "/health")).status, 200);
            for (const path of ["/api/v1/projects", "/api/auth/get-session", "/mcp", "/"]) {
              const refused = await worker.owner.root("GET", path);
              assert.equal(refused.status, 404, path);
              assert.match(refused.text, /KCS_ROLE=worker/);
            }
            const listed = await describeProcesses(loadConfig(environmentOf(home)));
            assert.match(listed, /\| version \S+ \| api \|/);
            assert.match(listed, /\| version \S+ \| worker \|/);
          });
        });
      }),
    ));
});

describe("a process that is older than the database", () => {
  const later = (oldest: number) => `insert into schema_migrations (number, name, applied_at, oldest)
    values (${900 + oldest}, 'of a later release', 0, ${oldest})`;

  test("goes on while it can use the database, and is not ready and claims nothing once it cannot", () =>
    withHome(setting, async (home) => {
      await withService({ home }, async (service) => {
        const { owner, nobody, logged } = service;
        const projectId = await createProject(owner);
        await queryRows(home, later(24));
        const older = { running: 1, differ_in: [], database_is_newer: true };
        const say = async () => Object((await nobody.root("GET", "/ready")).json).processes;
        await waitFor("the notice", async () =>
          Object(await say()).database_is_newer === true ? true : null,
        );
        assert.deepEqual(await processesAt(service), older);
        const told = () => logged.filter(({ event }) => event === "database_is_newer");
        assert.match(String(told()[0]?.["message"]), /schema version 924; this one knows \d+\. It goes on/);
        const statusOf = async (job_id: string) =>
          (await owner.succeed("getJob", { params: { project_id: projectId, job_id } })).status;
        const first = await ingest(owner, projectId, { source_doc_id: "a", text: "The lamp burns." });
        await waitFor("the claim", async () => ((await statusOf(first)) === "pending" ? null : true));
        await queryRows(home, later(50));
        const refusal = await waitFor("unreadiness", async () => {
          const ready = await nobody.root("GET", "/ready");
          return ready.text.includes("schema version 950") ? `${ready.status} ${ready.text}` : null;
        });
        assert.match(refusal, /^503 .*; this one knows \d+\. It stops working\. Start the newer version/);
        // As if another process had accepted it.
        await queryRows(home, "update jobs set queue_state = 'waiting', ready_at = 0, status = 'pending'");
        const params = { project_id: projectId };
        const body = { source_doc_id: "b", text: "The horn sounds." };
        const late = await owner.endpoint("ingest", { params, body });
        assert.deepEqual([late.status, late.headers["retry-after"]], [503, "5"]);
        assert.match(JSON.stringify(late.json), /It stops working\. Start the newer version/);
        await assert.rejects(
          openStore({ databaseUrl: home.databaseUrl, dataDir: "" }),
          /schema version 950, but this/,
        );
        assert.deepEqual(await queryRows(home, "select status from jobs"), [{ status: "pending" }]);
        assert.equal(told().length, 2);
      });
    }));

  test("starts beside one that it can use", () =>
    withHome(setting, async (home) => {
      await queryRows(home, later(24));
      await withService({ home }, async (service) => {
        assert.deepEqual(await processesAt(service), { running: 1, differ_in: [], database_is_newer: true });
      });
    }));
});

/** What `/ready` says of the processes, once the service is ready. */
function processesAt({ nobody }: TestService): Promise<unknown> {
  return waitFor("readiness", async () => {
    const { status, json } = await nobody.root("GET", "/ready");
    return status === 200 ? Object(json).processes : null;
  });
}
