import assert from "node:assert/strict";
import fc from "fast-check";
import { type CorrectionChange, type NamedEntity, ruleOf } from "../../../src/domain/correction.ts";
import { type WrittenFacts, writeAllowedFacts } from "../../../src/domain/ontology/allowed-facts.ts";
import { parseOntology } from "../../../src/domain/ontology-schema.ts";
import type { Project } from "../../../src/domain/project.ts";
import type { AddCorrections } from "../../../src/ports/correction-store.ts";
import type { Scenario } from "../scenario.ts";
import { applyChanges, dump, ingestBatches, ingestNext, listSeen, step } from "./graph-histories.ts";

const named = fc
  .constantFrom("Person:A", "Person:B", "Person:C", "Person:D", "Thing:A", "T:A", "City:B")
  .map((text) => {
    const [type = "", name = ""] = text.split(":");
    return { type, name };
  });
const entity = fc
  .tuple(named, fc.array(named, { maxLength: 2 }))
  .map(([first, also]): NamedEntity => ({ ...first, also }));
const personOf = (name: string) => ({ type: "Person", name });
const document = fc.constantFrom(null, "s", "t");
const edge = fc.constantFrom("p", "q");
const value = fc.constantFrom("1", "2");

const judged = { source: entity, type: edge, target: entity, document, sentence: fc.constant(null) };
const taken = fc.option(fc.constantFrom("Person", "Thing", "City"), { nil: undefined });
const verdict = fc.oneof(
  fc.record({ kind: fc.constant("reject" as const), ...judged }),
  fc
    .tuple(fc.record({ kind: fc.constant("confirm" as const), ...judged }), taken, taken)
    .map(([confirmed, sourceType, targetType]) => ({
      ...confirmed,
      ...(sourceType !== undefined && { sourceType }),
      ...(targetType !== undefined && { targetType }),
    })),
);
/** On what `nearlySure` often states, so that it teaches about the rest: one confirmation asserts, two rejections doubt. */
const teaching = fc
  .record({
    judged: fc.constantFrom({ kind: "reject" as const, type: "r" }, { kind: "confirm" as const, type: "s" }),
    source: fc.constantFrom(..."AB"),
    target: fc.constantFrom(..."FG"),
    document: fc.constantFrom(null, null, null, "s"),
  })
  .map(({ judged, source, target, document: where }): CorrectionChange => {
    const end = (name: string) => ({ ...personOf(name), also: [] });
    return { ...judged, source: end(source), target: end(target), document: where, sentence: null };
  });
const nearlySure = fc
  .tuple(fc.constantFrom(..."ABC"), fc.constantFrom(">r%80>", ">>s%79>"), fc.constantFrom(..."FGH"))
  .map((parts) => parts.join(""));
const nearlySureStep = fc
  .tuple(step, fc.array(nearlySure, { minLength: 4, maxLength: 9 }))
  .map(([drawn, facts]) => ({ ...drawn, text: facts.join(";") }));

export const anyChange: fc.Arbitrary<CorrectionChange> = fc.oneof(
  fc.record({ kind: fc.constant("rename" as const), entity, name: fc.constantFrom("A", "E") }),
  fc.record({ kind: fc.constant("retype" as const), entity, type: fc.constantFrom("City", "Thing", "T") }),
  fc.record({ kind: fc.constant("merge" as const), entity, into: named }),
  fc.record({ kind: fc.constant("split" as const), entity, documents: fc.constant(["s", "t"]), into: named }),
  fc.record({
    kind: fc.constant("add_property" as const),
    ...{ entity, property: fc.constant("v"), value },
  }),
  fc.record({
    kind: fc.constant("remove_property" as const),
    ...{ entity, property: fc.constant("v"), value: fc.option(value) },
  }),
  fc.record({ kind: fc.constant("add_relationship" as const), source: entity, type: edge, target: entity }),
  verdict,
);

const command = fc.oneof(
  { weight: 2, arbitrary: step },
  { weight: 2, arbitrary: nearlySureStep },
  {
    weight: 1,
    arbitrary: fc.record({ change: anyChange, changes: fc.constantFrom(0, 1, 99), isUndone: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      change: teaching,
      changes: fc.constantFrom(0, 1, 99),
      isUndone: fc.constantFrom(false, false, false, true),
    }),
  },
);

/** Random histories in one project against the same corrections and one ingest of what is seen in the end in another. */
export async function checkCorrections(scenario: Scenario, numRuns: number): Promise<void> {
  const commands = fc.array(command, { minLength: 2, maxLength: 16, size: "max" });
  await fc.assert(
    fc.asyncProperty(commands, fc.boolean(), fc.boolean(), async (steps, isFirst, hasOntology) => {
      const { store } = scenario;
      const ontology = () => ({ ontologyId: scenario.id("ontology"), allowedFacts: factsAllowed(["p"]) });
      const create = () => scenario.project(hasOntology ? ontology() : {});
      const project = await create();
      const { projectId } = project;
      let made: readonly { readonly change: CorrectionChange; readonly correctionId: string }[] = [];
      for (const each of steps) {
        if ("change" in each) {
          made = [...made, await correct(scenario, project, each.change)];
          await applyChanges(store, projectId, each.changes);
          const [oldest] = made;
          if (each.isUndone && oldest !== undefined) {
            await store.undoCorrection({ projectId, correctionId: oldest.correctionId });
            made = made.slice(1);
          }
        } else if (each.isDeletion) {
          const deletion = { projectId, now: 3_000, errorMessage: "deleted" };
          await store.deleteDocument({ ...deletion, sourceDocId: each.document });
        } else await ingestBatches(scenario, project, each);
        await applyChanges(store, projectId, each.changes);
      }
      await applyChanges(store, projectId, 999);
      while (await ingestNext(scenario, { batch: 99, batches: 99 }))
        await applyChanges(store, projectId, 999);

      const fresh = await create();
      const correctAll = async () => {
        for (const each of made) await correct(scenario, fresh, each.change);
        await applyChanges(store, fresh.projectId, 999);
      };
      if (isFirst) await correctAll();
      for (const seen of await listSeen(store, projectId)) {
        await ingestBatches(scenario, fresh, { ...seen, batch: 99, batches: 99 });
        await applyChanges(store, fresh.projectId, 999);
      }
      if (!isFirst) await correctAll();
      assert.deepEqual(
        { graph: await dump(store, projectId), effects: await effectsOf(scenario, projectId) },
        {
          graph: await dump(store, fresh.projectId),
          effects: await effectsOf(scenario, fresh.projectId),
        },
      );
      for (const { correctionId } of made) await store.undoCorrection({ projectId, correctionId });
      await applyChanges(store, projectId, 999);
      const plain = await create();
      for (const seen of await listSeen(store, projectId)) {
        await ingestBatches(scenario, plain, { ...seen, batch: 99, batches: 99 });
        await applyChanges(store, plain.projectId, 999);
      }
      assert.deepEqual(await dump(store, projectId), await dump(store, plain.projectId), "all undone");
      await scenario.clear();
    }),
    { numRuns, seed: 20_310_407, endOnFailure: true },
  );
}

/** What an ontology allows in which Persons and Things have these relationships to Persons and Cities, and the property `v`. */
export function factsAllowed(edges: readonly string[]): WrittenFacts {
  const has = { properties: ["v"] };
  const ends = { source_types: ["Person", "Thing"], target_types: ["Person", "City"] };
  const hierarchy = [{ level: 0, node_types: { Person: has, Thing: has, City: {} } }];
  const edge_types = edges.map((name) => ({ name, ...ends }));
  return writeAllowedFacts(parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types } })));
}

export async function correct(scenario: Scenario, project: Project, change: CorrectionChange) {
  const { kind, correctionId } = await add(scenario, project, change);
  assert.equal(kind, "accepted");
  return { change, correctionId };
}

export async function add(
  { store, id }: Scenario,
  { projectId, accountId }: Project,
  change: CorrectionChange,
  limits: Partial<Pick<AddCorrections, "maxNamesPerProject" | "names">> = {},
) {
  const correctionId = id("correction");
  const { kind } = await store.addCorrections({
    ...{ projectId, accountId },
    corrections: [
      {
        ...{ correctionId, projectId, change, reason: null, accountId, keyId: null, createdAt: 1_000 },
        rule: ruleOf(change, (name) => name.toLowerCase()),
      },
    ],
    ...{ maxPerProject: 100, maxBytesPerProject: 1e9, maxNamesPerProject: 1e9, maxStoredBytes: null },
    ...limits,
  });
  return { kind, correctionId };
}

/** Which chunks each correction changes, in their order, and what they teach. */
export async function effectsOf({ store }: Scenario, projectId: string) {
  const { corrections, taught } = await store.listCorrections({
    ...{ projectId, kind: null, withoutEvidence: false, newestFirst: false },
    page: { limit: 100, offset: 0 },
  });
  return [taught, ...corrections.map((correction) => [correction.change, correction.chunks])];
}
