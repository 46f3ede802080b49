import assert from "node:assert/strict";
import type { EdgePlace, Proposal, ProposalSource } from "../../../src/ports/graph-browser.ts";
import type { Store } from "../../../src/ports/store.ts";
import { searchProposals, searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { type Behaviour, ingest, type Scenario } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";
import { entitiesOf, lastCreated } from "./graph-ledger.ts";

type ListedProposals = Awaited<ReturnType<Store["listProposalsFrom"]>>;

const page = { limit: 100, offset: 0 };

async function projectWith(scenario: Scenario, documents: readonly (readonly [string, string])[]) {
  const made = await scenario.project();
  await ingest(scenario, made, documents, { graphOf });
  return made.projectId;
}

function lineOf({ source, type, target, chunks }: Proposal): string {
  const ends = [source, target].map(({ entityId, name }) => (entityId === null ? `(${name})` : name));
  return `${ends[0]} ${type} ${ends[1]} ${chunks}`;
}

async function list({ store }: Scenario, projectId: string, filter: object = {}) {
  const input = { projectId, type: null, entityId: null, page, ...filter };
  const { proposals, total } = await searchProposals(store, input);
  return { proposals, total, lines: proposals.map(lineOf) };
}

export const proposalBehaviours: readonly Behaviour[] = [
  [
    "proposals are counted by the types of their ends, without what is asserted",
    async (scenario) => {
      const { store } = scenario;
      const projectId = await projectWith(scenario, [
        ["a", "Ada>>knows>Bob City:Ulm;City:Ulm>>houses>Ada;Ada>>likes>Cid"],
        ["b", "Ada>>knows>Dan;Ada>likes>Cid"],
        ["c", "Ada>>knows>Dan"],
      ]);
      const fact = (type: string, sourceType: string, count: number) => {
        return { type, sourceType, targetType: "Person", count };
      };
      const types = await store.readProposalTypes({ projectId });
      assert.deepEqual(types, [fact("knows", "Person", 2), fact("houses", "City", 1)]);
    },
  ],
  [
    "a proposal is listed with its sentence, and neither it nor its ends are in the graph",
    async (scenario) => {
      const { store } = scenario;
      const projectId = await projectWith(scenario, [["a", "Ada;Ada>>knows>Bob Dan>>likes>Cid"]]);
      const { proposals, lines, total } = await list(scenario, projectId);
      assert.deepEqual([lines, total], [["Ada knows (Bob) 1", "(Dan) likes (Cid) 1"], 2]);
      assert.deepEqual(
        proposals[0]?.evidence.map(({ versionId, position, start, end }) => [
          versionId,
          position,
          start,
          end,
        ]),
        [[1, 0, 4, 18]],
      );
      assert.equal(proposals[0]?.confidence, 0.254);
      assert.deepEqual(
        (await entitiesOf(scenario, projectId, ["ada", "bob", "cid", "dan"])).map(({ name }) => name),
        ["Ada"],
      );
      assert.deepEqual(await lastCreated(scenario, projectId), [1, 0]);
      const types = await store.readGraphTypes({ projectId });
      assert.deepEqual(types, { entities: [{ type: "Person", count: 1 }], relationships: [] });
      const [ada] = await entitiesOf(scenario, projectId, ["ada"]);
      assert(ada);
      const { entityId } = ada;
      assert.deepEqual(await store.findRelationships({ projectId, entityIds: [entityId], limit: 9 }), []);
      assert.deepEqual(
        (await searchRelationships(store, { projectId, type: null, entityId: null, page })).relationships,
        [],
      );
      assert.deepEqual(
        (await store.searchEntities({ projectId, part: "", type: null, page })).entities.length,
        1,
      );
      assert.deepEqual(
        (await store.searchEntities({ projectId, part: "bo", type: null, page })).entities,
        [],
      );
    },
  ],
  [
    "a relationship that is both asserted and proposed is asserted, whatever names its ends have there",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada>>knows>Bob Ada~Countess Ada>>likes>Bob"],
        ["b", "Countess>knows>Bob"],
        ["c", "Bob>knows>Cid;Bob>>knows>Cid"],
      ]);
      assert.deepEqual((await list(scenario, projectId)).lines, ["Ada likes Bob 1"]);
      await scenario.store.deleteDocument({
        projectId,
        sourceDocId: "b",
        now: 3_000,
        errorMessage: "deleted",
      });
      assert.deepEqual((await list(scenario, projectId)).lines.sort(), [
        "Ada knows Bob 1",
        "Ada likes Bob 1",
      ]);
    },
  ],
  [
    "proposals are put together over the names of their ends, the most confident first, by type and entity",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada>>knows>Bob Ada~Countess Cid;Bob;Bob>>knows>Cid"],
        ["b", "Countess>>knows>Bob;Cid>>likes>Ada"],
      ]);
      const all = ["Cid likes Ada 1", "Bob knows Cid 1", "Ada knows Bob 2"];
      assert.deepEqual(await list(scenario, projectId).then(({ lines, total }) => [lines, total]), [all, 3]);
      assert.deepEqual((await list(scenario, projectId, { type: "knows" })).lines, all.slice(1));
      assert.deepEqual((await list(scenario, projectId, { type: "" })).lines, []);
      const [cid] = await entitiesOf(scenario, projectId, ["cid"]);
      assert.deepEqual((await list(scenario, projectId, { entityId: cid?.entityId })).lines, all.slice(0, 2));
      const second = await list(scenario, projectId, { page: { limit: 1, offset: 1 } });
      assert.deepEqual([second.lines, second.total], [[all[1]], 3]);
      assert.equal((await list(scenario, projectId, { page: { limit: 1, offset: 9 } })).total, 3);
      const other = await projectWith(scenario, [["a", "Ada"]]);
      assert.deepEqual((await list(scenario, other)).lines, []);
      assert.deepEqual((await list(scenario, other, { entityId: cid?.entityId })).lines, []);
    },
  ],
  [
    "proposals come page by page behind cursors, each once, whether their sources are entities or not",
    async (scenario) => {
      const { store } = scenario;
      const words = Array.from({ length: 9 }, (_, at) => `Hub>>r${at % 3}>T${at}`);
      const projectId = await projectWith(scenario, [["a", ["Hub", ...words, "T1>>back>Hub"].join(" ")]]);
      const seen: Proposal[] = [];
      let source: ProposalSource | null = null;
      for (;;) {
        const sources: readonly ProposalSource[] = await store.listProposalSources({
          projectId,
          after: source,
          limit: 3,
        });
        source = sources.at(-1) ?? null;
        if (source === null) break;
        const nodeIds = sources.map(({ nodeId }) => nodeId);
        let after: EdgePlace | null = null;
        do {
          const step: ListedProposals = await store.listProposalsFrom({
            projectId,
            nodeIds,
            after,
            limit: 4,
          });
          seen.push(...step.proposals);
          after = step.next;
        } while (after !== null);
      }
      const expected = words.map((word) => word.replace(/^Hub>>(\w+)>(\w+)$/, "Hub $1 ($2) 1"));
      assert.deepEqual(seen.map(lineOf).sort(), ["(T1) back Hub 1", ...expected].sort());
      const { projectId: other } = await scenario.project();
      const nodeIds = seen.map((proposal) => proposal.source.nodeId);
      const foreign = await store.listProposalsFrom({ projectId: other, nodeIds, after: null, limit: 9 });
      assert.deepEqual(foreign.proposals, []);
    },
  ],
];
