/** Corrections of a project that is moved between ontologies which have other names for the types. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CorrectionChange } from "../../../src/domain/correction.ts";
import { writeAllowedFacts } from "../../../src/domain/ontology/allowed-facts.ts";
import { compareOntologies, NO_GRAPH } from "../../../src/domain/ontology/compare.ts";
import { parseOntology } from "../../../src/domain/ontology-schema.ts";
import type { Project } from "../../../src/domain/project.ts";
import { presentChange, type RenamedTypes } from "../../../src/domain/renamed-types.ts";
import { readCorrectionTypes } from "../../../src/services/correction-examples.ts";
import { type Behaviour, month, type Scenario } from "../scenario.ts";
import { add, anyChange, effectsOf } from "./correction-histories.ts";
import { edgesOf } from "./corrections.ts";
import { factsOf, graphOf, noFacts } from "./graph-facts.ts";
import {
  applyChanges,
  dump,
  type GraphOf,
  ingestBatches,
  ingestNext,
  listSeen,
  step,
} from "./graph-histories.ts";

/** What each version calls the types of the texts. The third makes one of two, the last has neither people nor `p`. */
const versions: readonly Readonly<Record<string, string>>[] = [
  {},
  { Person: "Human", City: "Town", p: "pp" },
  { Person: "Being", Thing: "Being", City: "Town", p: "ppp", q: "ppp" },
  { City: "Town", q: "qq" },
];
const left = new Set(["Person", "p"]);
/** Whether the type has the property `v`. */
const hasValues = (name: string, version: Version) => name !== "Town" || version === 3;
const nodeTypes = ["Person", "Thing", "City", "T"];
const edgeTypes = ["p", "q", "r", "s", "memberOf"];
type Version = 1 | 2 | 3 | 4;

function namesIn(version: Version) {
  const names = versions[version - 1] ?? {};
  return (type: string) => names[type] ?? type;
}

/** All names that the versions before and after have for a type are aliases. */
function schemaOf(version: Version): string {
  const nameOf = namesIn(version);
  const has = (type: string) => version < 4 || !left.has(type);
  const aliasesOf = (types: readonly string[], name: string) => {
    const own = types.filter((type) => nameOf(type) === name);
    return [...new Set(own.flatMap((type) => [type, ...versions.flatMap((names) => names[type] ?? [])]))];
  };
  const nodes = [...new Set(nodeTypes.filter(has).map(nameOf))];
  const ends = { source_types: nodes, target_types: nodes, properties: [], temporal: false };
  return JSON.stringify({
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: Object.fromEntries(
            nodes.map((name) => [
              name,
              { properties: hasValues(name, version) ? ["v"] : [], aliases: aliasesOf(nodeTypes, name) },
            ]),
          ),
        },
      ],
      edge_types: [...new Set(edgeTypes.filter(has).map(nameOf))].map((name) => {
        return { name, ...ends, aliases: aliasesOf(edgeTypes, name) };
      }),
    },
  });
}

/** As texts are read under a version. */
function readUnder(version: Version): GraphOf {
  const nameOf = namesIn(version);
  const isOf = (type: string) => version < 4 || !left.has(type);
  return (chunk) => {
    const facts = { ...noFacts, ...factsOf(chunk.text) };
    const named = <Name extends { readonly type: string }>(names: readonly Name[]) =>
      names.filter(({ type }) => isOf(type)).map((name) => ({ ...name, type: nameOf(name.type) }));
    const end = <Name extends { readonly type: string }>(name: Name) => ({
      ...name,
      type: nameOf(name.type),
    });
    const related = <
      Edge extends { readonly source: { readonly type: string }; readonly target: { readonly type: string } },
    >(
      edges: readonly (Edge & { readonly type: string })[],
    ) =>
      edges
        .filter(({ type, source, target }) => [type, source.type, target.type].every(isOf))
        .map((edge) => ({
          ...edge,
          type: nameOf(edge.type),
          source: end(edge.source),
          target: end(edge.target),
        }));
    return {
      ...graphOf(chunk),
      facts: {
        ...noFacts,
        entities: named(facts.entities),
        aliases: named(facts.aliases),
        candidates: named(facts.candidates),
        properties: facts.properties
          .filter(({ entity }) => isOf(entity.type))
          .map((property) => ({ ...property, entity: end(property.entity) })),
        relationships: related(facts.relationships),
        proposals: related(facts.proposals),
      },
    };
  };
}

/** A correction that a person would make under the version. */
function underVersion(change: CorrectionChange, version: Version): CorrectionChange {
  const nameOf = namesIn(version);
  const all = (types: readonly string[]) =>
    types.map((given) => ({ given, now: nameOf(given), before: [given] }));
  const renamed: RenamedTypes = { nodes: all(nodeTypes), edges: all(edgeTypes) };
  return presentChange(change, renamed);
}

const limits = { requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null };

async function createVersions({ store }: Scenario, { accountId, ontologyId }: Project): Promise<void> {
  for (const version of [1, 2, 3, 4] as const) {
    const schemaJson = schemaOf(version);
    const allowedFacts = writeAllowedFacts(parseOntology(schemaJson));
    await store.addOntologyVersion({
      ...{ accountId, ontologyId: ontologyId ?? "", name: "Types", schemaJson, allowedFacts },
      ...{ now: 3_000, maxStoredBytes: null },
    });
  }
}

/** The version 1 of the ontology has no types. */
async function bind(
  { store }: Scenario,
  { projectId, accountId, ontologyId }: Project,
  input: { readonly from: Version | null; readonly to: Version; readonly maxCorrectionBytes?: number },
) {
  const { from, to, maxCorrectionBytes = 1e9 } = input;
  const [before, after] = [from, to].map((version) =>
    parseOntology(version === null ? "{}" : schemaOf(version)),
  );
  if (before === undefined || after === undefined) throw new Error("Two were read.");
  const corrections = await readCorrectionTypes(store, projectId);
  const { names } = compareOntologies(before, after, { ...NO_GRAPH, corrections });
  return store.bindOntology({
    ...{ projectId, accountId, ontologyId: ontologyId ?? "", version: to + 1, isSame: false, names },
    ...{ now: 3_000, month, maxCorrectionBytes, ...limits },
  });
}

async function createProject(
  scenario: Scenario,
  { of, version }: { readonly of: Project | null; readonly version: Version },
) {
  const project = await scenario.project(
    of === null
      ? { ontologyId: scenario.id("ontology") }
      : { accountId: of.accountId, ontologyId: of.ontologyId },
  );
  if (of === null) await createVersions(scenario, project);
  await bind(scenario, project, { from: null, to: version });
  return project;
}

async function readAll(scenario: Scenario, projectId: string, version: Version): Promise<void> {
  const { store } = scenario;
  await applyChanges(store, projectId, 999);
  while (await ingestNext(scenario, { batch: 99, batches: 99 }, readUnder(version)))
    await applyChanges(store, projectId, 999);
}

async function listAll({ store }: Scenario, projectId: string) {
  const { corrections } = await store.listCorrections({
    ...{ projectId, kind: null, withoutEvidence: false, newestFirst: false },
    page: { limit: 100, offset: 0 },
  });
  return corrections;
}

/** Few documents: each is read again after each move. */
const ingested = step.map(({ document, ...rest }) => ({
  ...rest,
  document: document < "v" ? document : "s",
}));
const version = fc.constantFrom<Version>(1, 2, 2, 3, 4);
const command = fc.oneof(
  { weight: 3, arbitrary: ingested },
  {
    weight: 4,
    arbitrary: fc.record({
      change: anyChange,
      changes: fc.constantFrom(0, 1, 99),
      isUndone: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      to: version,
      /** Documents that are read again until the move is followed by another command, which cancels it if it is a move, too. */
      read: fc.constantFrom(0, 1, 99, 99),
      changes: fc.constantFrom(0, 1, 99),
    }),
  },
);

/** Random histories with moves in one project against the corrections that it lists and one ingest of what is seen in the end in another. */
export async function checkMovedCorrections(scenario: Scenario, numRuns: number): Promise<void> {
  const commands = fc.array(command, { minLength: 4, maxLength: 18, size: "max" });
  await fc.assert(
    fc.asyncProperty(commands, version, async (steps, last) => {
      const { store } = scenario;
      const project = await createProject(scenario, { of: null, version: 1 });
      const { projectId } = project;
      let bound = 1 as Version;
      const drawn = new Map<string, CorrectionChange>();
      const move = async (to: Version) => {
        // Jobs that have begun are read under the present version.
        await readAll(scenario, projectId, bound);
        const { kind } = await bind(scenario, project, { from: bound, to });
        assert.equal(kind, "accepted");
        bound = to;
      };
      for (const each of steps) {
        if ("to" in each) {
          if (each.to === bound) continue;
          await move(each.to);
          for (let left = each.read; left > 0; left--)
            if (!(await ingestNext(scenario, { batch: 99, batches: 99 }, readUnder(bound)))) break;
          if (each.read < 99) await store.cancelReread({ projectId, now: 3_000 });
        } else if ("change" in each) {
          const { correctionId } = await add(scenario, project, underVersion(each.change, bound));
          // What was made when two types were one is of either.
          if (bound !== 3) drawn.set(correctionId, each.change);
          const [oldest] = await listAll(scenario, projectId);
          if (each.isUndone && oldest !== undefined)
            await store.undoCorrection({ projectId, correctionId: oldest.correctionId });
        } else if (each.isDeletion)
          await store.deleteDocument({
            ...{ projectId, now: 3_000, errorMessage: "deleted" },
            sourceDocId: each.document,
          });
        else await ingestBatches(scenario, project, each, readUnder(bound));
        await applyChanges(store, projectId, each.changes);
      }
      await move(last);
      await readAll(scenario, projectId, last);

      const fresh = await createProject(scenario, { of: project, version: last });
      for (const { correctionId, change } of await listAll(scenario, projectId)) {
        const made = drawn.get(correctionId);
        if (made !== undefined && last !== 4) assert.deepEqual(change, underVersion(made, last));
        await add(scenario, fresh, change);
      }
      for (const seen of await listSeen(store, projectId)) {
        await ingestBatches(scenario, fresh, { ...seen, batch: 99, batches: 99 }, readUnder(last));
        await applyChanges(store, fresh.projectId, 999);
      }
      await applyChanges(store, fresh.projectId, 999);
      const told = async (id: string) => ({
        graph: await dump(store, id),
        effects: await effectsOf(scenario, id),
      });
      assert.deepEqual(await told(projectId), await told(fresh.projectId));
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_408, endOnFailure: true },
  );
}

const person = (name: string, type = "Person") => ({ type, name, also: [] });
const everywhere = { document: null, sentence: null };

/** Two documents that say the same, under corrections of each kind that changes what they say. */
async function createCorrected(scenario: Scenario): Promise<Project> {
  const project = await createProject(scenario, { of: null, version: 1 });
  for (const document of ["a", "b"])
    await ingestBatches(
      scenario,
      project,
      { document, text: "A>p>B;C>p>D;F.v=1", batch: 9, batches: 9 },
      readUnder(1),
    );
  for (const change of [
    { kind: "reject", source: person("A"), type: "p", target: person("B"), ...everywhere },
    { kind: "merge", entity: person("C"), into: { type: "Person", name: "E" } },
    { kind: "add_relationship", source: person("A"), type: "p", target: person("F") },
    { kind: "remove_property", entity: person("F"), property: "v", value: null },
  ] as const)
    await add(scenario, project, change);
  await applyChanges(scenario.store, project.projectId, 99);
  return project;
}

/** The account's, by what is refused. */
async function storedBytes(scenario: Scenario, project: Project): Promise<number> {
  let [low, high] = [0, 2 ** 20];
  while (low < high) {
    const maxStoredBytes = (low + high) >> 1;
    const { outcome } = await scenario.accept(project, [], { maxStoredBytes });
    if (outcome.kind === "accepted") high = maxStoredBytes;
    else low = maxStoredBytes + 1;
  }
  return low;
}

export const movedCorrectionBehaviours: readonly Behaviour[] = [
  [
    "while a moved project is read again, and after that was cancelled, corrections hold in documents of either ontology",
    async (scenario) => {
      const { store } = scenario;
      const project = await createCorrected(scenario);
      const { projectId } = project;
      assert.deepEqual(await edgesOf(scenario, project), ["E p d 2", "a p f 1!"].toSorted().reverse());
      await bind(scenario, project, { from: 1, to: 2 });
      await ingestNext(scenario, { batch: 9, batches: 9 }, readUnder(2));
      // It lists what the document states that is left, to be corrected again.
      await add(scenario, project, { kind: "rename", entity: person("D"), name: "Dora" });
      await applyChanges(store, projectId, 99);
      const mixed = ["a pp f 1!", "E p Dora 1", "E pp d 1"];
      assert.deepEqual((await edgesOf(scenario, project)).toSorted(), mixed.toSorted());
      await store.cancelReread({ projectId, now: 3_000 });
      await applyChanges(store, projectId, 99);
      assert.deepEqual((await edgesOf(scenario, project)).toSorted(), mixed.toSorted());
    },
  ],
  [
    "corrections hold in documents that several moves have left unread, also when another correction is made and undone",
    async (scenario) => {
      const { store } = scenario;
      const project = await createCorrected(scenario);
      const { projectId } = project;
      await add(scenario, project, { kind: "retype", entity: person("F"), type: "Thing" });
      await applyChanges(store, projectId, 99);
      const corrected = await edgesOf(scenario, project);
      const moves: readonly (readonly [Version, Version])[] = [
        [1, 2],
        [2, 3],
        [3, 2],
      ];
      for (const [from, to] of moves) {
        assert.equal((await bind(scenario, project, { from, to })).kind, "accepted");
        await store.cancelReread({ projectId, now: 3_000 });
        await applyChanges(store, projectId, 99);
        const entity = person("F", to === 2 ? "Human" : "Being");
        const { correctionId } = await add(scenario, project, {
          ...{ kind: "add_property", entity, property: "v", value: "2" },
        });
        await applyChanges(store, projectId, 99);
        await store.undoCorrection({ projectId, correctionId });
        await applyChanges(store, projectId, 99);
        const now = { 1: "p", 2: "pp", 3: "ppp", 4: "p" }[to];
        assert.deepEqual(
          await edgesOf(scenario, project),
          corrected.map((edge) => edge.replace("a p F", `a ${now} F`)),
          `after the move to ${to}`,
        );
      }
    },
  ],
  [
    "a correction that names a type as documents have it that were not read again follows when they are",
    async (scenario) => {
      const { store } = scenario;
      const project = await createProject(scenario, { of: null, version: 1 });
      const { projectId } = project;
      const text = { document: "a", text: "A>p>B", batch: 9, batches: 9 };
      await ingestBatches(scenario, project, text, readUnder(1));
      await bind(scenario, project, { from: 1, to: 2 });
      const names = { nodes: [["Person", "Human"]], edges: [["p", "pp"]] } as const;
      const rename = { kind: "rename", entity: person("A"), name: "Ada" } as const;
      await add(scenario, project, rename, { names });
      await applyChanges(store, projectId, 99);
      assert.deepEqual(await edgesOf(scenario, project), ["Ada p b 1"]);
      await readAll(scenario, projectId, 2);
      assert.deepEqual(await edgesOf(scenario, project), ["Ada pp b 1"]);
      const [listed] = await listAll(scenario, projectId);
      assert.deepEqual(listed?.change, { ...rename, entity: person("A", "Human") });
    },
  ],
  [
    "a rejection that is made after a move concerns documents that were not read again",
    async (scenario) => {
      const { store } = scenario;
      const project = await createProject(scenario, { of: null, version: 1 });
      const { projectId } = project;
      await ingestBatches(
        scenario,
        project,
        { document: "a", text: "A>p>B", batch: 9, batches: 9 },
        readUnder(1),
      );
      await bind(scenario, project, { from: 1, to: 2 });
      await store.cancelReread({ projectId, now: 3_000 });
      const names = { nodes: [["Person", "Human"]], edges: [["p", "pp"]] } as const;
      const stated = { source: person("A"), type: "p", target: person("B"), document: null, sentence: null };
      await add(scenario, project, { kind: "reject", ...stated }, { names });
      await applyChanges(store, projectId, 99);
      assert.deepEqual(await edgesOf(scenario, project), []);
    },
  ],
  [
    "an added relationship leaves the graph with a move to an ontology that lacks its type, and is back under one that has it",
    async (scenario) => {
      const { store } = scenario;
      const project = await createProject(scenario, { of: null, version: 1 });
      const { projectId } = project;
      const text = { document: "a", text: "Thing:A;Thing:B", batch: 9, batches: 9 };
      const [a, b] = [person("A", "Thing"), person("B", "Thing")];
      await ingestBatches(scenario, project, text, readUnder(1));
      await add(scenario, project, { kind: "add_relationship", source: a, type: "p", target: b });
      await applyChanges(store, projectId, 99);
      const added = await edgesOf(scenario, project);
      assert.equal(added.length, 1);
      await bind(scenario, project, { from: 1, to: 4 });
      await readAll(scenario, projectId, 4);
      assert.deepEqual(await edgesOf(scenario, project), []);
      await bind(scenario, project, { from: 4, to: 1 });
      await readAll(scenario, projectId, 1);
      assert.deepEqual(await edgesOf(scenario, project), added);
    },
  ],
  [
    "an added property leaves the graph with a move to an ontology in which the type lacks it, and is back under one that has it",
    async (scenario) => {
      const { store } = scenario;
      const project = await createProject(scenario, { of: null, version: 1 });
      const { projectId } = project;
      await ingestBatches(
        scenario,
        project,
        { document: "a", text: "City:A;Thing:B", batch: 9, batches: 9 },
        readUnder(1),
      );
      for (const [name, type] of [
        ["A", "City"],
        ["B", "Thing"],
      ] as const)
        await add(scenario, project, {
          ...{ kind: "add_property", entity: person(name, type), property: "v", value: "2" },
        });
      await applyChanges(store, projectId, 99);
      const values = async () => {
        const corrections = await listAll(scenario, projectId);
        return corrections.map(({ chunks }) => chunks);
      };
      assert.deepEqual(await values(), [1, 1]);
      const moves: readonly (readonly [Version, Version, number])[] = [
        [1, 2, 0],
        [2, 3, 1],
        [3, 4, 0],
        [4, 1, 1],
      ];
      for (const [from, to, there] of moves) {
        await bind(scenario, project, { from, to });
        // Also in documents that are not read again yet.
        await applyChanges(store, projectId, 99);
        assert.deepEqual(await values(), [there, 1], `on the move to ${to}`);
        await readAll(scenario, projectId, to);
        assert.deepEqual(await values(), [there, 1], `after the move to ${to}`);
        const graph = JSON.stringify(await dump(store, projectId));
        assert.equal(graph.split('"property":"v"').length - 1, there + 1, graph);
      }
    },
  ],
  [
    "what is added to an entity of a type that keeps its name stays with what it became, while documents with an earlier name of that are not read again",
    async (scenario) => {
      const { store } = scenario;
      const thing = person("C", "Thing");
      for (const change of [
        { kind: "merge", entity: thing, into: { type: "Person", name: "E" } },
        { kind: "retype", entity: thing, type: "Person" },
      ] as const) {
        const project = await createProject(scenario, { of: null, version: 1 });
        const { projectId } = project;
        const text = { document: "a", text: "Thing:C;E;F", batch: 9, batches: 9 };
        await ingestBatches(scenario, project, text, readUnder(1));
        await add(scenario, project, { kind: "add_property", entity: thing, property: "v", value: "7" });
        await add(scenario, project, {
          ...{ kind: "add_relationship", source: thing, type: "p", target: person("F") },
        });
        await add(scenario, project, change);
        await applyChanges(store, projectId, 99);
        const told = async () => ({
          chunks: (await listAll(scenario, projectId)).map(({ chunks }) => chunks),
          edges: await edgesOf(scenario, project),
        });
        const name = change.kind === "merge" ? "E" : "C";
        assert.deepEqual(await told(), { chunks: [1, 1, 1], edges: [`${name} p F 1!`] });
        await bind(scenario, project, { from: 1, to: 2 });
        await store.cancelReread({ projectId, now: 3_000 });
        await applyChanges(store, projectId, 99);
        assert.deepEqual(await told(), { chunks: [1, 1, 1], edges: [`${name} pp F 1!`] });
        await bind(scenario, project, { from: 2, to: 3 });
        await readAll(scenario, projectId, 3);
        assert.deepEqual(await told(), { chunks: [1, 1, 1], edges: [`${name} ppp F 1!`] });
      }
    },
  ],
  [
    "what corrections have made one entity stays one in documents that are not read again, also when their facts are corrected again",
    async (scenario) => {
      const { store } = scenario;
      const thing = person("C", "Thing");
      for (const change of [
        { kind: "merge", entity: thing, into: { type: "Person", name: "E" } },
        { kind: "retype", entity: thing, type: "Person" },
      ] as const) {
        const project = await createProject(scenario, { of: null, version: 1 });
        const { projectId } = project;
        for (const [document, text] of [
          ["a", "Thing:C;G"],
          ["b", change.kind === "merge" ? "E;G" : "C;G"],
        ] as const)
          await ingestBatches(scenario, project, { document, text, batch: 9, batches: 9 }, readUnder(1));
        await add(scenario, project, change);
        await applyChanges(store, projectId, 99);
        const key = change.kind === "merge" ? "e" : "c";
        const told = async () => {
          const found = await store.findEntitiesByKeys({ projectId, keys: [key], limit: 9 });
          return found.map(({ type, chunks }) => `${type} ${chunks}`).toSorted();
        };
        assert.deepEqual(await told(), ["Person 2"]);
        const moves: readonly (readonly [Version, Version])[] = [
          [1, 2],
          [2, 3],
          [3, 2],
        ];
        for (const [from, to] of moves) {
          await bind(scenario, project, { from, to });
          await store.cancelReread({ projectId, now: 3_000 });
          const rename = { kind: "rename", entity: person("G"), name: "Gil" } as const;
          const { correctionId } = await add(scenario, project, rename);
          await applyChanges(store, projectId, 99);
          assert.deepEqual(await told(), ["Person 2"], `${change.kind}, moved to ${to}`);
          await store.undoCorrection({ projectId, correctionId });
          await applyChanges(store, projectId, 99);
          assert.deepEqual(await told(), ["Person 2"], `${change.kind}, moved to ${to}, undone`);
        }
        await bind(scenario, project, { from: 2, to: 3 });
        await ingestNext(scenario, { batch: 9, batches: 9 }, readUnder(3));
        await applyChanges(store, projectId, 99);
        assert.deepEqual(await told(), ["Being 1", "Person 1"], change.kind);
        await readAll(scenario, projectId, 3);
        assert.deepEqual(await told(), ["Being 2"], change.kind);
      }
    },
  ],
  [
    "what corrections are renamed to is stored bytes, and a move that needs too many changes nothing",
    async (scenario) => {
      const project = await createCorrected(scenario);
      const { projectId } = project;
      const before = await storedBytes(scenario, project);
      assert.deepEqual(await bind(scenario, project, { from: 1, to: 2, maxCorrectionBytes: 1_000 }), {
        kind: "corrections_too_long",
      });
      assert.equal((await scenario.store.findProject({ projectId }))?.ontologyVersion, 2);
      assert.equal(await storedBytes(scenario, project), before);
      const versionsThere: readonly Version[] = [2, 3, 1];
      let from: Version = 1;
      for (const to of versionsThere) {
        await bind(scenario, project, { from, to });
        await readAll(scenario, projectId, to);
        assert.ok((await storedBytes(scenario, project)) > before);
        from = to;
      }
      for (const { correctionId } of await listAll(scenario, projectId))
        await scenario.store.undoCorrection({ projectId, correctionId });
      await applyChanges(scenario.store, projectId, 99);
      const plain = await createProject(scenario, { of: null, version: 1 });
      for (const { document, text } of await listSeen(scenario.store, projectId))
        await ingestBatches(scenario, plain, { document, text, batch: 9, batches: 9 }, readUnder(1));
      assert.equal(await storedBytes(scenario, project), await storedBytes(scenario, plain));
    },
  ],
];
