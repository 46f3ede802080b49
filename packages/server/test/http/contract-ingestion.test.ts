import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  longText,
  placedChunks,
  waitFor,
  waitForJob,
} from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const MISSING = "prj_00000000000000000000000000000000";
const NOTE = { text: "The weir was rebuilt in 1931. Its keeper lives in Olmstad.", source_doc_id: "weir" };

describeOnEach((setting) => {
  const use = useService(setting);

  describe("ingesting", () => {
    test("an accepted document is answered with a pending or running job", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const job = await owner.succeed("ingest", { params, body: NOTE });
      assert.ok(job.status === "pending" || job.status === "running");
      assert.ok(Math.abs(Date.parse(job.created_at) - Date.now()) < 60_000);
    });

    test("a project that does not exist is not found, another account's is forbidden", async () => {
      const { owner, stranger } = use();
      const missing = await owner.endpoint("ingest", { params: { project_id: MISSING }, body: NOTE });
      assertFault(missing, 404, `Project ${MISSING} not found`);
      const params = { project_id: await createProject(owner) };
      const forbidden = await stranger.endpoint("ingest", { params, body: NOTE });
      assertFault(forbidden, 403, "You don't have access to this project");
    });

    test("a missing text or document id is named", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const { text, source_doc_id } = NOTE;
      const noText = await owner.endpoint("ingest", { params, body: { source_doc_id } });
      assertFault(noText, 400, /^text: missing, expected/);
      const noId = await owner.endpoint("ingest", { params, body: { text } });
      assertFault(noId, 400, /^source_doc_id: missing, expected/);
    });

    test("a graph project's text is chunked and found, and its names are counted as nodes", async () => {
      const { owner } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "Graph" } });
      const [job] = await ingestAll(owner, project_id, [NOTE]);
      assert.equal(job?.chunks_processed, 1);
      assert.ok(job.nodes_created > 0);
      const [chunk] = await placedChunks(owner, project_id, "Who keeps the weir?");
      assert.equal(chunk?.text, NOTE.text);
    });
  });

  describe("jobs", () => {
    test("times and counts are null or set exactly as the job's status says", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const text = longText(600, "lifecycle");
      const params = { project_id, job_id: await ingest(owner, project_id, { text, source_doc_id: "log" }) };
      const seen = new Set<string>();
      const ended = await waitFor("the job's end", async () => {
        const job = await owner.succeed("getJob", { params });
        seen.add(job.status);
        assert.equal(job.started_at === null, job.status === "pending");
        assert.equal(job.completed_at === null, job.status === "pending" || job.status === "running");
        assert.equal(job.error_message, null);
        return job.status === "completed" ? job : null;
      });
      assert.ok(seen.has("running"), `seen: ${[...seen].join(", ")}`);
      assert.equal(ended.project_id, project_id);
      assert.equal(ended.job_id, params.job_id);
      assert.equal(ended.source_doc_id, "log");
      assert.deepEqual([ended.nodes_created, ended.edges_created], [0, 0]);
      assert.equal(ended.chunks_processed, (await placedChunks(owner, project_id)).length);
      assert.ok(Date.parse(ended.completed_at ?? "") >= Date.parse(ended.started_at ?? ""));
    });

    test("the list is newest first, and its total is the number returned", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const params = { project_id };
      assert.deepEqual(await owner.succeed("listJobs", { params }), {
        jobs: [],
        total: 0,
        limit: 100,
        offset: 0,
      });
      const documents = Array.from({ length: 7 }, (_, at) => ({ ...NOTE, source_doc_id: `doc-${at}` }));
      const jobs = await ingestAll(owner, project_id, documents);
      const newestFirst = jobs.map((job) => job.job_id).reverse();
      const all = await owner.succeed("listJobs", { params });
      assert.deepEqual(
        all.jobs.map((job) => job.job_id),
        newestFirst,
      );
      assert.deepEqual([all.total, all.limit, all.offset], [7, 100, 0]);
      assert.deepEqual(
        all.jobs[0],
        await owner.succeed("getJob", { params: { ...params, job_id: newestFirst[0]! } }),
      );

      const page = await owner.succeed("listJobs", { params, query: { limit: 3, offset: 5 } });
      assert.deepEqual(
        page.jobs.map((job) => job.job_id),
        newestFirst.slice(5, 8),
      );
      assert.deepEqual([page.total, page.limit, page.offset], [2, 3, 5]);
    });

    test("limit goes from 1 to 1000 and offset from 0; all else is refused and named", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      for (const [limit, offset] of [
        [1, 0],
        [1000, 9_007_199_254_740_991],
      ] as const) {
        const list = await owner.succeed("listJobs", { params, query: { limit, offset } });
        assert.deepEqual([list.limit, list.offset], [limit, offset]);
      }
      for (const limit of [
        "0",
        "1001",
        "-1",
        "1.5",
        "ten",
        "",
        "1e2",
        "0x10",
        " 5",
        "99999999999999999999",
      ]) {
        assertFault(
          await owner.endpoint("listJobs", { params, query: { limit } }),
          400,
          /^limit: got .+ from 1 to 1000$/,
        );
      }
      for (const offset of ["-1", "1.5", "none", "9007199254740992"]) {
        assertFault(
          await owner.endpoint("listJobs", { params, query: { offset } }),
          400,
          /^offset: got .+ at least 0$/,
        );
      }
      const twice = await owner.call("GET", `/projects/${params.project_id}/jobs?limit=1&limit=2`);
      assertFault(twice, 400, /^limit: got an array/);
    });

    test("jobs of another account's project are not authorized, whether they exist or not", async () => {
      const { owner, stranger } = use();
      const project_id = await createProject(owner);
      const job_id = await ingest(owner, project_id, NOTE);
      const detail = "User is not authorized for this project";
      assertFault(await stranger.endpoint("listJobs", { params: { project_id } }), 403, detail);
      for (const id of [job_id, "job_unknown"]) {
        assertFault(await stranger.endpoint("getJob", { params: { project_id, job_id: id } }), 403, detail);
      }
    });

    test("an unknown job is not found, and a job is only found in its own project", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const job_id = await ingest(owner, project_id, NOTE);
      const other = await createProject(owner);
      for (const params of [
        { project_id, job_id: "job_00000000000000000000000000000000" },
        { project_id, job_id: "what" },
        { project_id: other, job_id },
      ]) {
        assertFault(await owner.endpoint("getJob", { params }), 404, "Job not found");
      }
      const nowhere = { project_id: MISSING, job_id };
      assertFault(await owner.endpoint("getJob", { params: nowhere }), 404, `Project ${MISSING} not found`);
      assertFault(
        await owner.endpoint("listJobs", { params: { project_id: MISSING } }),
        404,
        `Project ${MISSING} not found`,
      );
    });
  });

  describe("ingesting a batch", () => {
    test("every document gets a job of its own, in the order sent", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const documents = ["c", "a", "b"].map((source_doc_id) => ({
        text: `Note ${source_doc_id}.`,
        source_doc_id,
      }));
      const answer = await owner.succeed("ingestBatch", { params: { project_id }, body: { documents } });
      assert.deepEqual(
        answer.jobs.map((job) => job.source_doc_id),
        ["c", "a", "b"],
      );
      assert.equal(new Set(answer.jobs.map((job) => job.job_id)).size, 3);
      for (const { job_id } of answer.jobs) {
        assert.equal((await waitForJob(owner, project_id, job_id)).status, "completed");
      }
      const sources = (await placedChunks(owner, project_id)).map((chunk) => chunk.source_doc_id);
      assert.deepEqual(sources.toSorted(), ["a", "b", "c"]);
    });

    test("with one fault in it nothing of a batch is accepted", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const documents = [
        NOTE,
        { text: "Fine too.", source_doc_id: "fine" },
        { text: " ", source_doc_id: "x" },
      ];
      const reply = await owner.endpoint("ingestBatch", { params, body: { documents } });
      assertFault(reply, 400, /^documents\[2\]\.text: is blank/);
      assert.equal((await owner.succeed("listJobs", { params })).total, 0);
    });

    test("a batch has 1 to 1000 documents", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const params = { project_id };
      const cases: readonly [unknown, RegExp][] = [
        [{}, /^documents: missing/],
        [{ documents: {} }, /^documents: got an object/],
        [{ documents: [] }, /^documents: is empty, expected an array of 1 to 1000 documents/],
        [{ documents: Array.from({ length: 1001 }, () => NOTE) }, /^documents: has 1001 items/],
        [{ documents: [null] }, /^documents\[0\]: got null/],
      ];
      for (const [body, detail] of cases) {
        assertFault(await owner.endpoint("ingestBatch", { params, body }), 400, detail);
      }
      const documents = Array.from({ length: 1000 }, (_, at) => ({
        text: `Line ${at}.`,
        source_doc_id: `${at}`,
      }));
      const { jobs } = await owner.succeed("ingestBatch", { params, body: { documents } });
      assert.equal(new Set(jobs.map((job) => job.job_id)).size, 1000);
      const listed = await owner.succeed("listJobs", { params, query: { limit: 1000 } });
      assert.deepEqual(
        listed.jobs.map((job) => job.job_id),
        jobs.map((job) => job.job_id).reverse(),
      );
      await owner.succeed("deleteProject", { params });
    });
  });
});
