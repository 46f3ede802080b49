import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import { createProject, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { refuse } from "../support/model-server/behaviour.ts";
import { environmentOf, type Gate, NEW_MODEL, startGate, waitForMove } from "../support/reembedding.ts";
import { describeOnBoth, useService } from "../support/service.ts";

describeOnBoth((setting) => {
  let gate: Gate;
  const settings: Record<string, string> = { KCS_INGEST_PER_MINUTE: "20" };
  before(async () => {
    gate = await startGate();
    Object.assign(settings, environmentOf(gate.server));
  });
  afterEach(() => {
    gate.misbehave(null);
    gate.hold(null);
  });
  after(() => gate.close());
  const use = useService(setting, settings);

  /** Whose texts are embedded by the provider of this test. */
  const gatedProject = async (owner: Client) => {
    const project_id = await createProject(owner);
    await owner.succeed("reembedProject", { params: { project_id }, body: { embedding: NEW_MODEL.name } });
    await waitForMove(owner, project_id);
    return project_id;
  };

  const send = async (owner: Client, project_id: string, ids: readonly string[]) => {
    const documents = ids.map((id) => ({ source_doc_id: id, text: `The quay ${id} is wide.` }));
    const { jobs } = await owner.succeed("ingestBatch", { params: { project_id }, body: { documents } });
    return jobs.map(({ job_id }) => job_id);
  };

  test("failed jobs are counted by reason, and retried together as one request", async () => {
    const { owner } = use();
    const project_id = await gatedProject(owner);
    const params = { project_id };
    await ingestAll(owner, project_id, [{ source_doc_id: "good", text: "The pier is long." }]);
    gate.misbehave(() => refuse(400, "No."));
    for (const id of await send(owner, project_id, ["a", "b", "c"])) await waitForJob(owner, project_id, id);
    const state = await owner.succeed("getQueue", { params });
    assert.deepEqual([state.pending, state.running, state.completed, state.failed], [0, 0, 1, 3]);
    assert.deepEqual([state.jobs_per_minute, state.seconds_left], [null, null]);
    assert.deepEqual(
      state.failures.map(({ jobs, can_retry }) => [jobs, can_retry]),
      [[3, true]],
    );
    const [reason] = state.failures;
    const listed = await owner.succeed("listJobs", { params, query: { status: "failed", limit: 2 } });
    assert.deepEqual(
      listed.jobs.map(({ source_doc_id }) => source_doc_id),
      ["c", "b"],
    );

    gate.misbehave(null);
    const none = await owner.succeed("retryJobs", { params, body: { error_message: "another" } });
    assert.deepEqual(none, { jobs: [], left: 0 });
    const reply = await owner.endpoint("retryJobs", {
      params,
      body: { error_message: reason?.error_message ?? "" },
    });
    assert.match(String(reply.headers["ratelimit"]), /r=\d+/);
    const retried: { jobs: { job_id: string }[]; left: number } = JSON.parse(reply.text);
    assert.deepEqual([retried.jobs.length, retried.left], [3, 0]);
    for (const { job_id } of retried.jobs)
      assert.equal((await waitForJob(owner, project_id, job_id)).status, "completed");
    assert.deepEqual((await owner.succeed("getQueue", { params })).failures, []);
    assert.deepEqual(await owner.succeed("retryJobs", { params }), { jobs: [], left: 0 });
  });

  test("a batch has the jobs that came since none was unfinished, also those that were sent while it was worked on", async () => {
    const { owner } = use();
    const project_id = await gatedProject(owner);
    const batchOf = async () => (await owner.succeed("getQueue", { params: { project_id } })).batch;
    assert.deepEqual(await batchOf(), { completed: 0, failed: 0 });
    await ingestAll(owner, project_id, [
      { source_doc_id: "a", text: "The pier is long." },
      { source_doc_id: "b", text: "The pier is old." },
    ]);
    assert.deepEqual(await batchOf(), { completed: 2, failed: 0 });
    gate.hold(/quay c/);
    const [held = ""] = await send(owner, project_id, ["c"]);
    assert.deepEqual(await batchOf(), { completed: 0, failed: 0 });
    gate.misbehave(({ inputs }) =>
      inputs.some((text) => text.includes("quay d")) ? refuse(400, "No.") : null,
    );
    const [refused = ""] = await send(owner, project_id, ["d"]);
    gate.hold(null);
    await waitForJob(owner, project_id, refused);
    await waitForJob(owner, project_id, held);
    assert.deepEqual(await batchOf(), { completed: 1, failed: 1 });
    await ingestAll(owner, project_id, [{ source_doc_id: "e", text: "The pier is new." }]);
    assert.deepEqual(await batchOf(), { completed: 1, failed: 0 });
  });

  test("jobs that have not ended are cancelled together, and cannot be retried", async () => {
    const { owner } = use();
    const project_id = await gatedProject(owner);
    const params = { project_id };
    gate.hold(/quay/);
    const ids = await send(owner, project_id, ["a", "b", "c", "d"]);
    await waitFor("a running job", async () =>
      (await owner.succeed("getQueue", { params })).running > 0 ? true : null,
    );
    const running = await owner.succeed("listJobs", { params, query: { status: "running" } });
    assert.ok(running.jobs.length > 0 && running.jobs.every(({ status }) => status === "running"));
    const other = { project_id: await createProject(owner) };
    assert.equal((await owner.succeed("getQueue", { params: other })).others_unfinished, 4);
    assert.equal((await owner.succeed("getQueue", { params })).others_unfinished, 0);
    assert.deepEqual(await owner.succeed("cancelJobs", { params }), { cancelled: 4, left: 0 });
    for (const id of ids) {
      assert.equal((await waitForJob(owner, project_id, id)).error_message, "Cancelled");
    }
    assert.deepEqual((await owner.succeed("getQueue", { params })).failures, [
      { error_message: "Cancelled", jobs: 4, can_retry: false },
    ]);
    assert.deepEqual(await owner.succeed("retryJobs", { params }), { jobs: [], left: 0 });
    assertFault(await owner.endpoint("retryJobs", { params, body: null }), 400, /expected a JSON object/);
    assert.deepEqual(await owner.succeed("cancelJobs", { params }), { cancelled: 0, left: 0 });
    const odd = await owner.endpoint("listJobs", { params, query: { status: "lost" } });
    assertFault(odd, 400, "status: expected one of pending, running, completed, failed");
  });

  test("of two requests at once that cancel all jobs, each counts those that it has cancelled", async () => {
    const { owner } = use();
    const project_id = await gatedProject(owner);
    const params = { project_id };
    gate.hold(/quay/);
    await send(
      owner,
      project_id,
      Array.from({ length: 120 }, (_, at) => `quay ${at}`),
    );
    const both = await Promise.all([1, 2].map(() => owner.succeed("cancelJobs", { params })));
    assert.equal(
      both.reduce((sum, { cancelled }) => sum + cancelled, 0),
      120,
    );
    assert.ok(both.some(({ left }) => left === 0));
  });
});
