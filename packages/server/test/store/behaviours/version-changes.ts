/** What is seen while the graph follows a large change in steps; `longGraphOf` makes a step of each chunk. */
import assert from "node:assert/strict";
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import type { ChunkGraph } from "../../../src/ports/graph-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { listDocuments } from "../../../src/services/document-list.ts";
import { type Behaviour, commit, leaseMs, rowBytes, type Scenario, visibleWords } from "../scenario.ts";
import { longGraphOf } from "./graph-facts.ts";
import { start } from "./rereads.ts";

const NOW = 5_000;
const OLD = "Ada;Ada>knows>Bob;!old Bob;Bob.age=9 Cleo;Cleo<Ada";
const NEW = "Ada Dora;Dora>knows>Ada Emil";
const page = { limit: 100, offset: 0 };

function subjectGraphOf(chunk: EmbeddedChunk): ChunkGraph {
  const subjects = chunk.text.startsWith("Ada") ? [{ name: "ada", kind: "title" as const }] : [];
  return { ...longGraphOf(chunk), subjects };
}

/** Ingests a document up to the last batch, and returns its outcome. */
async function ingest(scenario: Scenario, project: Project, [id, text]: readonly [string, string]) {
  const { jobIds } = await scenario.accept(project, [[id, text]]);
  const held = await scenario.claim({ now: NOW });
  const outcome = await commit(scenario.store, held, { graphOf: subjectGraphOf, now: NOW });
  return { outcome, held, jobId: jobIds[0] ?? "" };
}
type Project = Awaited<ReturnType<Scenario["project"]>>;

/** The number of steps until nothing is left. */
async function finish(store: Store, projectId: string): Promise<number> {
  for (let steps = 1; ; steps++) {
    assert.ok(steps < 20);
    if (!(await store.applyVersionChanges({ projectId, now: NOW }))) return steps;
  }
}

const keysOf = async (store: Store, projectId: string) =>
  (await store.listEntities({ projectId, page })).entities.map(({ key }) => key);

const statusOf = async ({ store }: Scenario, { projectId }: Project, jobId: string) =>
  (await store.findJob({ projectId, jobId }))?.status;

/** Everything that is told about where entities and relationships are from, as versions of chunks. */
async function evidenceIn(store: Store, projectId: string): Promise<ReadonlySet<number>> {
  const listed = (await store.listEntities({ projectId, page })).entities;
  const entityIds = listed.map(({ entityId }) => entityId);
  const passages = Array.from({ length: 30 }, (_, at) => ({ versionId: 1 + (at % 6), position: at % 5 }));
  const about = await store.findAbout({ projectId, names: ["ada"], maxPerName: 9 });
  const perEntity = entityIds.map(async (entityId) => [
    ...(await store.readEntityEvidence({ projectId, entityId, limit: 99 })),
    ...(await store.readMentionsAround({ projectId, entityId, limit: 99 })),
  ]);
  const places = [
    ...(await store.readEntities({ projectId, entityIds })).flatMap(({ mentions, properties }) => [
      ...mentions,
      ...properties.flatMap((property) => property.places),
    ]),
    ...(await store.findRelationships({ projectId, entityIds, limit: 99 })).flatMap(
      ({ evidence }) => evidence,
    ),
    ...(await store.listChunksOf({ projectId, entityIds })),
    ...(await store.findEntitiesIn({ projectId, passages, limit: 99 })),
    ...[...about.values()].flatMap((found) => found.passages),
    ...(await Promise.all(perEntity)).flat(),
  ];
  return new Set(places.map(({ versionId }) => versionId));
}

export const versionChangeBehaviours: readonly Behaviour[] = [
  [
    "what is left of a large change does not hold up another account's",
    async (scenario) => {
      const { store } = scenario;
      const words = (count: number) =>
        Array.from({ length: count }, (_, at) => `Ada${at};Ada${at}>knows>Bob`).join(" ");
      const [large, small] = [await scenario.project(), await scenario.project()];
      const left = await ingest(scenario, large, ["a", words(12)]);
      const other = await ingest(scenario, small, ["b", words(3)]);
      const stepsUntilDone = async (project: Project, jobId: string) => {
        for (let steps = 0; ; steps++) {
          if ((await statusOf(scenario, project, jobId)) === "completed") return steps;
          assert.ok(steps < 40);
          await store.reclaim({ now: NOW, maxPages: 0 });
        }
      };
      const first = await stepsUntilDone(small, other.jobId);
      assert.ok(first > 0 && first <= 4, `${first} steps`);
      assert.notEqual(await statusOf(scenario, large, left.jobId), "completed");
      assert.ok((await stepsUntilDone(large, left.jobId)) > 4);
    },
  ],
  [
    "nothing that is read is from a deleted document, while the graph still follows",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      await ingest(scenario, project, ["a", OLD]);
      await finish(store, projectId);
      await ingest(scenario, project, ["b", "Bob"]);
      assert.deepEqual([...(await evidenceIn(store, projectId))].sort(), [1, 2]);
      const deletion = { projectId, sourceDocId: "a", now: NOW, errorMessage: "deleted" };
      assert.equal(await store.deleteDocument(deletion), "deleted");

      assert.ok((await keysOf(store, projectId)).includes("ada"), "The graph has followed at once.");
      assert.deepEqual([...(await evidenceIn(store, projectId))], [2]);
      assert.deepEqual((await store.findByEnds({ projectId, ends: ["ada"], maxPerEnd: 9 })).size, 0);
      assert.deepEqual(await store.readFitReport({ projectId, limit: 9 }), []);
      assert.deepEqual(await visibleWords(store, projectId), { b: ["Bob"] });
      assert.equal((await listDocuments(store, projectId, { search: null, ...page })).total, 1);
      assert.equal(await store.readDocument({ projectId, sourceDocId: "a" }), null);
      assert.equal(await store.readChunkContext({ projectId, versionId: 1, position: 0 }), null);
      assert.equal(await store.countChunks({ projectId }), 1);
      const { storedBytes } = await store.readAccountUse({ accountId, month: "2031-04" });
      assert.equal(storedBytes, "Bob".length + rowBytes("b"));

      assert.equal(await finish(store, projectId), 2);
      assert.deepEqual(await keysOf(store, projectId), ["bob"]);
    },
  ],
  [
    "a replaced document has its new text at once; its job ends when the graph has followed, with the counts of all steps",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, ["a", OLD]);
      await finish(store, projectId);
      const { outcome, jobId } = await ingest(scenario, project, ["a", NEW]);
      assert.equal(outcome, "changes_left");
      assert.deepEqual(await visibleWords(store, projectId), { a: NEW.split(" ") });
      assert.deepEqual([...(await evidenceIn(store, projectId))], [2]);
      assert.equal(await statusOf(scenario, project, jobId), "running");
      assert.equal(await store.cancelJob({ projectId, jobId, now: NOW }), "completed");

      assert.equal(await finish(store, projectId), 5);
      const job = await store.findJob({ projectId, jobId });
      assert.deepEqual([job?.status, job?.chunksProcessed], ["completed", 3]);
      assert.deepEqual([job?.nodesCreated, job?.edgesCreated], [2, 1]);
      assert.deepEqual(await keysOf(store, projectId), ["ada", "dora", "emil"]);
      assert.equal((await store.findAbout({ projectId, names: ["ada"], maxPerName: 9 })).size, 1);
    },
  ],
  [
    "upkeep takes the steps that a process left when it ended, and ends the job",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const isDue = async () => (await store.nextUpkeep({ now: NOW, minSegments: 99 })).readyNow;
      assert.equal(await isDue(), false);
      const { jobId } = await ingest(scenario, project, ["a", OLD]);
      assert.equal(await statusOf(scenario, project, jobId), "running");
      assert.equal(await isDue(), true);
      for (let rounds = 0; await store.reclaim({ now: NOW, maxPages: 0 }); rounds++) assert.ok(rounds < 20);
      assert.equal(await statusOf(scenario, project, jobId), "completed");
      assert.equal(await isDue(), false);
    },
  ],
  [
    "a job that is claimed again goes on with the version that it has switched in, and ends",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, ["a", OLD]);
      await finish(store, projectId);
      await start(scenario, project);
      const held = await scenario.claim({ now: NOW });
      assert.equal(await commit(store, held, { graphOf: subjectGraphOf, now: NOW }), "changes_left");
      const later = NOW + leaseMs + 1;
      const again = await scenario.claim({ now: later });
      const [job] = again.jobs;
      assert.equal(job?.versionId, held.jobs[0]?.versionId);
      assert.deepEqual([job?.nextPosition, job?.replacesVersionId], [3, null]);
      // Cancelled in between, the reread keeps what it has switched in.
      assert.equal(await store.cancelReread({ projectId, now: later }), "cancelled");
      assert.equal(await commit(store, again, { now: later }), "changes_left");
      await finish(store, projectId);
      assert.deepEqual(await visibleWords(store, projectId), { a: OLD.split(" ") });
      assert.deepEqual(await keysOf(store, projectId), ["ada", "bob", "cleo"]);
      assert.equal(await statusOf(scenario, project, job?.jobId ?? ""), "completed");
      assert.deepEqual((await scenario.claim({ now: later })).jobs, []);
    },
  ],
  [
    "a document that is deleted before the graph has followed its ingest, and sent again, is there once",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      const first = await ingest(scenario, project, ["a", OLD]);
      const deletion = { projectId, sourceDocId: "a", now: NOW, errorMessage: "deleted" };
      await store.deleteDocument(deletion);
      assert.equal(await statusOf(scenario, project, first.jobId), "failed");
      const second = await ingest(scenario, project, ["a", NEW]);
      await finish(store, projectId);
      assert.equal(await statusOf(scenario, project, second.jobId), "completed");
      assert.deepEqual(await keysOf(store, projectId), ["ada", "dora", "emil"]);
      await store.deleteDocument(deletion);
      await store.deleteProject({ projectId });
      assert.equal(await store.applyVersionChanges({ projectId, now: NOW }), false);
    },
  ],
  [
    "a replacement that was cancelled before its switch takes nothing out of the graph",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, ["a", "Ada;Ada.age=9"]);
      const { jobIds } = await scenario.accept(project, [["a", "Ada;Ada.age=9 Bob"]]);
      const held = await scenario.claim({ now: NOW });
      await commit(store, held, { graphOf: subjectGraphOf, count: 1, now: NOW });
      await store.cancelJob({ projectId, jobId: jobIds[0] ?? "", now: NOW });
      await finish(store, projectId);
      const listed = (await store.listEntities({ projectId, page })).entities;
      const entityIds = listed.map(({ entityId }) => entityId);
      const [ada, ...others] = await store.readEntities({ projectId, entityIds });
      assert.deepEqual(others, []);
      assert.deepEqual(
        ada?.properties.map(({ value, chunks }) => [value, chunks]),
        [["9", 1]],
      );
    },
  ],
];
