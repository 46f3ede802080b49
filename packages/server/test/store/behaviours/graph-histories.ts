import assert from "node:assert/strict";
import fc from "fast-check";
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import type { Project } from "../../../src/domain/project.ts";
import type { Moment } from "../../../src/domain/validity.ts";
import { createLevelReader } from "../../../src/engine/query/levels/level-reader.ts";
import type { EdgePlace, Proposal } from "../../../src/ports/graph-browser.ts";
import type { ChunkGraph } from "../../../src/ports/graph-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { searchProposals } from "../../../src/services/graph/edge-lists.ts";
import { type Claimed, commit, type Scenario, wordsOf } from "../scenario.ts";
import { longGraphOf } from "./graph-facts.ts";

const letters = "ABCDEFGHIJKLMN";
const documents = ["s", "t", "u", "v", "w", "x", "y", "z"] as const;

// Few joins among many names, and those by rule to few, so that there are several entities and some joins too many.
const person = fc.constantFrom(...letters);
const name = fc.oneof(
  { weight: 7, arbitrary: person },
  { weight: 1, arbitrary: fc.constantFrom("T:A", "T:B") },
);
const year = fc.constantFrom("", "2001", "2002-05", "2003", "2004");
const times = fc
  .tuple(year, year, year, fc.constantFrom("", "!"))
  .map(([from, to, known, sign]) => `[${from}..${to}${known === "" ? "" : `@${known}`}${sign}]`);
const fact = fc.oneof(
  { weight: 2, arbitrary: person.map((one) => `Thing:${one}`) },
  { weight: 1, arbitrary: person.map((one) => `City:${one}`) },
  {
    weight: 3,
    arbitrary: fc.tuple(person, fc.boolean()).map(([one, low]) => (low ? one.toLowerCase() : one)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, fc.constantFrom("p", "q"), name).map(([a, edge, b]) => `${a}>${edge}>${b}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, fc.constantFrom("p", "q"), name).map(([a, edge, b]) => `${a}>>${edge}>${b}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(person, fc.constantFrom("p", "q"), times, person)
      .map(([a, edge, time, b]) => `${a}>${edge}${time}>${b}`),
  },
  { weight: 1, arbitrary: fc.tuple(person, person).map(([a, b]) => `${a}~${b}`) },
  { weight: 4, arbitrary: fc.tuple(person, fc.constantFrom("A", "B")).map(([a, b]) => `${a};${a}?${b}`) },
  { weight: 2, arbitrary: person.map((a) => [a, ...[..."CDEFG"].map((b) => `${a}?${b}`)].join(";")) },
  { weight: 1, arbitrary: fc.tuple(name, fc.constantFrom("1", "2")).map(([a, value]) => `${a}.v=${value}`) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("T:A", "T:B"), person).map(([a, b]) => `${a}<${b}`) },
  { weight: 1, arbitrary: fc.constantFrom("!u", "!v") },
);
const word = fc.array(fact, { minLength: 1, maxLength: 2 }).map((facts) => facts.join(";"));
/** An empty text removes what its document said. */
const text = fc.array(word, { maxLength: 3 }).map((words) => words.join(" "));

export const step = fc.record({
  document: fc.constantFrom(...documents),
  text,
  /** Words in a batch. */
  batch: fc.integer({ min: 1, max: 3 }),
  /** Gives up after so many batches. */
  batches: fc.constantFrom(1, 2, 9, 9, 9),
  /** Deletes the document instead. */
  isDeletion: fc.constantFrom(false, false, false, false, true),
  /** Steps after which the next command comes, even if the graph has not followed by then. */
  changes: fc.constantFrom(0, 1, 99, 99),
});

/** Random histories in one project against one ingest of what is seen in the end in another. */
export async function checkLedger(scenario: Scenario, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16, size: "max" }), async (steps) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      const deletion = { projectId, now: 3_000, errorMessage: "deleted" };
      for (const { document, isDeletion, changes, ...ingested } of steps) {
        if (isDeletion) await store.deleteDocument({ ...deletion, sourceDocId: document });
        else await ingestBatches(scenario, project, { document, ...ingested });
        await applyChanges(store, projectId, changes);
      }
      await applyChanges(store, projectId, 999);
      // Jobs that have waited until the graph followed another one of their document.
      while (await ingestNext(scenario, { batch: 99, batches: 99 }))
        await applyChanges(store, projectId, 999);
      const fresh = await scenario.project();
      for (const { document, text } of await listSeen(store, projectId)) {
        await ingestBatches(scenario, fresh, { document, text, batch: 99, batches: 99 });
        await applyChanges(store, fresh.projectId, 999);
      }
      const [grown, made] = [await dump(store, projectId), await dump(store, fresh.projectId)];
      assert.deepEqual(grown, made);
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_406, endOnFailure: true },
  );
}

export async function ingestBatches(
  scenario: Scenario,
  project: Project,
  step: { document: string; text: string } & Batches,
  graphOf?: GraphOf,
): Promise<void> {
  await scenario.accept(project, [[step.document, step.text]]);
  await ingestNext(scenario, step, graphOf);
}

export type GraphOf = (chunk: EmbeddedChunk) => ChunkGraph;

interface Batches {
  readonly batch: number;
  readonly batches: number;
}

/** False when there is no job: the document says this already, or an earlier job of it waits until the graph has followed. */
export async function ingestNext(
  scenario: Scenario,
  step: Batches,
  graphOf: GraphOf = (chunk) => longGraphOf(chunk),
): Promise<boolean> {
  const { store } = scenario;
  const claimed: Claimed = await scenario.claim();
  const [job] = claimed.jobs;
  if (job === undefined) return false;
  const { projectId } = job;
  const words = wordsOf(job.text).length;
  let from = job.nextPosition;
  for (let batch = 0; batch < step.batches; batch++) {
    const outcome = await commit(store, claimed, {
      from,
      count: step.batch,
      graphOf,
    });
    assert.match(outcome, /^(committed|changes_left)$/);
    from += step.batch;
    if (from >= words) return true;
  }
  const { leaseToken } = claimed;
  const jobIds = [job.jobId];
  await store.failJobs({ jobIds, projectId, leaseToken, now: 3_000, errorMessage: "left", retryAt: null });
  return true;
}

export async function applyChanges(store: Store, projectId: string, steps: number): Promise<void> {
  for (let left = steps; left > 0; left--) {
    if (!(await store.applyVersionChanges({ projectId, now: 3_000 }))) return;
  }
}

const keys = Array.from({ length: 80 * 4 }, (_, at) => ({
  versionId: 1 + Math.floor(at / 4),
  position: at % 4,
}));

/** The texts that are seen, in the order of their versions. */
export async function listSeen(store: Store, projectId: string) {
  const state = await store.readIndexState({ projectId });
  const hidden = new Set(state?.segments.flatMap(({ dead, staged }) => [...dead, ...staged]));
  const chunks = (await store.readChunks({ projectId, keys })).filter(
    (chunk) => chunk !== null && !hidden.has(chunk.versionId),
  );
  const versions = Map.groupBy(chunks, (chunk) => chunk?.versionId ?? 0);
  return [...versions.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, words]) => ({
      document: words[0]?.sourceDocId ?? "",
      text: words.map((chunk) => chunk?.text ?? "").join(" "),
    }));
}

const moments: readonly Moment[] = [
  { date: "2001-12", by: "request" },
  { date: "2003", by: "request" },
  { date: "2004-01-01", by: "today" },
];

/** All that the graph tells, with documents for versions and names for entities. */
export async function dump(store: Store, projectId: string) {
  const chunks = await store.readChunks({ projectId, keys });
  const documentOf = new Map(chunks.map((chunk) => [chunk?.versionId, chunk?.sourceDocId]));
  const listed = await store.listEntities({ projectId, page: { limit: 500, offset: 0 } });
  const entityIds = listed.entities.map((entity) => entity.entityId);
  const read = await store.readEntities({ projectId, entityIds });
  const nameOf = new Map(read.map((entity) => [entity.entityId, `${entity.type}:${entity.keys.join("=")}`]));
  const withNames = <T>(value: T): unknown =>
    JSON.parse(
      JSON.stringify(value, (property, inner) => {
        if (property === "versionId") return documentOf.get(inner);
        return property.endsWith("Id") ? (nameOf.get(inner) ?? inner) : inner;
      }),
    );
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  const options = { projectId, limit: 1_000 };
  const relationships = await store.findRelationships({ ...options, entityIds });
  const relationshipsAt = (asOf: Moment) => store.findRelationships({ ...options, entityIds, asOf });
  const types = await store.readGraphTypes({ projectId });
  assert.deepEqual(sorted(types.entities), sorted(countTypes(read)));
  return {
    total: listed.total,
    entities: withNames(await store.findEntitiesByKeys({ ...options, keys: [...letters.toLowerCase()] })),
    relationships: withNames(relationships),
    atMoments: withNames(await Promise.all(moments.map(relationshipsAt))),
    ...(await dumpProposals(store, { projectId, entityIds, withNames })),
    members: withNames(await store.readMembers({ ...options, entityIds })),
    levels: withNames(await levelsOf(store, projectId)),
    inside: withNames(await store.findEntitiesIn({ projectId, passages: keys, limit: 1_000 })),
    unfit: await store.readFitReport({ projectId, limit: 100 }),
    types,
  };
}

/** Listed, and page by page from the sources; and the names that are kept without being entities. */
async function dumpProposals(
  store: Store,
  input: {
    readonly projectId: string;
    readonly entityIds: readonly string[];
    readonly withNames: (value: unknown) => unknown;
  },
) {
  const { projectId, entityIds, withNames } = input;
  const told = (proposals: readonly Proposal[]) =>
    proposals.map(({ source: { nodeId: _, ...source }, target: { nodeId: __, ...target }, ...rest }) =>
      withNames({ ...rest, source, target }),
    );
  const page = { limit: 500, offset: 0 };
  const { proposals, total } = await searchProposals(store, {
    ...{ projectId, page },
    type: null,
    entityId: null,
  });
  assert.equal(total, proposals.length);
  const sources = await store.listProposalSources({ projectId, after: null, limit: 500 });
  const nodeIds = sources.map(({ nodeId }) => nodeId);
  const listed = await exportProposals(store, projectId, nodeIds);
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(sorted(told(listed)), sorted(told(proposals)));
  return {
    proposals: sorted(told(proposals)),
    kept: sources.flatMap(({ nodeId, type, key }) => (entityIds.includes(nodeId) ? [] : `${type}:${key}`)),
  };
}

/** `T` is what texts name, `Circle` what forms around relationships of people, `Ring` around those of circles. */
const threeLevels = {
  ontologyId: "o",
  schemaJson: JSON.stringify({
    ontology: {
      hierarchy: [
        { level: 0, node_types: { Person: {} } },
        {
          level: 1,
          node_types: { T: { aggregates: ["Person"] }, Circle: { aggregates: ["Person"] } },
        },
        { level: 2, node_types: { Ring: { aggregates: ["Circle", "T"] } } },
      ],
      edge_types: [
        { name: "p", source_types: ["Person"], target_types: ["Person", "T"] },
        { name: "q", source_types: ["Person", "T"], target_types: ["Person"] },
      ],
    },
  }),
};

/** Members of a node of the list by what that is called after: they have no other name. */
async function levelsOf(store: Store, projectId: string): Promise<unknown> {
  const readOntologyOf = async () => threeLevels;
  const nodes = await createLevelReader({ ...store, readOntologyOf }).readNodes(projectId, 1);
  return nodes.map(({ type, origin, members, chunks }) => {
    const called = origin.kind === "named" ? origin.entity : origin.hub;
    return { type: type.name, origin: origin.kind, entityId: called.entityId, members, chunks };
  });
}

function countTypes(entities: readonly { readonly type: string }[]) {
  return [...Map.groupBy(entities, ({ type }) => type)].map(([type, { length }]) => ({
    type,
    count: length,
  }));
}

/** In steps of two, which end between the edges of several names of two entities. */
async function exportProposals(store: Store, projectId: string, nodeIds: readonly string[]) {
  const listed: Proposal[] = [];
  let after: EdgePlace | null = null;
  do {
    const step: Awaited<ReturnType<Store["listProposalsFrom"]>> = await store.listProposalsFrom({
      ...{ projectId, nodeIds, after },
      limit: 2,
    });
    listed.push(...step.proposals);
    after = step.next;
  } while (after !== null);
  return listed;
}
