/** A server that allows fewer connections than the processes want. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { usePostgres } from "../support/postgres.ts";
import { postgresOf, withHome, withService } from "../support/service.ts";
import { createScenario } from "./scenario.ts";

const postgres = usePostgres();

/** A database whose user may have `connections` at once, which does not hold for the user of the tests. */
async function limit(context: TestContext, connections: number) {
  const databaseUrl = await postgres.createEmpty();
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  context.after(() => admin.end());
  const url = new URL(databaseUrl);
  const role = `role_${randomBytes(6).toString("hex")}`;
  await admin.query(`create role ${role} login password 'p' connection limit ${connections}`);
  await admin.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
  url.username = role;
  url.password = "p";
  return {
    url: url.href,
    /** Ends the connections of the user and takes so many itself until the returned function is called. */
    async take(taken: number) {
      const clients: pg.Client[] = [];
      context.after(() => Promise.all(clients.map((client) => client.end())));
      while (clients.length < taken) {
        await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where usename = '${role}' and application_name = 'knowledge-context-service'`);
        const client = new pg.Client({ connectionString: url.href });
        client.on("error", () => undefined);
        await client.connect().then(
          () => clients.push(client),
          () => client.end(), // The service was faster.
        );
      }
      return () => Promise.all(clients.map((client) => client.end()));
    },
  };
}

test("calls wait for the few connections that there are", async (context) => {
  const { url } = await limit(context, 3);
  const connections = { total: 30, queryThreads: 1 };
  const { store } = await openStore({ databaseUrl: url, dataDir: "", connections });
  context.after(() => store.close());
  const scenario = createScenario(store, "few");
  const project = await scenario.project();
  const calls = Array.from({ length: 60 }, (_, number) => [
    store.findProject(project),
    store.writeSetting({ name: `setting ${number}`, value: "1", onlyIfAbsent: false }),
  ]);
  await Promise.all(calls.flat());
});

test("where others have all connections, calls fail in time as busy, questions and readiness tell it, and all go on afterwards", async (context) => {
  const limited = await limit(context, 6);
  await withHome(postgresOf(postgres), async (home) => {
    await withService({ home: { ...home, databaseUrl: limited.url } }, async ({ owner, nobody }) => {
      const projectId = await createProject(owner);
      await ingestAll(owner, projectId, [{ source_doc_id: "a", text: "Maud Pell built the tower." }]);
      const ask = () =>
        owner.endpoint("query", {
          params: { project_id: projectId },
          body: { query: "Who built the tower?" },
        });
      const many = await Promise.all(Array.from({ length: 8 }, ask));
      for (const { status, text } of many) assert.equal(status, 200, text);
      const metrics = await nobody.root("GET", "/metrics");
      assert.match(metrics.text, /^kcs_database_connections\{thread="query",use="reads",state="open"\} 1$/m);
      assert.match(metrics.text, /^kcs_database_calls_total\{thread="main",use="writes"\} [1-9]/m);

      const giveBack = await limited.take(6);
      const began = performance.now();
      const [refused, ready] = await Promise.all([ask(), nobody.root("GET", "/ready")]);
      assert.ok(performance.now() - began < 15_000);
      assert.equal(refused.status, 503);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
      assert.match(refused.text, /no connection left for this process/);
      assert.equal(ready.status, 503);
      await giveBack();
      await waitFor("readiness", async () =>
        (await nobody.root("GET", "/ready")).status === 200 ? true : null,
      );
      assert.equal((await ask()).status, 200);
    });
  });
});
