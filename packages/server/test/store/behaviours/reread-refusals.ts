import assert from "node:assert/strict";
import { type Behaviour, ingest, rowBytes } from "../scenario.ts";
import { NOW, start, stateOf, work } from "./rereads.ts";

export const rereadRefusalBehaviours: readonly Behaviour[] = [
  [
    "the limits of the account hold",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
        ["c", "three"],
      ]);
      await scenario.accept(project, [["d", "four"]]);
      const refused = async (limits: object) => (await start(scenario, project, limits)).kind;
      assert.equal(await refused({ requestsPerMinute: 0 }), "rate_limited");
      assert.equal(await refused({ tokenLimit: 3 }), "token_limit");
      assert.equal(await refused({ maxPendingJobs: 1 }), "too_many_pending");
      assert.equal(await refused({ accountId: "another" }), "project_gone");
      assert.equal(await store.findReread({ projectId }), null);
      const stored = { maxStoredBytes: rowBytes("a", "b", "c", "d") + 3 + 3 + 5 + 4 };
      assert.equal(await refused({ maxPendingJobs: 3, requestsPerMinute: 1, ...stored }), "accepted");
      assert.equal((await store.listJobs({ projectId, page: { limit: 99, offset: 0 } })).length, 4 + 2);
      const next = await scenario.accept(project, [], { requestsPerMinute: 1, now: NOW });
      assert.equal(next.outcome.kind, "rate_limited");
      assert.deepEqual(await work(scenario), ["d", "a", "b", "c"]);
    },
  ],
  [
    "a project that is being moved to another space is not read again",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      await ingest(scenario, project, [["a", "one"]]);
      const to = { model: "other", dimensions: 2 };
      await store.startReembedding({ projectId, accountId, to, now: NOW });
      assert.deepEqual(await start(scenario, project), { kind: "moving" });
      await store.cancelReembedding({ projectId, now: NOW });
      assert.deepEqual(await start(scenario, project), { kind: "accepted" });
    },
  ],
  [
    "a project without documents has been read at once",
    async (scenario) => {
      const project = await scenario.project();
      await start(scenario, project);
      assert.deepEqual(await stateOf(scenario, project), ["completed", 0, 0, 0]);
      await scenario.clear();
      assert.equal(await scenario.store.findReread({ projectId: project.projectId }), null);
    },
  ],
];
