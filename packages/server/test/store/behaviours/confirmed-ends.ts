import assert from "node:assert/strict";
import { searchProposals } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, ingest } from "../scenario.ts";
import { factsAllowed } from "./correction-histories.ts";
import { apply, edgesOf, projectWith, undo } from "./corrections.ts";
import { graphOf } from "./graph-facts.ts";
import { entitiesOf } from "./graph-ledger.ts";

const page = { limit: 100, offset: 0 };
const person = (name: string) => ({ type: "Person", name, also: [] });

export const confirmedEndBehaviours: readonly Behaviour[] = [
  [
    "an end of a confirmed proposal is of the entity that has its name under another type, until that is undone",
    async (scenario) => {
      const { store } = scenario;
      const made = await projectWith(scenario, [
        ["a", "City:Ulm"],
        ["b", "Ada>>knows>Ulm;Bob>>knows>Ulm"],
      ]);
      const { projectId } = made;
      const key = (type: string, name: string) => ({ type, key: name });
      const factOf = (name: string) => ({
        ...{ type: "knows", source: key("Person", name), target: key("Person", "ulm") },
      });
      const find = (inTurn: boolean, names: readonly string[]) =>
        store.findConfirmedEnds({ projectId, inTurn, facts: names.map(factOf) });
      const [found] = await find(false, ["ada"]);
      assert.deepEqual([found?.source.type, found?.source.others], ["Person", []]);
      const typesOf = (ends: typeof found) => ends?.target.others.map(({ type }) => type);
      assert.deepEqual([found?.target.type, typesOf(found)], ["City", ["City"]]);
      const inTurn = await find(true, ["ada", "bob"]);
      assert.deepEqual(
        inTurn.map(({ target }) => target.type),
        ["City", "City"],
      );
      const verdict = (name: string) => ({
        ...{ kind: "confirm" as const, source: person(name), type: "knows", target: person("Ulm") },
        ...{ document: null, sentence: null },
      });
      const id = await apply(scenario, made, { ...verdict("Ada"), targetType: "City" });
      const places = async () => (await entitiesOf(scenario, projectId, ["ulm"])).map(({ type }) => type);
      assert.deepEqual([await edgesOf(scenario, made), await places()], [["Ada knows Ulm 1!"], ["City"]]);
      await apply(scenario, made, {
        kind: "rename",
        entity: { ...key("City", ""), name: "Ulm", also: [] },
        name: "Bonn",
      });
      assert.deepEqual(await edgesOf(scenario, made), ["Ada knows Bonn 1!"]);
      await undo(scenario, made, id);
      assert.deepEqual(await edgesOf(scenario, made), []);
      await apply(scenario, made, verdict("Bob"));
      const bob = await find(false, ["ada"]);
      assert.deepEqual([bob[0]?.target.type, bob[0]?.target.others], ["Person", []], "now it is one");
    },
  ],
  [
    "a proposal that the ontology does not allow between what its ends are taken for stays one",
    async (scenario) => {
      const made = await scenario.project({
        ontologyId: scenario.id("ontology"),
        allowedFacts: factsAllowed(["knows"]),
      });
      await ingest(scenario, made, [["a", "Gone:Ulm;Ada>>knows>Ulm"]], { graphOf });
      const target = { type: "Person", key: "ulm" };
      const facts = [{ type: "knows", source: { type: "Person", key: "ada" }, target }];
      const { projectId } = made;
      const [found] = await scenario.store.findConfirmedEnds({ projectId, inTurn: false, facts });
      assert.deepEqual([found?.target.type, found?.target.others.length], ["Person", 1]);
      await apply(scenario, made, {
        ...{ kind: "confirm", source: person("Ada"), type: "knows", target: person("Ulm") },
        ...{ document: null, sentence: null, targetType: "Gone" },
      });
      assert.deepEqual(await edgesOf(scenario, made), []);
      const search = { projectId, type: null, entityId: null, page };
      assert.equal((await searchProposals(scenario.store, search)).total, 1);
    },
  ],
];
