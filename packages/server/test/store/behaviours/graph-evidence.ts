import assert from "node:assert/strict";
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import type { RelationshipMention } from "../../../src/domain/graph.ts";
import type { Moment } from "../../../src/domain/validity.ts";
import type { ChunkGraph, RelationshipPlace } from "../../../src/ports/graph-store.ts";
import { searchProposals, searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { relationshipsFrom } from "../../../src/services/graph/relationships.ts";
import { type Behaviour, ingest, type Scenario } from "../scenario.ts";
import { noFacts } from "./graph-facts.ts";
import { entitiesOf } from "./graph-ledger.ts";

type Document = readonly [string, string];

const page = { limit: 9, offset: 0 };
const bob = { type: "Person", key: "bob" };

/**
 * `90@100`: at the offset 100, Ada knows Bob with a confidence of 0.9. `countess:90@100`: the same of her other name.
 * `90@100[1990..1995]`: from 1990 to 1995.
 */
function edgeOf(word: string): RelationshipMention {
  const [, name = "ada", confidence, start, from, to] =
    /^(?:(\w+):)?(\d+)@(\d+)(?:\[([\d-]*)\.\.([\d-]*)\])?$/.exec(word) ?? [];
  const source = { type: "Person", key: name };
  const span = { start: Number(start), end: Number(start) + 10 };
  const rest = { extractor: "test", validFrom: from || null, validTo: to || null };
  return { type: "knows", source, target: bob, confidence: Number(confidence) / 100, ...rest, ...span };
}

const graphOf =
  (kind: "relationships" | "proposals") =>
  ({ position, text }: EmbeddedChunk): ChunkGraph => {
    const edge = edgeOf(text);
    const { start, end } = edge;
    const ends = [
      { ...edge.source, name: edge.source.key },
      { ...bob, name: "bob" },
    ];
    const facts = {
      ...noFacts,
      entities: ends.map((named) => ({ ...named, confidence: 1, start, end })),
      aliases: [{ type: "Person", key: "ada", alias: "countess", start, end }],
      [kind]: [{ ...edge, sourceName: edge.source.key, targetName: "bob" }],
    };
    return { position, passage: null, subjects: [], facts };
  };

async function projectWith(
  scenario: Scenario,
  kind: "relationships" | "proposals",
  documents: readonly Document[],
): Promise<string> {
  const made = await scenario.project();
  for (const document of documents) await ingest(scenario, made, [document], { graphOf: graphOf(kind) });
  return made.projectId;
}

interface Found {
  readonly confidence: number | null;
  readonly evidence: readonly RelationshipPlace[];
}

/** The one relationship or proposal, in every way in which it is read with its sentences. */
async function readAll(
  scenario: Scenario,
  kind: "relationships" | "proposals",
  { projectId, date }: { readonly projectId: string; readonly date?: string },
): Promise<readonly string[]> {
  const asOf: Moment | null = date === undefined ? null : { date, by: "request" };
  const { store } = scenario;
  const search = { projectId, type: null, entityId: null, asOf, page };
  const entityIds = (await entitiesOf(scenario, projectId, ["ada", "bob"])).map(({ entityId }) => entityId);
  const export_ = { projectId, after: null, asOf, limit: 9 };
  const found: readonly (readonly Found[])[] =
    kind === "relationships"
      ? [
          (await searchRelationships(store, search)).relationships,
          (await Array.fromAsync(relationshipsFrom(store, { projectId, entityIds, asOf }))).flat(),
          await store.findRelationships({ projectId, entityIds, asOf, limit: 9 }),
        ]
      : [
          (await searchProposals(store, search)).proposals,
          (await store.listProposalsFrom({ ...export_, nodeIds: entityIds })).proposals,
        ];
  return found.map((list) => {
    const lines = list.map(
      ({ confidence, evidence }) =>
        `${confidence}: ${evidence.map((place) => `${Math.round(place.confidence * 100)}@${place.start}`).join(" ")}`,
    );
    return lines.join("; ");
  });
}

const inOrder: readonly Document[] = [
  ["a", "42@0"],
  ["b", "44@0"],
  ["c", "46@0"],
  ["d", "79@7"],
  ["e", "60@8"],
  ["f", "50@9"],
];

const kinds = ["relationships", "proposals"] as const;

const sentenceBehaviours: readonly Behaviour[] = kinds.flatMap((kind): readonly Behaviour[] => [
  [
    `the surest sentences of ${kind} are shown, whatever was ingested first, and the confidence is that of the surest`,
    async (scenario) => {
      for (const documents of [inOrder, inOrder.toReversed()]) {
        const projectId = await projectWith(scenario, kind, documents);
        const all = await readAll(scenario, kind, { projectId });
        assert.deepEqual(new Set(all), new Set(["0.79: 79@7 60@8 50@9"]));
        const surest = { projectId, sourceDocId: "d", now: 9_000, errorMessage: "deleted" };
        await scenario.store.deleteDocument(surest);
        const left = await readAll(scenario, kind, { projectId });
        assert.deepEqual(new Set(left), new Set(["0.6: 60@8 50@9 46@0"]));
      }
    },
  ],
  [
    `no sentence of ${kind} is shown twice, where chunks overlap or their ends have several names`,
    async (scenario) => {
      const text = "70@0 78@100 78@100 75@105 countess:76@200 77@200 45@300 44@400";
      const projectId = await projectWith(scenario, kind, [["a", text]]);
      const all = await readAll(scenario, kind, { projectId });
      assert.deepEqual(new Set(all), new Set(["0.78: 78@100 77@200 70@0"]));
    },
  ],
]);

export const evidenceBehaviours: readonly Behaviour[] = [
  ...sentenceBehaviours,
  [
    "as of a time, a relationship has the sentences that hold then, and is not there without any",
    async (scenario) => {
      const projectId = await projectWith(scenario, "relationships", [
        ["a", "90@0[1990..1995]"],
        ["b", "80@0[1995-06..]"],
        ["c", "countess:70@0[..1992-03-31]"],
      ]);
      const expected = {
        "1980": "0.7: 70@0",
        "1992-03": "0.9: 90@0 70@0",
        "1992-04-01": "0.9: 90@0",
        "1995-12-31": "0.9: 90@0 80@0",
        "2031": "0.8: 80@0",
      };
      for (const [date, line] of Object.entries(expected)) {
        const found = await readAll(scenario, "relationships", { projectId, date });
        assert.deepEqual(found, [line, line, line], date);
      }
      const { store } = scenario;
      const counted = async (date: string) => {
        const asOf: Moment = { date, by: "request" };
        const input = { projectId, type: "knows", entityId: null, asOf, page };
        const { relationships, total } = await searchRelationships(store, input);
        return [total, ...relationships.map(({ chunks }) => chunks)];
      };
      assert.deepEqual(await counted("1992"), [1, 2]);
      const other = await projectWith(scenario, "relationships", [["a", "90@0[1990..1995]"]]);
      assert.deepEqual(await readAll(scenario, "relationships", { projectId: other, date: "1996" }), [
        "",
        "",
        "",
      ]);
    },
  ],
];
