import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  type Job,
  longText,
  placedChunks,
  waitForJob,
} from "../support/ingestion.ts";
import {
  describeOnEach,
  type Setting,
  type TestService,
  useService,
  withHome,
  withService,
} from "../support/service.ts";

const NOTE = { text: "The lock keeper counts barges.", source_doc_id: "note" };
const TOO_FAST = "Rate limit exceeded. Try again in 60 seconds.";

/** A service whose clock stands still until the test moves it; the ingesting threads have the real one. */
async function withClock(
  setting: Setting,
  env: Readonly<Record<string, string>>,
  run: (service: TestService, tick: (ms: number) => void) => Promise<void>,
): Promise<void> {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    await withHome(setting, (home) =>
      withService({ home, env }, (service) => run(service, (ms) => mock.timers.tick(ms))),
    );
  } finally {
    mock.timers.reset();
  }
}

async function statusOfIngest(client: Client, project_id: string): Promise<number> {
  return (await client.endpoint("ingest", { params: { project_id }, body: NOTE })).status;
}

describeOnEach((setting) => {
  describe("the rate limit", () => {
    test("it slides over a minute, is the account's, and says to the second when to come back", async () => {
      await withClock(setting, { KCS_INGEST_PER_MINUTE: "3" }, async ({ owner, stranger }, tick) => {
        const params = { project_id: await createProject(owner) };
        const other = { project_id: await createProject(owner) };
        const refused = async (seconds: string) => {
          for (const each of [params, other]) {
            const reply = await owner.endpoint("ingest", { params: each, body: NOTE });
            assertFault(reply, 429, TOO_FAST);
            assert.equal(reply.headers["retry-after"], seconds);
          }
        };
        const accept = () => owner.succeed("ingest", { params, body: NOTE });

        await accept();
        tick(20_000);
        await accept();
        await accept();
        await refused("40");
        tick(500);
        await refused("40");
        tick(39_499);
        await refused("1");
        tick(1);
        await accept();
        await refused("20");
        const theirs = await createProject(stranger);
        assert.equal(await statusOfIngest(stranger, theirs), 200);
        tick(20_000);
        await accept();
        await accept();
        await refused("40");
      });
    });

    test("refused requests do not count, whatever they were refused for, and a batch counts once", async () => {
      await withClock(setting, { KCS_INGEST_PER_MINUTE: "2" }, async ({ owner, stranger }) => {
        const params = { project_id: await createProject(owner) };
        for (let round = 0; round < 3; round++) {
          assert.equal((await owner.endpoint("ingest", { params, body: { text: "" } })).status, 400);
          assert.equal(
            (await owner.call("POST", `/projects/${params.project_id}/ingest`, { raw: "{" })).status,
            400,
          );
          assert.equal(await statusOfIngest(owner, "prj_unknown"), 404);
          assert.equal(await statusOfIngest(stranger, params.project_id), 403);
        }
        const documents = Array.from({ length: 30 }, (_, at) => ({ ...NOTE, source_doc_id: `${at}` }));
        await owner.succeed("ingestBatch", { params, body: { documents } });
        await owner.succeed("ingest", { params, body: NOTE });
        const batch = await owner.endpoint("ingestBatch", { params, body: { documents } });
        assertFault(batch, 429, TOO_FAST);
        assert.equal(batch.headers["retry-after"], "60");
        assert.equal((await owner.endpoint("ingest", { params, body: { text: "" } })).status, 400);
        assert.equal(await statusOfIngest(stranger, params.project_id), 403);
      });
    });

    test("ten requests a minute are taken where nothing else is configured, and it holds at once", async () => {
      await withClock(setting, { KCS_INGEST_PER_MINUTE: "" }, async ({ owner }) => {
        const projectId = await createProject(owner);
        const all = await Promise.all(Array.from({ length: 25 }, () => statusOfIngest(owner, projectId)));
        assert.equal(all.filter((status) => status === 200).length, 10);
        assert.equal(all.filter((status) => status === 429).length, 15);
        const { total } = await owner.succeed("listJobs", { params: { project_id: projectId } });
        assert.equal(total, 10);
      });
    });

    test("it survives a restart", async () => {
      await withHome(setting, async (home) => {
        const env = { KCS_INGEST_PER_MINUTE: "1" };
        const projectId = await withService({ home, env }, async ({ owner }) => {
          const created = await createProject(owner);
          assert.equal(await statusOfIngest(owner, created), 200);
          return created;
        });
        await withService({ home, env }, async ({ owner }) => {
          assert.equal(await statusOfIngest(owner, projectId), 429);
        });
      });
    });
  });

  describe("the token limit", () => {
    const EXCEEDED = "Token usage limit exceeded";
    const PUMP = { text: "The pump stood still in 1988.", source_doc_id: "pump" };
    /** More than one batch of chunks and fewer than 100, so that one query shows them all. */
    const LONG = { text: longText(640, "metered"), source_doc_id: "long" };

    async function meetLimit(owner: Client, project_id: string): Promise<Job> {
      await ingestAll(owner, project_id, [PUMP]);
      const failed = await waitForJob(owner, project_id, await ingest(owner, project_id, LONG));
      assert.equal(failed.status, "failed");
      assert.equal(failed.error_message, EXCEEDED);
      assert.ok(failed.chunks_processed > 0 && failed.started_at !== null && failed.completed_at !== null);
      const visible = (await placedChunks(owner, project_id)).filter(
        (chunk) => chunk.source_doc_id === "long",
      );
      assert.equal(visible.length, failed.chunks_processed);
      return failed;
    }

    test("a job that meets it fails and keeps its counts, a replaced document stays, and it can be resumed", async () => {
      await withHome(setting, async (home) => {
        const before = await withService(
          { home, env: { KCS_TOKEN_LIMIT: "9500" } },
          async ({ owner, stranger }) => {
            const project_id = await createProject(owner);
            const failed = await meetLimit(owner, project_id);

            const replacement = { ...PUMP, text: `New. ${LONG.text}` };
            const replacing = await waitForJob(
              owner,
              project_id,
              await ingest(owner, project_id, replacement),
            );
            assert.equal(replacing.error_message, EXCEEDED);
            const [pump] = await placedChunks(owner, project_id, "When did the pump stand still?");
            assert.equal(pump?.text, PUMP.text);

            await ingestAll(stranger, await createProject(stranger), [NOTE]);
            return failed;
          },
        );
        await withService({ home }, async ({ owner }) => {
          const { project_id, job_id } = before;
          const resumed = await waitForJob(owner, project_id, await ingest(owner, project_id, LONG));
          assert.equal(resumed.status, "completed");
          const fresh = await createProject(owner);
          const [once] = await ingestAll(owner, fresh, [LONG]);
          assert.equal(resumed.chunks_processed, once?.chunks_processed);
          const texts = async (id: string) => (await placedChunks(owner, id)).map((chunk) => chunk.text);
          assert.deepEqual(new Set(await texts(project_id)), new Set([...(await texts(fresh)), PUMP.text]));
          assert.deepEqual(await owner.succeed("getJob", { params: { project_id, job_id } }), before);
        });
      });
    });

    test("an account whose tokens are used up gets 403 again and again, which no rate limit counts", async () => {
      await withHome(setting, async (home) => {
        const project_id = await withService({ home }, async ({ owner }) => {
          const created = await createProject(owner);
          await ingestAll(owner, created, [NOTE]);
          return created;
        });
        const env = { KCS_TOKEN_LIMIT: "5", KCS_INGEST_PER_MINUTE: "2" };
        await withService({ home, env }, async ({ owner, stranger }) => {
          const params = { project_id };
          for (let round = 0; round < 3; round++) {
            assertFault(await owner.endpoint("ingest", { params, body: NOTE }), 403, EXCEEDED);
            const body = { documents: [NOTE] };
            assertFault(await owner.endpoint("ingestBatch", { params, body }), 403, EXCEEDED);
          }
          assert.equal((await owner.endpoint("ingest", { params, body: {} })).status, 400);
          assert.equal((await placedChunks(owner, project_id)).length, 1);
          assert.equal(await statusOfIngest(stranger, await createProject(stranger)), 200);
        });
      });
    });
  });

  describe("what one account may have where anybody may sign up", () => {
    const use = useService(setting);

    test("the 1001st project answers 429 with the time to wait, and lists stay whole", async () => {
      const { stranger } = use();
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
