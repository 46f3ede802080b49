import assert from "node:assert/strict";
import { type Behaviour, chunkOf, ingest, month, type Scenario, TEST_SPACE } from "../scenario.ts";

const bytes = new Uint8Array([1, 2, 3, 4]);

export const mergingBehaviours: readonly Behaviour[] = [
  [
    "projects with many segments are offered for merging",
    async (scenario) => {
      const { store } = scenario;
      const projectId = await fragmented(scenario, 3);
      assert.deepEqual(await store.listMergeCandidates({ minSegments: 3, limit: 10 }), []);
      assert.deepEqual(await store.listMergeCandidates({ minSegments: 2, limit: 10 }), [projectId]);
      assert.deepEqual(await store.listMergeCandidates({ minSegments: 2, limit: 0 }), []);
    },
  ],
  [
    "a project found to need no merge is offered again when it has changed, behind those not looked at",
    async (scenario) => {
      const { store } = scenario;
      const list = () => store.listMergeCandidates({ minSegments: 1, limit: 2 });
      const ids = [
        await fragmented(scenario, 4),
        await fragmented(scenario, 3),
        await fragmented(scenario, 2),
      ];
      const [a = "", b = "", c = ""] = ids.toSorted();
      assert.deepEqual(await list(), [a, b]);
      for (const projectId of [a, b]) await check(scenario, projectId);
      assert.deepEqual(await list(), [c]);
      for (const projectId of [b, a]) await change(scenario, projectId);
      assert.deepEqual(await list(), [c, a]);
      // What was found of an older state does not hold for this one.
      const { indexVersion = 0 } = (await store.readIndexState({ projectId: a })) ?? {};
      await store.markMergeChecked({ projectId: a, indexVersion: indexVersion - 1 });
      assert.deepEqual(await list(), [c, b]);
      await check(scenario, c);
      assert.deepEqual(await list(), [b, a]);
      await store.markMergeChecked({ projectId: scenario.id("project"), indexVersion: 1 });
    },
  ],
  [
    "a project that was merged stands behind the others",
    async (scenario) => {
      const { store } = scenario;
      const ids = [await fragmented(scenario, 3), await fragmented(scenario, 3)];
      const [first = "", second = ""] = ids.toSorted();
      const list = () => store.listMergeCandidates({ minSegments: 1, limit: 1 });
      assert.deepEqual(await list(), [first]);
      const merge = { segmentIds: [1, 2], bytes, chunkCount: 2, droppedVersions: [] };
      assert.equal(await store.replaceSegments({ ...merge, projectId: first }), true);
      assert.deepEqual(await list(), [second]);
    },
  ],
  [
    "a mostly dead segment is offered before many segments, and neither kind takes all places",
    async (scenario) => {
      const { store } = scenario;
      const list = async (limit: number) =>
        new Set(await store.listMergeCandidates({ minSegments: 2, limit }));
      const many: string[] = [];
      for (const _ of [1, 2, 3]) many.push(await fragmented(scenario, 3));
      const worn = [await mostlyDead(scenario), await mostlyDead(scenario), await mostlyDead(scenario)];
      const [firstMany = ""] = many.toSorted();
      const [firstWorn = "", secondWorn = ""] = worn.toSorted();
      assert.deepEqual(await list(1), new Set([firstWorn]));
      assert.deepEqual(await list(2), new Set([firstWorn, firstMany]));
      assert.deepEqual(await list(3), new Set([firstWorn, secondWorn, firstMany]));
      assert.deepEqual(await list(9), new Set([...worn, ...many]));
      for (const projectId of many) await check(scenario, projectId);
      assert.deepEqual(await list(2), new Set([firstWorn, secondWorn]));
    },
  ],
];

/** A project with so many segments of one document each. */
async function fragmented(scenario: Scenario, segments: number): Promise<string> {
  const project = await scenario.project();
  const documents = Array.from({ length: segments }, (_, index) => [`d${index}`, `w${index}`] as const);
  await ingest(scenario, project, documents);
  return project.projectId;
}

/** A project with a segment two of whose three chunks are dead. */
async function mostlyDead(scenario: Scenario): Promise<string> {
  const { store } = scenario;
  const project = await scenario.project();
  const { projectId } = project;
  await scenario.accept(project, [
    ["a", "one two"],
    ["b", "three"],
  ]);
  const held = await scenario.claim({ maxJobs: 2 });
  const chunks = [[chunkOf("one", 0), chunkOf("two", 1)], [chunkOf("three", 0)]];
  const parts = held.jobs.map(({ jobId, versionId }, index) => ({
    jobId,
    versionId,
    chunks: chunks[index] ?? [],
    tokens: 0,
    finished: true,
  }));
  const outcome = await store.commitBatch({
    space: TEST_SPACE,
    projectId,
    leaseToken: held.leaseToken,
    now: 3_000,
    leaseUntil: 9_000,
    segment: bytes,
    parts,
    tokenLimit: null,
    month,
  });
  assert.equal(outcome, "committed");
  await ingest(scenario, project, [["a", "new"]]);
  return projectId;
}

async function check({ store }: Scenario, projectId: string): Promise<void> {
  const state = await store.readIndexState({ projectId });
  await store.markMergeChecked({ projectId, indexVersion: state?.indexVersion ?? 0 });
}

async function change(scenario: Scenario, projectId: string): Promise<void> {
  const project = await scenario.store.findProject({ projectId });
  assert(project);
  await ingest(scenario, project, [[scenario.id("document"), "changed"]]);
}
