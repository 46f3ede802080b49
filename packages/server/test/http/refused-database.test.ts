/** A PostgreSQL server that refuses the service while it runs: the password was changed, or the database allows no connections. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { createProject, ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { usePostgres } from "../support/postgres.ts";
import { createHome, startTestService } from "../support/service.ts";

const postgres = usePostgres();

/** A role of the database's own, which has everything in it. */
async function createRole(context: { after(run: () => Promise<void>): void }) {
  const admin = new pg.Client({ connectionString: await postgres.createEmpty() });
  await admin.connect();
  const role = `role_${randomBytes(6).toString("hex")}`;
  const setPassword = async (password: string) =>
    void (await admin.query(`alter role ${role} password '${password}'`));
  await admin.query(`create role ${role} login`);
  await setPassword("first");
  await admin.query(`alter schema public owner to ${role}`);
  context.after(() => admin.end());
  const url = new URL(`postgres://${admin.host}:${admin.port}/${admin.database}`);
  url.username = role;
  url.password = "first";
  const drop = () =>
    admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);
  const allowConnections = async (areAllowed: boolean) => {
    // A database cannot refuse connections to whoever is connected with it.
    const other = new pg.Client({ connectionString: await postgres.createEmpty() });
    await other.connect();
    await other.query(`alter database ${admin.database} allow_connections ${areAllowed}`);
    await other.end();
  };
  return { url: url.href, setPassword, drop, allowConnections };
}

type Role = Awaited<ReturnType<typeof createRole>>;

const refusals: readonly (readonly [what: string, code: string, refuse: Change, accept: Change])[] = [
  [
    "the role's password",
    "28P01",
    ({ setPassword }) => setPassword("second"),
    ({ setPassword }) => setPassword("first"),
  ],
  [
    "connections to the database",
    "55000",
    ({ allowConnections }) => allowConnections(false),
    ({ allowConnections }) => allowConnections(true),
  ],
];
type Change = (role: Role) => Promise<void>;

for (const [what, code, refuse, accept] of refusals)
  test(`while the server refuses ${what}, calls are refused for a while and no job fails for good`, (context) =>
    checkRefusal(context, { code, refuse, accept }));

async function checkRefusal(
  context: TestContext,
  { code, refuse, accept }: { readonly code: string; readonly refuse: Change; readonly accept: Change },
) {
  const role = await createRole(context);
  const { url, drop } = role;
  const home = await createHome(url);
  const service = await startTestService({ home });
  context.after(async () => {
    await service.stop();
    await home.remove();
  });
  const { owner, nobody, logged } = service;
  const projectId = await createProject(owner);
  await ingestAll(owner, projectId, [{ source_doc_id: "a", text: "The lamp of the pier burns at night." }]);
  const waiting = await ingest(owner, projectId, { source_doc_id: "b", text: "The horn sounds in fog." });
  await refuse(role);
  await drop();
  const params = { project_id: projectId };
  for (const reply of [
    await owner.endpoint("query", { params, body: { query: "What burns at night?" } }),
    await owner.endpoint("ingest", { params, body: { source_doc_id: "c", text: "The bell rings." } }),
    await nobody.root("GET", "/ready"),
    await nobody.root("POST", "/api/auth/sign-in/email", {
      body: { email: "a@example.com", password: "x".repeat(20) },
    }),
  ]) {
    assert.equal(reply.status, 503, reply.text);
    assert.match(reply.text, new RegExp(`PostgreSQL server refuses .*${code}.* DATABASE_URL`));
    assert.doesNotMatch(reply.text, /role_/);
  }
  await accept(role);
  assert.equal((await waitForJob(owner, projectId, waiting)).status, "completed");
  await waitFor("readiness", async () => ((await nobody.root("GET", "/ready")).status === 200 ? true : null));
  const stacks = logged.filter((entry) =>
    /authentication failed|not currently accepting/.test(JSON.stringify(entry)),
  );
  assert.ok(stacks.length <= 1, JSON.stringify(stacks));
}
