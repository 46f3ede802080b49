import assert from "node:assert/strict";
import type { CorrectionChange, NamedEntity } from "../../../src/domain/correction.ts";
import type { Project } from "../../../src/domain/project.ts";
import { searchProposals, searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, commit, follow, ingest, month, type Scenario } from "../scenario.ts";
import { add, correct, factsAllowed } from "./correction-histories.ts";
import { graphOf } from "./graph-facts.ts";
import { entitiesOf } from "./graph-ledger.ts";
import { NOW, start, stateOf } from "./rereads.ts";

type Document = readonly [string, string];
const page = { limit: 100, offset: 0 };
const person = (name: string) => ({ type: "Person", name, also: [] });

export async function projectWith(scenario: Scenario, documents: readonly Document[]): Promise<Project> {
  const made = await scenario.project();
  await ingest(scenario, made, documents, { graphOf });
  return made;
}

export async function apply(scenario: Scenario, project: Project, change: CorrectionChange): Promise<string> {
  const { correctionId } = await correct(scenario, project, change);
  await follow(scenario.store, project.projectId);
  return correctionId;
}

export async function undo({ store }: Scenario, { projectId }: Project, correctionId: string): Promise<void> {
  assert.equal(await store.undoCorrection({ projectId, correctionId }), true);
  await follow(store, projectId);
}

/** "Ada knows Bob 1" with the number of chunks, in their order; "!" for confirmed ones. */
export async function edgesOf({ store }: Scenario, { projectId }: Project): Promise<readonly string[]> {
  const { relationships } = await searchRelationships(store, {
    ...{ projectId, type: null, entityId: null, page },
  });
  const ids = relationships.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
  const read = await store.readEntities({ projectId, entityIds: [...new Set(ids)] });
  const nameOf = (id: string) => read.find(({ entityId }) => entityId === id)?.name;
  return relationships.map(
    ({ sourceId, targetId, type, chunks, isConfirmed }) =>
      `${nameOf(sourceId)} ${type} ${nameOf(targetId)} ${chunks}${isConfirmed === true ? "!" : ""}`,
  );
}

async function effects({ store }: Scenario, { projectId }: Project) {
  const { corrections } = await store.listCorrections({
    ...{ projectId, kind: null, withoutEvidence: false, newestFirst: false, page },
  });
  return corrections.map(({ change, chunks, laterChunks }) => [change.kind, chunks, laterChunks]);
}

export const correctionBehaviours: readonly Behaviour[] = [
  [
    "a renamed entity has the name whatever texts write, is found by both, and keeps its number of other entities",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada Ada Bob"]]);
      const { projectId } = made;
      const [bob] = await entitiesOf(scenario, projectId, ["bob"]);
      const id = await apply(scenario, made, { kind: "rename", entity: person("Ada"), name: "Zoe" });
      await ingest(scenario, made, [["b", "Ada Ada Ada Zoe"]], { graphOf });
      const [zoe, ...others] = await entitiesOf(scenario, projectId, ["ada", "zoe"]);
      assert.deepEqual([zoe?.name, zoe?.aliases, zoe?.chunks, others], ["Zoe", ["Ada"], 6, []]);
      const search = async (part: string) =>
        (await store.searchEntities({ projectId, part, type: null, page })).entities.map(({ key }) => key);
      assert.deepEqual([await search("ad"), await search("zo")], [["zoe"], ["zoe"]]);
      assert.equal((await entitiesOf(scenario, projectId, ["bob"]))[0]?.entityId, bob?.entityId);
      assert.deepEqual(await effects(scenario, made), [["rename", 5, 3]]);
      const again = await apply(scenario, made, { kind: "rename", entity: person("Zoe"), name: "ZOE" });
      assert.equal((await entitiesOf(scenario, projectId, ["ada"]))[0]?.name, "ZOE");
      assert.deepEqual((await effects(scenario, made))[1], ["rename", 6, 0]);
      await undo(scenario, made, again);
      await undo(scenario, made, id);
      const names = (await entitiesOf(scenario, projectId, ["ada", "zoe"])).map(({ name }) => name);
      assert.deepEqual(names, ["Ada", "Zoe"]);
    },
  ],
  [
    "entities that are merged have the facts of both, and are two again when that is undone",
    async (scenario) => {
      const made = await projectWith(scenario, [
        ["a", "Ada>knows>Bob;Countess>knows>Bob Countess.born=1815"],
      ]);
      const id = await apply(scenario, made, {
        kind: "merge",
        entity: person("Countess"),
        into: { type: "Person", name: "Ada" },
      });
      assert.deepEqual(await edgesOf(scenario, made), ["Ada knows bob 1"]);
      const [ada] = await entitiesOf(scenario, made.projectId, ["ada"]);
      assert.deepEqual(
        ada?.properties.map(({ value }) => value),
        ["1815"],
      );
      await undo(scenario, made, id);
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows bob 1", "countess knows bob 1"]);
    },
  ],
  [
    "a retyped end keeps the facts that the bound version of the ontology allows, whose text is not read",
    async (scenario) => {
      const { store } = scenario;
      const ontologyId = scenario.id("ontology");
      // Its text, `{}`, has no types.
      const made = await scenario.project({ ontologyId, allowedFacts: factsAllowed(["knows", "likes"]) });
      const { accountId } = made;
      await store.addOntologyVersion({
        ...{ accountId, ontologyId, name: "Types", schemaJson: "[]", allowedFacts: factsAllowed(["knows"]) },
        ...{ now: 1, maxStoredBytes: null },
      });
      const text = "Ada>knows>Bob;Ada>likes>Bob;Ada>hates>Bob;Bob>knows>Ada";
      await ingest(scenario, made, [["a", text]], { graphOf });
      const all = await edgesOf(scenario, made);
      assert.equal(all.length, 4);
      const change: CorrectionChange = { kind: "retype", entity: person("Bob"), type: "City" };
      const id = await apply(scenario, made, change);
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows Bob 1", "ada likes Bob 1"]);
      await ingest(scenario, made, [["b", text]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows Bob 2", "ada likes Bob 2"]);
      await undo(scenario, made, id);
      assert.equal((await edgesOf(scenario, made)).length, 4);
      const newest = await scenario.project({ accountId, ontologyId });
      await store.bindOntology({
        names: { nodes: [], edges: [] },
        maxCorrectionBytes: 1e9,
        isSame: false,
        ...{ projectId: newest.projectId, accountId, ontologyId, version: 2, now: 2, month },
        ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
      });
      await ingest(scenario, newest, [["a", text]], { graphOf });
      await apply(scenario, newest, change);
      assert.deepEqual(await edgesOf(scenario, newest), ["ada knows Bob 1"]);
    },
  ],
  [
    "no entity gets a type that the bound version of the ontology does not have, also where its facts are read again",
    async (scenario) => {
      const ontologyId = scenario.id("ontology");
      const made = await scenario.project({ ontologyId, allowedFacts: factsAllowed(["knows"]) });
      await ingest(scenario, made, [["a", "Ada>knows>Bob"]], { graphOf });
      await apply(scenario, made, { kind: "retype", entity: person("Bob"), type: "Town" });
      const town: NamedEntity = { type: "Town", name: "Bob", also: [] };
      await apply(scenario, made, { kind: "rename", entity: town, name: "Rob" });
      await apply(scenario, made, {
        kind: "merge",
        entity: person("Ada"),
        into: { type: "Town", name: "Ai" },
      });
      await ingest(scenario, made, [["b", "Ada>knows>Bob"]], { graphOf });
      const [bob] = await entitiesOf(scenario, made.projectId, ["bob"]);
      assert.deepEqual([bob?.type, await edgesOf(scenario, made)], ["Person", ["ada knows bob 2"]]);
      assert.deepEqual(await entitiesOf(scenario, made.projectId, ["rob", "ai"]), []);
    },
  ],
  [
    "an entity is split by documents",
    async (scenario) => {
      const made = await projectWith(scenario, [
        ["a", "Ada Ada>knows>Bob"],
        ["b", "Ada Ada>likes>Bob"],
      ]);
      const into = { type: "Person", name: "Ada of Rome" };
      await apply(scenario, made, { kind: "split", entity: person("Ada"), documents: ["b", "c"], into });
      await ingest(scenario, made, [["c", "Ada"]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), ["Ada knows bob 1", "Ada of Rome likes bob 1"]);
      const [rome] = await entitiesOf(scenario, made.projectId, ["ada of rome"]);
      assert.equal(rome?.chunks, 3);
    },
  ],
  [
    "a rejected relationship does not come back with its document, and is without evidence when that is deleted",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada>knows>Bob"]]);
      const { projectId } = made;
      const ends = { source: person("Ada"), type: "knows", target: person("Bob") };
      await apply(scenario, made, { kind: "reject", ...ends, document: "a", sentence: null });
      assert.deepEqual(await edgesOf(scenario, made), []);
      await ingest(scenario, made, [["a", "Ada>knows>Bob Cid"]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), []);
      assert.deepEqual(await effects(scenario, made), [["reject", 1, 1]]);
      await ingest(scenario, made, [["b", "Ada>knows>Bob"]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows bob 1"], "another document may say it");
      await store.deleteDocument({ projectId, sourceDocId: "a", now: 3_000, errorMessage: "deleted" });
      await follow(store, projectId);
      const without = { projectId, kind: null, withoutEvidence: true, newestFirst: true, page };
      assert.equal((await store.listCorrections(without)).total, 1);
      await ingest(scenario, made, [["a", "Ada>knows>Bob"]], { graphOf });
      assert.equal((await store.listCorrections(without)).total, 0);
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows bob 1"]);
    },
  ],
  [
    "the times of an added relationship are of its own project alone",
    async (scenario) => {
      const [one, other] = [
        await projectWith(scenario, [["a", "Ada>knows>Bob"]]),
        await projectWith(scenario, [["a", "Ada>knows>Bob"]]),
      ];
      const ends = { source: person("ada"), type: "knows", target: person("bob") };
      await apply(scenario, one, { kind: "confirm", ...ends, document: null, sentence: null });
      const times = { validFrom: "1871", validTo: "1899" };
      await apply(scenario, other, { kind: "add_relationship", ...ends, ...times });
      const timesIn = async ({ projectId }: Project) => {
        const { relationships } = await searchRelationships(scenario.store, {
          ...{ projectId, type: null, entityId: null, page },
        });
        return relationships.map(({ addedTimes }) => addedTimes);
      };
      assert.deepEqual([await timesIn(one), await timesIn(other)], [[null], [times]]);
    },
  ],
  [
    "a confirmed relationship comes before better supported ones, and a confirmed proposal is one",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [
        ["a", "Ada>knows>Bob Ada>knows>Bob Ada>knows>Cid Ada>>likes>Dan"],
      ]);
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows bob 2", "ada knows cid 1"]);
      const confirm = (type: string, target: string) =>
        apply(scenario, made, {
          ...{ kind: "confirm", source: person("Ada"), type, target: person(target) },
          ...{ document: null, sentence: null },
        });
      await confirm("knows", "Cid");
      const likes = await confirm("likes", "Dan");
      assert.deepEqual(await edgesOf(scenario, made), [
        "Ada knows cid 1!",
        "Ada likes Dan 1!",
        "Ada knows bob 2",
      ]);
      const [ada] = await entitiesOf(scenario, made.projectId, ["ada"]);
      const found = await store.findRelationships({
        ...{ projectId: made.projectId, entityIds: [ada?.entityId ?? ""], limit: 1 },
      });
      assert.deepEqual(
        found.map(({ isConfirmed, confidence }) => [isConfirmed, confidence]),
        [[true, 1]],
      );
      await undo(scenario, made, likes);
      const listed = { projectId: made.projectId, type: null, entityId: null, page };
      assert.equal((await searchProposals(store, listed)).total, 1);
    },
  ],
  [
    "additions are in the graph while texts mention their ends, also under other names",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada Bob"]]);
      const { projectId } = made;
      await apply(scenario, made, {
        ...{ kind: "add_relationship", source: person("Ada"), type: "owns", target: person("Cid") },
      });
      await apply(scenario, made, {
        ...{ kind: "add_property", entity: person("Ada"), property: "born", value: "1815" },
      });
      assert.deepEqual(await edgesOf(scenario, made), [], "no text mentions Cid");
      assert.deepEqual(await effects(scenario, made), [
        ["add_relationship", 0, 0],
        ["add_property", 1, 0],
      ]);
      await ingest(scenario, made, [["c", "Cid"]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), ["Ada owns Cid 1!"]);
      const rename = await apply(scenario, made, { kind: "rename", entity: person("Ada"), name: "Zoe" });
      assert.deepEqual(await edgesOf(scenario, made), ["Zoe owns Cid 1!"]);
      const types = await store.readGraphTypes({ projectId });
      assert.deepEqual(types.relationships, [
        { type: "owns", sourceType: "Person", targetType: "Person", count: 1 },
      ]);
      const [zoe] = await entitiesOf(scenario, projectId, ["zoe"]);
      assert.deepEqual(
        zoe?.properties.map(({ property, value, places }) => [property, value, places]),
        [["born", "1815", []]],
      );
      await undo(scenario, made, rename);
      await store.deleteDocument({ projectId, sourceDocId: "a", now: 3_000, errorMessage: "deleted" });
      await follow(store, projectId);
      assert.deepEqual(await edgesOf(scenario, made), []);
      assert.deepEqual((await store.readGraphTypes({ projectId })).relationships, []);
    },
  ],
  [
    "an addition is withdrawn by a later rejection or removal, until that is undone, and none by an earlier one",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada"]]);
      const { projectId } = made;
      const owns = { source: person("Ada"), type: "owns", target: person("Cid") };
      const anywhere = { document: null, sentence: null };
      await apply(scenario, made, { kind: "reject", ...owns, ...anywhere });
      await apply(scenario, made, { kind: "add_relationship", ...owns });
      await apply(scenario, made, {
        ...{ kind: "add_property", entity: person("Ada"), property: "born", value: "1815" },
      });
      await apply(scenario, made, { kind: "rename", entity: person("Ada"), name: "Zoe" });
      await apply(scenario, made, { kind: "reject", ...owns, ...anywhere });
      // No text mentions Cid yet, so the addition is not in the graph.
      const zoe = person("Zoe");
      const rejected = await apply(scenario, made, { kind: "reject", ...owns, source: zoe, ...anywhere });
      await ingest(scenario, made, [["c", "Cid"]], { graphOf });
      assert.deepEqual(await edgesOf(scenario, made), []);
      const other = await apply(scenario, made, {
        ...{ kind: "remove_property", entity: zoe, property: "born", value: "1816" },
      });
      const valuesOf = async () =>
        (await entitiesOf(scenario, projectId, ["zoe"]))[0]?.properties.map(({ value }) => value);
      assert.deepEqual(await valuesOf(), ["1815"]);
      const removed = await apply(scenario, made, {
        ...{ kind: "remove_property", entity: zoe, property: "born", value: null },
      });
      assert.deepEqual(await valuesOf(), []);
      assert.deepEqual(
        (await effects(scenario, made)).map(([kind, chunks]) => `${kind} ${chunks}`),
        [
          ...["reject 0", "add_relationship 0", "add_property 0", "rename 1"],
          ...["reject 0", "reject 1", "remove_property 0", "remove_property 1"],
        ],
      );
      for (const each of [rejected, removed, other]) await undo(scenario, made, each);
      assert.deepEqual(await edgesOf(scenario, made), ["Zoe owns Cid 1!"]);
      assert.deepEqual(await valuesOf(), ["1815"]);
      assert.equal((await store.readGraphTypes({ projectId })).relationships.length, 1);
    },
  ],
  [
    "an addition that is undone together with the type of its entity leaves nothing at a number that another entity gets",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada"]]);
      const { projectId } = made;
      const city = { type: "City", name: "Ada", also: [{ type: "Person", name: "Ada" }] };
      const added = await apply(scenario, made, {
        ...{ kind: "add_property", entity: city, property: "born", value: "1815" },
      });
      const retyped = await apply(scenario, made, { kind: "retype", entity: person("Ada"), type: "City" });
      for (const correctionId of [added, retyped]) await store.undoCorrection({ projectId, correctionId });
      await follow(store, projectId);
      await store.deleteDocument({ projectId, sourceDocId: "a", now: 3_000, errorMessage: "deleted" });
      await follow(store, projectId);
      // SQLite gives the numbers of removed names again.
      await ingest(scenario, made, [["b", "Bonn Rome Oslo"]], { graphOf });
      const found = await entitiesOf(scenario, projectId, ["bonn", "rome", "oslo"]);
      assert.deepEqual(
        found.map(({ properties }) => properties),
        [[], [], []],
      );
    },
  ],
  [
    "a reread makes no text later than the corrections that were made after it",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "ada>p[..@2015!]>bob;ada>p[1990..1995!]>bob"]]);
      const { projectId } = made;
      const correctionId = await apply(scenario, made, {
        ...{ kind: "confirm", source: person("ada"), type: "p", target: person("bob") },
        ...{ document: null, sentence: null },
      });
      const today = "2026-11-28";
      const look = async () => [
        await effects(scenario, made),
        await store.readLaterEvidence({ projectId, correctionId, today }),
      ];
      const before = await look();
      assert.deepEqual(before, [[["confirm", 1, 0]], { passages: [], conflicts: [] }]);
      await start(scenario, made);
      const held = await scenario.claim({ now: NOW });
      await commit(store, held, { tokens: 0, now: NOW, graphOf });
      await follow(store, projectId);
      assert.deepEqual(await stateOf(scenario, made), ["completed", 1, 0, 1]);
      assert.deepEqual(await look(), before);
      await ingest(scenario, made, [["a", "ada>p[1990..1995!]>bob;x"]], { graphOf });
      assert.deepEqual((await effects(scenario, made))[0], ["confirm", 1, 1]);
    },
  ],
  [
    "later texts that date the end or another target of what is confirmed tell against it, also under later names",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [
        ["a", "ada>p[..@2015!]>bob;eve>p[..@2015]>bob;fay>p[1990..1995!]>bob;gil;hal"],
      ]);
      const { projectId } = made;
      const anywhere = { document: null, sentence: null };
      const confirm = (source: string) =>
        apply(scenario, made, {
          ...{ kind: "confirm", source: person(source), type: "p", target: person("bob"), ...anywhere },
        });
      const [ada, eve, fay] = [await confirm("ada"), await confirm("eve"), await confirm("fay")];
      const gil = await apply(scenario, made, {
        ...{ kind: "add_relationship", source: person("gil"), type: "p", target: person("bob") },
      });
      const hal = await apply(scenario, made, {
        ...{ kind: "add_relationship", source: person("hal"), type: "p", target: person("bob") },
        ...{ validFrom: "2012", validTo: "2020" },
      });
      const against = async (correctionId: string, today = "2026-11-28") => {
        const input = { projectId, correctionId, today };
        const found = await store.readLaterEvidence(input);
        const counts = await store.countConflicts({ projectId, correctionIds: [correctionId], today });
        assert.deepEqual(counts, found === null ? {} : { [correctionId]: found.conflicts.length });
        const entityIds = found?.conflicts.map(({ entityId }) => entityId) ?? [];
        const read = await store.readEntities({ projectId, entityIds });
        return found?.conflicts.map(({ kind, at, entityId, place }) => {
          const key = read.find((each) => each.entityId === entityId)?.keys[0];
          return `${kind} ${key} ${place.validFrom ?? ""}..${place.validTo ?? ""} at ${at}`;
        });
      };
      for (const id of [ada, eve, fay, gil, hal]) assert.deepEqual(await against(id), []);
      for (const [document, text] of [
        ["b", "ada>p[2016..!]>cleo;eve>p[2016..]>cleo;fay>p[2000..!]>cleo;gil>p[2010..!]>cleo"],
        ["c", "ada>p[2001..!]>dan;ada>p[2999..!]>dan;eve>p[..2014]>bob"],
        ["d", "ada>p[..2018]>bob"],
        ["h", "hal>p[2010..!]>cleo;hal>p[2015..!]>dan;hal>p[2021..!]>eve"],
      ] as const)
        await ingest(scenario, made, [[document, text]], { graphOf });
      const ofAda = ["ended bob ..2018 at 2018", "other_target cleo 2016.. at 2016"];
      assert.deepEqual(await against(ada), ofAda);
      assert.deepEqual(await against(ada, "2018-06-01"), ofAda.slice(1));
      assert.deepEqual([await against(eve), await against(fay)], [[], []]);
      assert.deepEqual(await against(gil), ["other_target cleo 2010.. at 2010"]);
      assert.deepEqual(await against(hal), ["other_target dan 2015.. at 2015"], "within its own times");
      const later = await store.readLaterEvidence({ projectId, correctionId: ada, today: "2026-11-28" });
      assert.deepEqual(
        later?.passages.map(({ start, end }) => [start, end]),
        [[0, "ada>p[..2018]>bob".length]],
      );
      const renamed = await apply(scenario, made, { kind: "rename", entity: person("ada"), name: "Zoe" });
      assert.deepEqual(await against(ada), ofAda);
      const named = await store.readLaterEvidence({ projectId, correctionId: renamed, today: "2026-11-28" });
      assert.deepEqual(named, { passages: [], conflicts: [] });
      await ingest(scenario, made, [["e", "bob;ada;ada>p>bob"]], { graphOf });
      const passages = async (correctionId: string) =>
        (await store.readLaterEvidence({ projectId, correctionId, today: "2026-11-28" }))?.passages.map(
          ({ start, end }) => [start, end],
        );
      assert.deepEqual(await passages(renamed), [[4, 7]]);
      assert.deepEqual(await passages(ada), [
        [8, 17],
        [0, 17],
      ]);
      await undo(scenario, made, ada);
      assert.equal(await against(ada), undefined);
    },
  ],
  [
    "verdicts that name too many pairs are refused before these are looked for",
    async (scenario) => {
      const names = Array.from({ length: 150 }, (_, at) => `N${at}`);
      const made = await projectWith(scenario, [["a", `Ada>knows>Bob ${names.join(" ")}`]]);
      const among = (name: string, count: number) => ({
        ...{ type: "Person", name, also: names.slice(0, count).map(person) },
      });
      const verdict = (count: number): CorrectionChange => ({
        ...{ kind: "reject", source: among("Ada", count), target: among("Bob", count), type: "knows" },
        ...{ document: null, sentence: null },
      });
      assert.equal((await add(scenario, made, verdict(150))).kind, "too_many_pairs");
      assert.deepEqual(await edgesOf(scenario, made), ["ada knows bob 1"]);
      await apply(scenario, made, verdict(100));
      assert.deepEqual(await edgesOf(scenario, made), []);
    },
  ],
  [
    "corrections are of their project alone, bounded, count as stored bytes, and go with it",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [["a", "Ada"]]);
      const { projectId, accountId } = made;
      const stored = async () => (await store.readAccountUse({ accountId, month })).storedBytes;
      const before = await stored();
      const id = await apply(scenario, made, { kind: "rename", entity: person("Ada"), name: "Zoe" });
      const other = await scenario.project();
      assert.equal(await store.undoCorrection({ projectId: other.projectId, correctionId: id }), false);
      assert(before < (await stored()));
      const input = {
        ...{ projectId, corrections: [], maxPerProject: 0, maxBytesPerProject: 1e9, maxNamesPerProject: 1e9 },
        maxStoredBytes: null,
      };
      assert.equal((await store.addCorrections({ ...input, accountId: "x" })).kind, "project_gone");
      assert.equal((await store.addCorrections({ ...input, accountId })).kind, "too_many");
      const long = { ...input, accountId, maxPerProject: 9, maxBytesPerProject: 1, maxNamesPerProject: 1e9 };
      assert.equal((await store.addCorrections(long)).kind, "too_long");
      const ends = { source: person("Ada"), target: person("Bo"), type: "knows" };
      const verdict: CorrectionChange = { kind: "confirm", ...ends, document: null, sentence: null };
      // One name of the rename, two of the verdict.
      assert.equal((await add(scenario, made, verdict, { maxNamesPerProject: 2 })).kind, "too_many_names");
      const added = await add(scenario, made, verdict, { maxNamesPerProject: 3 });
      assert.equal(added.kind, "accepted");
      await undo(scenario, made, added.correctionId);
      await undo(scenario, made, id);
      assert.equal(await stored(), before);
      await apply(scenario, made, { kind: "rename", entity: person("Ada"), name: "Zoe" });
      await store.deleteProject({ projectId });
      assert.equal(await stored(), 0);
    },
  ],
];
