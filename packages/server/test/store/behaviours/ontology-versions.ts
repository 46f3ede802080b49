import assert from "node:assert/strict";
import { NO_FACTS } from "../../../src/domain/ontology/allowed-facts.ts";
import type { Project } from "../../../src/domain/project.ts";
import { type Behaviour, commit, ingest, month, type Scenario } from "../scenario.ts";
import { NOW, start, work } from "./rereads.ts";

const replace = (
  { store }: Scenario,
  { accountId, ontologyId }: { accountId: string; ontologyId: string },
  schemaJson: string,
  maxStoredBytes: number | null = null,
) =>
  store.addOntologyVersion({
    ...{ accountId, ontologyId, name: "Types", schemaJson },
    allowedFacts: NO_FACTS,
    now: NOW,
    maxStoredBytes,
  });

const bind = (
  { store }: Scenario,
  { projectId, accountId }: Project,
  { ontologyId, version }: { ontologyId: string; version: number },
  maxPendingJobs: number | null = null,
  isSame = false,
) =>
  store.bindOntology({
    names: { nodes: [], edges: [] },
    maxCorrectionBytes: 1e9,
    ...{ projectId, accountId, ontologyId, version, isSame, now: NOW, month },
    ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs, maxStoredBytes: null },
  });

/** A project that is bound to an ontology of two versions: `{}` and `{"b":1}`. */
async function boundProject(scenario: Scenario) {
  const ontologyId = scenario.id("ontology");
  const project = await scenario.project({ ontologyId });
  const key = { accountId: project.accountId, ontologyId };
  assert.equal((await replace(scenario, key, '{"b":1}')).kind, "added");
  return { project, key };
}

export const ontologyVersionBehaviours: readonly Behaviour[] = [
  [
    "what was compared with an ontology that the project is not bound to any more binds nothing",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { projectId, accountId } = project;
      const move = (ontologyVersion: number) =>
        store.bindOntology({
          names: { nodes: [], edges: [] },
          maxCorrectionBytes: 1e9,
          ...{ projectId, ...key, version: 2, isSame: true, now: NOW, month, accountId },
          follows: { ontologyId: key.ontologyId, ontologyVersion },
          ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
        });
      assert.deepEqual(await move(2), { kind: "bound_otherwise" });
      assert.equal((await store.findProject({ projectId }))?.ontologyVersion, 1);
      assert.deepEqual(await move(1), { kind: "bound" });
      assert.deepEqual(await move(1), { kind: "bound_otherwise" });
    },
  ],
  [
    "a version under which texts are read alike needs no reread, unless the last one left documents out",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one"]]);
      const move = (version: number) => bind(scenario, project, { ...key, version }, null, true);
      assert.deepEqual(await move(2), { kind: "bound" });
      assert.equal((await store.findProject({ projectId }))?.ontologyVersion, 2);
      assert.equal(await store.findReread({ projectId }), null);
      assert.deepEqual(await bind(scenario, project, { ...key, version: 1 }), { kind: "accepted" });
      assert.deepEqual(await move(2), { kind: "rereading" });
      assert.equal(await store.cancelReread({ projectId, now: NOW }), "cancelled");
      assert.deepEqual(await move(2), { kind: "accepted" });
      assert.deepEqual(await work(scenario), ["a"]);
      assert.deepEqual(await move(1), { kind: "bound" });
    },
  ],
  [
    "a version that is made from another follows only that one",
    async (scenario) => {
      const { key } = await boundProject(scenario);
      const follow = (schemaJson: string, follows: number) =>
        scenario.store.addOntologyVersion({
          ...{ ...key, name: "Types", schemaJson, allowedFacts: NO_FACTS, now: NOW },
          ...{ maxStoredBytes: null, follows },
        });
      assert.deepEqual(await follow('{"c":1}', 1), { kind: "changed" });
      assert.equal((await follow('{"c":1}', 2)).kind, "added");
      assert.deepEqual(await follow('{"d":1}', 2), { kind: "changed" });
      assert.equal((await scenario.store.listOntologyVersions(key)).length, 3);
    },
  ],
  [
    "a project keeps its version of an ontology until it is bound to another, and jobs have the present one",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one"]]);
      assert.deepEqual(await store.readOntologyOf({ projectId }), {
        ontologyId: key.ontologyId,
        schemaJson: "{}",
      });
      await scenario.accept(project, [["b", "two"]]);
      assert.deepEqual(await bind(scenario, project, { ...key, version: 2 }), { kind: "accepted" });
      const found = await store.findProject({ projectId });
      assert.equal(found?.ontologyVersion, 2);
      const held = await scenario.claim({ now: NOW });
      assert.deepEqual(held.jobs[0]?.ontology, { ontologyId: `${key.ontologyId}@2`, schemaJson: '{"b":1}' });
      assert.equal(await commit(store, held, { tokens: 0, now: NOW }), "committed");
      assert.deepEqual(await work(scenario), ["a"]);
      assert.equal((await store.findReread({ projectId }))?.status, "completed");
    },
  ],
  [
    "a project that is being worked on is not bound to another version",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const second = { ...key, version: 2 };
      await scenario.accept(project, [["a", "one"]]);
      const held = await scenario.claim({ now: NOW });
      assert.deepEqual(await bind(scenario, project, second), { kind: "working" });
      assert.equal(await commit(store, held, { tokens: 0, now: NOW }), "committed");
      await start(scenario, project);
      assert.deepEqual(await bind(scenario, project, second), { kind: "rereading" });
      await work(scenario);
      const { projectId, accountId } = project;
      await store.startReembedding({
        ...{ projectId, accountId, now: NOW },
        to: { model: "other", dimensions: 2 },
      });
      assert.deepEqual(await bind(scenario, project, second), { kind: "moving" });
      await store.cancelReembedding({ projectId, now: NOW });
      assert.deepEqual(await bind(scenario, project, { ...key, version: 3 }), { kind: "ontology_gone" });
      assert.deepEqual(await bind(scenario, { ...project, accountId: "another" }, second), {
        kind: "project_gone",
      });
      assert.equal((await store.findProject({ projectId }))?.ontologyVersion, 1);
      assert.deepEqual(await bind(scenario, project, second), { kind: "accepted" });
    },
  ],
  [
    "a text that was half read under one version is read from its beginning under another",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { projectId, accountId } = project;
      await ingest(scenario, project, [["b", "zero"]]);
      await ingest(scenario, project, [["a", "one two"]]);
      const { jobIds } = await scenario.accept(project, [["a", "three four"]], { now: NOW });
      const held = await scenario.claim({ now: NOW });
      await commit(store, held, { count: 1, now: NOW });
      const failure = { projectId, leaseToken: held.leaseToken, now: NOW, errorMessage: "broken" };
      await store.failJobs({ ...failure, jobIds, retryAt: null });
      // The reread has one job at a time: none for the document when its job is retried.
      const bound = await bind(scenario, project, { ...key, version: 2 }, 1);
      assert.equal(bound.kind, "accepted");
      const retried = await store.retryJob({
        ...{ projectId, accountId, failedJobId: jobIds[0] ?? "", jobId: scenario.id("job"), now: NOW, month },
        ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
      });
      assert.equal(retried.kind, "accepted");
      for (;;) {
        const next = await scenario.claim({ now: NOW });
        const [job] = next.jobs;
        if (job === undefined) break;
        assert.equal(job.nextPosition, 0, job.sourceDocId);
        await commit(store, next, { now: NOW });
      }
    },
  ],
  [
    "versions are listed newest first, counted as stored bytes, and limited in number",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { accountId } = key;
      const bytes = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      assert.equal(await bytes(), 2 + 7);
      assert.equal((await replace(scenario, key, '{"b":1}')).kind, "unchanged");
      assert.equal((await replace(scenario, key, '{"c":1}', 2 + 7 + 6)).kind, "too_many_bytes");
      assert.equal((await replace(scenario, { ...key, accountId: "another" }, "{}")).kind, "not_found");
      const { ontologyId } = key;
      const first = await store.findOntology({ accountId, ontologyId, version: 1 });
      assert.deepEqual([first?.schemaJson, first?.version], ["{}", 1]);
      assert.equal((await store.findOntology({ accountId, ontologyId }))?.version, 2);
      assert.equal(await store.findOntology({ accountId, ontologyId, version: 3 }), null);
      for (let version = 3; version <= 100; version++)
        assert.equal((await replace(scenario, key, `{"v":${version}}`)).kind, "added");
      assert.equal((await replace(scenario, key, "{}")).kind, "too_many_versions");
      const listed = await store.listOntologyVersions({ accountId, ontologyId });
      assert.deepEqual(
        [listed.length, listed[0]?.version, listed.at(-1)],
        [100, 100, { version: 1, name: "Types", createdAt: 1, projects: 1 }],
      );
      assert.deepEqual(await store.deleteOntology({ accountId, ontologyId }), { kind: "bound", projects: 1 });
      await store.deleteProject(project);
      assert.equal((await store.listOntologyVersions({ accountId, ontologyId })).length, 100);
    },
  ],
  [
    "an ontology is gone with its first step of deletion, and upkeep removes what is left of it",
    async (scenario) => {
      const { store } = scenario;
      const { project, key } = await boundProject(scenario);
      const { accountId } = key;
      for (let version = 3; version <= 60; version++)
        assert.equal((await replace(scenario, key, `{"v":${version}}`)).kind, "added");
      const bytes = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      await store.deleteProject(project);
      const before = await bytes();
      assert.deepEqual(await store.deleteOntology(key), { kind: "deleted" });
      assert.deepEqual(await store.deleteOntology(key), { kind: "not_found" });
      assert.equal(await store.createProject({ project, maxPerAccount: 10 }), "ontology_gone");
      for (const version of [1, 30, 60]) assert.equal(await store.findOntology({ ...key, version }), null);
      assert.deepEqual(await store.listOntologyVersions(key), []);
      assert.equal((await replace(scenario, key, "{}")).kind, "not_found");
      const left = await bytes();
      assert.ok(left > 0 && left < before, `${left} of ${before} bytes are left`);
      assert.equal((await store.nextUpkeep({ now: NOW, minSegments: 8 })).readyNow, true);
      for (let steps = 0; await store.reclaim({ now: NOW, maxPages: 0 }); steps++) assert.ok(steps < 50);
      assert.equal(await bytes(), 0);
      // Nothing of a deletion that was refused is done.
      assert.deepEqual(await store.deleteOntology({ ...key, ontologyId: "none" }), { kind: "not_found" });
      assert.equal(await store.reclaim({ now: NOW, maxPages: 0 }), false);
    },
  ],
];
