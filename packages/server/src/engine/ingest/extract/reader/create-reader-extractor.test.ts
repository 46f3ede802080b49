import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts } from "../../../../domain/graph.ts";
import type { EntityReader, ReaderLabels, ReaderReading } from "../../../../ports/entity-reader.ts";
import { ExtractionSkippedError } from "../model/create-model-extractor.ts";
import type { ExtractedChunk } from "../model/find-names.ts";
import { chunkOf } from "../model/test-chunk.ts";
import { createReaderExtractor, type UnreadTypes } from "./create-reader-extractor.ts";

const TEXT = "Tove Lind was born in Varde. She works for Harl Guild.";
const SCHEMA_JSON = JSON.stringify({
  ontology: {
    hierarchy: [{ level: 0, node_types: { Person: {}, Company: {}, City: {} } }],
    edge_types: [
      { name: "BORN_IN", source_types: ["Person"], target_types: ["City"] },
      { name: "WORKS_FOR", source_types: ["Person"], target_types: ["Company"] },
    ],
  },
});
const EMPTY: ChunkFacts = {
  entities: [],
  relationships: [],
  properties: [],
  aliases: [],
  candidates: [],
  unfit: [],
};

const spanOf = (words: string) => ({ start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length });
const entity = (words: string, label: number, score = 0.9) => ({ ...spanOf(words), label, score });
const READING: ReaderReading = {
  entities: [entity("Tove Lind", 0), entity("Varde", 2, 0.6), entity("She", 0), entity("Harl Guild", 1)],
  unread: { entities: 0, relations: 0 },
  relations: [
    { source: 0, target: 1, label: 0, confidence: 0.95 },
    { source: 0, target: 3, label: 1, confidence: 0.5 },
    { source: 3, target: 0, label: 1, confidence: 0.99 },
    { source: 2, target: 3, label: 1, confidence: 0.99 },
    { source: 0, target: 1, label: 1, confidence: 0.1 },
  ],
};

function scripted(reading: ReaderReading | ((labels: ReaderLabels) => Promise<ReaderReading>), atOnce = 2) {
  const asked: ReaderLabels[] = [];
  const reader: EntityReader = {
    model: "local/tiny@00000000",
    async read(_text, labels) {
      asked.push(labels);
      return typeof reading === "function" ? reading(labels) : reading;
    },
  };
  const unread: UnreadTypes[] = [];
  const extractor = createReaderExtractor({ reader, atOnce, onUnread: (types) => unread.push(types) });
  const ask = (
    hasOntology: boolean,
    changes: {
      isWanted?: () => boolean;
      limits?: { asserted: number; proposed: number };
      chunk?: ExtractedChunk;
      schemaJson?: string;
    } = {},
  ) =>
    extractor.ask({
      chunk: changes.chunk ?? chunkOf(TEXT),
      ontology: hasOntology ? { ontologyId: "o", schemaJson: changes.schemaJson ?? SCHEMA_JSON } : null,
      confidenceLimits: changes.limits ?? null,
      meter: { accountId: "a", projectId: "p", jobId: "j" },
      isWanted: changes.isWanted ?? (() => true),
      signal: new AbortController().signal,
    });
  return { asked, ask, unread };
}

test("names are entities with the model's score; relations that the ontology allows are asserted or proposed by their confidence", async () => {
  const { asked, ask } = scripted(READING);
  const { joinWith, isPaid } = await ask(true);
  const { own, joined } = joinWith(EMPTY);
  assert.equal(isPaid, false);
  assert.deepEqual(
    asked[0]?.relations.map(({ label }) => label),
    ["born in", "works for"],
  );
  assert.deepEqual(
    own?.entities.map(({ type, key, confidence, start }) => [type, key, confidence, start]),
    [
      ["Person", "tove lind", 0.9, 100],
      ["City", "varde", 0.6, 122],
      ["Company", "harl guild", 0.9, 143],
    ],
  );
  const [born, ...others] = joined.relationships;
  assert.deepEqual(others, []);
  assert.deepEqual(born, {
    type: "BORN_IN",
    source: { type: "Person", key: "tove lind" },
    target: { type: "City", key: "varde" },
    ...{ confidence: 0.95, extractor: "reader", validFrom: null, validTo: null, timing: null },
    ...{ start: 100, end: 128 },
  });
  assert.deepEqual(
    joined.proposals?.map(({ type, sourceName, targetName, start, end }) => [
      type,
      sourceName,
      targetName,
      start,
      end,
    ]),
    [["WORKS_FOR", "Tove Lind", "Harl Guild", 100, 154]],
  );
  assert.deepEqual(
    own?.unfit.map(({ kind, sourceType, name, targetType }) => [kind, sourceType, name, targetType]),
    [
      ["relationship", "Company", "WORKS_FOR", "Person"],
      ["relationship", "Person", "WORKS_FOR", "City"],
    ],
  );
});

test("a relation is known at its document's date only where its sentence tells of the present", async () => {
  const knownAt = async (text: string) => {
    const at = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
    const entities = [
      { ...at("Tove Lind"), label: 0, score: 0.9 },
      { ...at("Harl Guild"), label: 1, score: 0.9 },
    ];
    const relations = [{ source: 0, target: 1, label: 1, confidence: 0.99 }];
    const { ask } = scripted({ entities, relations, unread: { entities: 0, relations: 0 } });
    const schemaJson = SCHEMA_JSON.replace('"WORKS_FOR"', '"WORKS_FOR","temporal":true');
    const chunk = chunkOf(text, { documentDate: "2020-05-04" });
    const { joinWith } = await ask(true, { chunk, schemaJson });
    return joinWith(EMPTY).joined.relationships.map(({ timing }) => timing?.knownAt);
  };
  assert.deepEqual(await knownAt("Tove Lind works for Harl Guild."), ["2020-05-04"]);
  assert.deepEqual(await knownAt("Tove Lind worked for Harl Guild."), [null]);
});

test("the project's limits decide what is asserted", async () => {
  const { ask } = scripted(READING);
  const { joinWith } = await ask(true, { limits: { asserted: 0.5, proposed: 0.05 } });
  assert.deepEqual(
    joinWith(EMPTY).joined.relationships.map(({ type }) => type),
    ["BORN_IN", "WORKS_FOR"],
  );
});

test("without an ontology, names have broad types, and there are no relations", async () => {
  const { asked, ask } = scripted({
    ...READING,
    entities: [entity("Tove Lind", 0), entity("Varde", 2)],
    relations: [],
  });
  const { joinWith } = await ask(false);
  assert.deepEqual(
    joinWith(EMPTY).joined.entities.map(({ type, name }) => [type, name]),
    [
      ["Person", "Tove Lind"],
      ["Location", "Varde"],
    ],
  );
  assert.deepEqual(asked[0]?.relations, []);
});

test("types that the model is not asked for are told once, with their ontology", async () => {
  const none = scripted(READING);
  await none.ask(true);
  assert.deepEqual(none.unread, []);
  const { ask, unread } = scripted({ ...READING, unread: { entities: 75, relations: 3 } });
  await ask(true);
  await ask(true);
  assert.deepEqual(unread, [{ projectId: "p", ontologyId: "o", nodeTypes: 75, edgeTypes: 3 }]);
});

test("a chunk that is not wanted any more when its turn comes is not read", async () => {
  const first = Promise.withResolvers<ReaderReading>();
  const { asked, ask } = scripted(() => first.promise, 1);
  let isWanted = true;
  const running = ask(true);
  const waiting = ask(true, { isWanted: () => isWanted });
  isWanted = false;
  first.resolve(READING);
  await running;
  await assert.rejects(waiting, ExtractionSkippedError);
  assert.equal(asked.length, 1);
});
