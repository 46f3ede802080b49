/** What corrections are said to change, where what they are of is named otherwise than when they were made. */
import assert from "node:assert/strict";
import type { CorrectionChange } from "../../../src/domain/correction.ts";
import type { Project } from "../../../src/domain/project.ts";
import { searchProposals } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, follow, ingest, type Scenario } from "../scenario.ts";
import { correct } from "./correction-histories.ts";
import { graphOf } from "./graph-facts.ts";

type Document = readonly [string, string];
const page = { limit: 100, offset: 0 };
const named = (type: string, name: string) => ({ type, name, also: [] });
const person = (name: string) => named("Person", name);

async function read(scenario: Scenario, project: Project, documents: readonly Document[]): Promise<void> {
  await ingest(scenario, project, documents, { graphOf });
  await follow(scenario.store, project.projectId);
}

async function make(scenario: Scenario, project: Project, changes: readonly CorrectionChange[]) {
  for (const change of changes) await correct(scenario, project, change);
  await follow(scenario.store, project.projectId);
}

/** Their chunks and later chunks, the first correction first, and how many are listed as without evidence. */
async function effectsOf({ store }: Scenario, { projectId }: Project) {
  const list = (withoutEvidence: boolean) =>
    store.listCorrections({ projectId, kind: null, withoutEvidence, newestFirst: false, page });
  const [{ corrections }, without] = [await list(false), await list(true)];
  assert.deepEqual(
    without.corrections,
    corrections.filter(({ chunks }) => chunks === 0),
  );
  assert.equal(without.total, without.corrections.length);
  return corrections.map(({ chunks, laterChunks }) => `${chunks} ${laterChunks}`);
}

/** Whitlock is called Tom, and Tom is called Thomas. */
const chain: readonly CorrectionChange[] = [
  { kind: "rename", entity: person("Whitlock"), name: "Tom" },
  { kind: "rename", entity: person("Tom"), name: "Thomas" },
];

export const correctionEffectBehaviours: readonly Behaviour[] = [
  [
    "a chain of renames has no effect where the reading gives its names another type and leaves the former one in proposals",
    async (scenario) => {
      const made = await scenario.project();
      await read(scenario, made, [["a", "Whitlock Tom;Ann>knows>Tom"]]);
      await make(scenario, made, chain);
      assert.deepEqual(await effectsOf(scenario, made), ["1 0", "2 0"]);
      await read(scenario, made, [["a", "Customer:Whitlock Customer:Tom;Ann;Ann>>knows>Tom"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["0 0", "0 0"]);
      // A person of another project does not count.
      await read(scenario, await scenario.project(), [["a", "Thomas"]]);
      await read(scenario, made, [["b", "Ann;Ann>>knows>Whitlock"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["0 0", "0 0"]);
      await read(scenario, made, [["c", "Thomas"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["1 1", "2 2"], "the proposals are of Thomas");
      const { projectId } = made;
      const { proposals } = await searchProposals(scenario.store, {
        ...{ projectId, type: null, entityId: null, page },
      });
      assert.deepEqual(
        proposals.map(({ target }) => target.entityId !== null),
        [true],
      );
    },
  ],
  [
    "a form that is derived from a name is no effect of a rename unless an entity has the new name",
    async (scenario) => {
      const made = await scenario.project();
      await read(scenario, made, [["a", "Tom"]]);
      await make(scenario, made, chain);
      await read(scenario, made, [["a", "Customer:Tom;MrTom;MrTom?Tom"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["0 0", "0 0"]);
      await read(scenario, made, [["b", "Tom"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["0 0", "2 2"]);
    },
  ],
  [
    "only later corrections lead on from a name, and each kind that gives names is told by what it gives",
    async (scenario) => {
      const made = await scenario.project();
      await make(scenario, made, [
        { kind: "merge", entity: person("Tom"), into: { type: "Person", name: "Thomas" } },
        { kind: "rename", entity: person("Whitlock"), name: "Tom" },
        { kind: "retype", entity: person("Jon"), type: "Customer" },
        { kind: "split", entity: person("Eve"), documents: ["a"], into: { type: "Person", name: "Eva" } },
      ]);
      const proposals = ["Tom", "Whitlock", "Jon", "Eve"].map((name) => `Ann>>knows>${name}`);
      await read(scenario, made, [["a", ["Ann", ...proposals].join(";")]]);
      assert.deepEqual(await effectsOf(scenario, made), ["0 0", "0 0", "0 0", "0 0"]);
      await read(scenario, made, [["b", "Thomas;Customer:Jon;Eva"]]);
      assert.deepEqual(await effectsOf(scenario, made), ["1 1", "0 0", "1 1", "1 1"]);
    },
  ],
];
