import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  type Job,
  longText,
  placedChunks,
  type Text,
  waitForJob,
} from "../support/ingestion.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import {
  createNewcomer,
  describeOnBoth,
  type Home,
  startTestService,
  type TestService,
  useRestarts,
  useService,
} from "../support/service.ts";

const NOTE = { text: "The lock keeper counts barges.", source_doc_id: "note" };
const TOO_FAST = "Rate limit exceeded. Try again in 60 seconds.";

async function statusOfIngest(client: Client, project_id: string): Promise<number> {
  return (await client.endpoint("ingest", { params: { project_id }, body: NOTE })).status;
}

describeOnBoth((setting) => {
  describe("the rate limit of ten a minute, where nothing else is configured", () => {
    // The clock stands still until a test moves it; the ingesting thread has the real one.
    const env = { KCS_INGEST_PER_MINUTE: "" };
    let home: Home;
    let service: TestService;
    before(async () => {
      mock.timers.enable({ apis: ["Date"], now: Date.now() });
      home = await setting.createHome();
      service = await startTestService({ home, env });
    });
    beforeEach(() => mock.timers.tick(60_000));
    after(async () => {
      mock.timers.reset();
      await service.stop();
      await home.remove();
    });

    test("it slides over a minute, is the account's, and says to the second when to come back", async () => {
      const { owner, stranger } = service;
      const params = { project_id: await createProject(owner) };
      const other = { project_id: await createProject(owner) };
      const accept = async (times: number) => {
        for (let at = 0; at < times; at++) await owner.succeed("ingest", { params, body: NOTE });
      };
      const refused = async (seconds: string) => {
        for (const each of [params, other]) {
          const reply = await owner.endpoint("ingest", { params: each, body: NOTE });
          assertFault(reply, 429, TOO_FAST);
          assert.equal(reply.headers["retry-after"], seconds);
        }
      };
      await accept(1);
      mock.timers.tick(20_000);
      await accept(9);
      await refused("40");
      mock.timers.tick(500);
      await refused("40");
      mock.timers.tick(39_499);
      await refused("1");
      mock.timers.tick(1);
      await accept(1);
      await refused("20");
      assert.equal(await statusOfIngest(stranger, await createProject(stranger)), 200);
      mock.timers.tick(20_000);
      await accept(9);
      await refused("40");
    });

    test("refused requests do not count, whatever they were refused for, and a batch counts once", async () => {
      const { owner, stranger } = service;
      const params = { project_id: await createProject(owner) };
      const path = `/projects/${params.project_id}/ingest`;
      for (let round = 0; round < 5; round++) {
        assert.equal((await owner.endpoint("ingest", { params, body: { text: "" } })).status, 400);
        assert.equal((await owner.call("POST", path, { raw: "{" })).status, 400);
        assert.equal(await statusOfIngest(owner, "prj_unknown"), 404);
        assert.equal(await statusOfIngest(stranger, params.project_id), 403);
      }
      const documents = Array.from({ length: 30 }, (_, at) => ({ ...NOTE, source_doc_id: `${at}` }));
      await owner.succeed("ingestBatch", { params, body: { documents } });
      for (let at = 0; at < 9; at++) await owner.succeed("ingest", { params, body: NOTE });
      const batch = await owner.endpoint("ingestBatch", { params, body: { documents } });
      assertFault(batch, 429, TOO_FAST);
      assert.equal(batch.headers["retry-after"], "60");
      assert.equal((await owner.endpoint("ingest", { params, body: { text: "" } })).status, 400);
      assert.equal(await statusOfIngest(stranger, params.project_id), 403);
    });

    test("it holds for requests at once, and survives a restart", async () => {
      const project_id = await createProject(service.owner);
      const all = await Promise.all(
        Array.from({ length: 25 }, () => statusOfIngest(service.owner, project_id)),
      );
      assert.equal(all.filter((status) => status === 200).length, 10);
      assert.equal(all.filter((status) => status === 429).length, 15);
      assert.equal((await service.owner.succeed("listJobs", { params: { project_id } })).total, 10);
      await service.stop();
      service = await startTestService({ home, env });
      assert.equal(await statusOfIngest(service.owner, project_id), 429);
      mock.timers.tick(60_000);
      assert.equal(await statusOfIngest(service.owner, project_id), 200);
    });
  });

  describe("the token limit", () => {
    const EXCEEDED = "Token usage limit exceeded";
    const PUMP = { text: "The pump stood still in 1988.", source_doc_id: "pump" };
    /** More than one batch of chunks and fewer than 100, so that one query shows them all. */
    const LONG = { text: longText(640, "metered"), source_doc_id: "long" };

    // Each ingest of these tests but the last one of an account stays below the limit: that uses it up with its first
    // batch, and meets it with its second one.
    const limits = { KCS_TOKEN_LIMIT: "60", KCS_INGEST_PER_MINUTE: "4" };
    /** Of a local server, which makes them without a model. */
    const vectors = { KCS_EMBEDDING_MODEL: "vectors", KCS_EMBEDDING_DIMENSIONS: "16" };
    let server: ModelServer;
    before(async () => {
      server = await startModelServer();
      Object.assign(vectors, { KCS_EMBEDDING_BASE_URL: server.baseUrl });
      Object.assign(limits, vectors);
    });
    after(() => server.close());
    const { use, restart } = useRestarts(setting, limits);

    async function meetLimit(client: Client, project_id: string, document: Text): Promise<Job> {
      const failed = await waitForJob(client, project_id, await ingest(client, project_id, document));
      assert.deepEqual([failed.status, failed.error_message], ["failed", EXCEEDED]);
      assert.ok(failed.chunks_processed > 0 && failed.started_at !== null && failed.completed_at !== null);
      assertFault(await client.endpoint("ingest", { params: { project_id }, body: NOTE }), 403, EXCEEDED);
      return failed;
    }

    test("an account whose tokens are used up gets 403 again and again, which no rate limit counts", async () => {
      const { owner, stranger } = use();
      const params = { project_id: await createProject(stranger) };
      await ingestAll(stranger, params.project_id, [{ ...NOTE, text: longText(8, "paid") }]);
      for (let round = 0; round < 3; round++) {
        assertFault(await stranger.endpoint("ingest", { params, body: NOTE }), 403, EXCEEDED);
        const body = { documents: [NOTE] };
        assertFault(await stranger.endpoint("ingestBatch", { params, body }), 403, EXCEEDED);
      }
      assert.equal((await stranger.endpoint("ingest", { params, body: {} })).status, 400);
      assert.equal((await placedChunks(stranger, params.project_id)).length, 1);
      assert.equal(await statusOfIngest(owner, await createProject(owner)), 200);
    });

    test("a replacing version that meets it stays invisible, other accounts go on", async () => {
      const client = await createNewcomer(use());
      const project_id = await createProject(client);
      await ingestAll(client, project_id, [PUMP]);
      await meetLimit(client, project_id, { ...LONG, source_doc_id: PUMP.source_doc_id });
      assert.deepEqual(
        (await placedChunks(client, project_id)).map((chunk) => chunk.text),
        [PUMP.text],
      );
      client.close();
      await ingestAll(use().owner, await createProject(use().owner), [NOTE]);
    });

    test("a first version that meets it stays visible with its counts, and can be resumed", async () => {
      const limited = use().owner;
      const project_id = await createProject(limited);
      const failed = await meetLimit(limited, project_id, LONG);
      assert.equal((await placedChunks(limited, project_id)).length, failed.chunks_processed);
      const { owner } = await restart(vectors);
      const resumed = await waitForJob(owner, project_id, await ingest(owner, project_id, LONG));
      assert.equal(resumed.status, "completed");
      const fresh = await createProject(owner);
      const [once] = await ingestAll(owner, fresh, [LONG]);
      assert.equal(resumed.chunks_processed, once?.chunks_processed);
      const texts = async (id: string) => (await placedChunks(owner, id)).map((chunk) => chunk.text);
      assert.deepEqual(await texts(project_id), await texts(fresh));
      const params = { project_id, job_id: failed.job_id };
      assert.deepEqual(await owner.succeed("getJob", { params }), failed);
    });
  });

  describe("what one account may have where anybody may sign up", () => {
    const use = useService(setting);

    test("the 1001st project answers 429 with the time to wait, and lists stay whole", async () => {
      const stranger = await createNewcomer(use());
      for (let made = 0; made < 1000; made += 50) {
        await Promise.all(Array.from({ length: 50 }, () => createProject(stranger)));
      }
      const reply = await stranger.endpoint("createProject", {
        body: { name: "One more", vector_only: true },
      });
      assertFault(reply, 429, /^The account has 1000 projects, as many as it may have/);
      assert.ok(Number(reply.headers["retry-after"]) > 0);
      const { projects } = await stranger.succeed("listProjects");
      assert.equal(projects.length, 1000);
      await stranger.succeed("deleteProject", { params: { project_id: projects[0]?.project_id ?? "" } });
      await createProject(stranger);
      await createProject(use().owner);
      stranger.close();
    });

    test("too many pending jobs answer 429, all or none", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const batch = (round: number) => ({
        documents: Array.from({ length: 1000 }, (_, at) => ({
          text: `Card ${round}-${at}.`,
          source_doc_id: `${round}-${at}`,
        })),
      });
      for (let round = 0; round < 5; round++)
        await owner.succeed("ingestBatch", { params, body: batch(round) });
      const reply = await owner.endpoint("ingestBatch", { params, body: batch(5) });
      assertFault(reply, 429, /too many pending jobs/);
      assert.ok(Number(reply.headers["retry-after"]) > 0);
      const beyond = { params, query: { limit: 1000, offset: 5000 } };
      assert.equal((await owner.succeed("listJobs", beyond)).total, 0);
      await owner.succeed("deleteProject", { params });
      const again = await createProject(owner);
      await ingestAll(owner, again, [NOTE]);
    });
  });
});
