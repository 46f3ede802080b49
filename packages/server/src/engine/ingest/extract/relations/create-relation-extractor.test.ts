import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { createRelationExtractor } from "./create-relation-extractor.ts";
import type { EncodedSentence, RelationSentence } from "./relation-types.ts";

const tag = createTagger();

/** No model: words of the same first letters point the same way. */
async function embed(text: string): Promise<Float32Array> {
  const vector = new Float32Array(384);
  for (const word of text.toLowerCase().split(/\W+/)) {
    let hash = 7;
    for (const character of word.slice(0, 5)) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 384;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / norm);
}

/** States that say nothing. */
function encodedOf(tokens: readonly TaggedToken[]): EncodedSentence {
  return {
    vector: new Float32Array(384),
    states: new Float32Array(384 * tokens.length),
    dimensions: 384,
    starts: tokens.map(({ start }) => start),
    ends: tokens.map(({ end }) => end),
  };
}

const encode = async (text: string) => encodedOf(tag(text, { start: 0, end: text.length }));

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { Company: {}, Person: {}, Date: {} } }],
      edge_types: [
        { name: "FOUNDED_BY", source_types: ["Company"], target_types: ["Person"], temporal: false },
        { name: "INCEPTION", source_types: ["Company"], target_types: ["Date"] },
        { name: "WORKS_FOR", source_types: ["Person"], target_types: ["Company"], temporal: true },
        { name: "ACQUIRED", source_types: ["Company"], target_types: ["Company"] },
      ],
    },
  }),
);

const companies = new Set(["Northwind", "Southwind Traders"]);
const people = new Set(["Ida Holm", "Lars Dahl"]);

function sentenceOf(text: string, index = 0, offset = 0): RelationSentence {
  const padded = " ".repeat(offset) + text;
  const tokens = tag(padded, { start: offset, end: padded.length });
  const mentions = findEntityMentions(tokens).map((mention) => {
    const name = padded.slice(mention.start, mention.end);
    const typeScores = Float32Array.of(companies.has(name) ? 0.9 : 0.01, people.has(name) ? 0.9 : 0.01, 0);
    return { ...mention, typeScores };
  });
  return { index, tokens, mentions, encoded: encodedOf(tokens), offset: 0 };
}

async function extract(texts: readonly string[], minConfidence = 0.15) {
  const extractor = await createRelationExtractor(schema, { embed, tag, encode, minConfidence });
  const whole = texts.join(" ");
  let offset = 0;
  const sentences = texts.map((text, index) => {
    const sentence = sentenceOf(text, index, offset);
    offset += text.length + 1;
    return sentence;
  });
  const found = await extractor.extract({ sentences, documentSubject: null });
  return found.map((one) => ({
    ...one,
    triple: [
      whole.slice(one.source.start, one.source.end),
      one.type,
      whole.slice(one.target.start, one.target.end),
    ].join(" "),
  }));
}

const triplesOf = async (texts: readonly string[]) => (await extract(texts)).map(({ triple }) => triple);

test("A relation is found with its ends, their types and its sentence.", async () => {
  const found = await extract(["Northwind is a company founded by Ida Holm."]);
  const founded = found.find(({ triple }) => triple === "Northwind FOUNDED_BY Ida Holm");
  assert.ok(founded, JSON.stringify(found.map(({ triple, confidence }) => [triple, confidence])));
  assert.equal(founded.sourceType, "Company");
  assert.equal(founded.targetType, "Person");
  assert.equal(founded.sentence, 0);
  assert.equal(founded.isNegated, false);
  assert.ok(founded.confidence > 0 && founded.confidence <= 1);
});

test("A date is the target of an edge type that takes dates, and of no other.", async () => {
  const found = await extract(["Northwind is a company founded in 1931 by Ida Holm."], 0.05);
  assert.ok(found.some(({ triple }) => triple === "Northwind INCEPTION 1931"));
  assert.ok(found.every(({ type, triple }) => (type === "INCEPTION") === triple.endsWith("1931")));
});

test("Every relation is one that the ontology allows.", async () => {
  const found = await extract(
    ["Ida Holm works for Northwind, which acquired Southwind Traders from Lars Dahl."],
    0.001,
  );
  for (const { type, sourceType, targetType } of found) {
    const edge = schema.edgeTypes.find(({ name }) => name === type);
    assert.ok(edge?.sourceTypes.includes(sourceType) && edge.targetTypes.includes(targetType));
  }
});

test("A pronoun at the beginning stands for the subject of the sentence before.", async () => {
  const triples = await triplesOf(["Northwind is a company.", "It was founded by Ida Holm."]);
  assert.ok(triples.includes("Northwind FOUNDED_BY Ida Holm"), triples.join("; "));
});

test("A sentence with another subject keeps it.", async () => {
  const triples = await triplesOf(["Northwind is a company.", "Southwind Traders was founded by Ida Holm."]);
  assert.ok(!triples.includes("Northwind FOUNDED_BY Ida Holm"), triples.join("; "));
});

test("A hedged clause, a supposition and a question state nothing.", async () => {
  for (const text of [
    "Northwind may have been founded by Ida Holm.",
    "Was Northwind founded by Ida Holm?",
    "Northwind was allegedly founded by Ida Holm.",
    "Northwind may acquire Southwind Traders.",
  ])
    assert.deepEqual(await triplesOf([text]), [], text);
});

test("A negated relation says so.", async () => {
  const found = await extract(["Northwind was not founded by Ida Holm."], 0.05);
  const founded = found.filter(({ type }) => type === "FOUNDED_BY");
  assert.ok(founded.length > 0);
  assert.ok(founded.every(({ isNegated }) => isNegated));
});

test("No relation is given both ways round.", async () => {
  const found = await extract(["Northwind acquired Southwind Traders."], 0.001);
  const acquired = found.filter(({ type }) => type === "ACQUIRED");
  assert.equal(acquired.length, 1);
});

test("A sentence without names, an empty one and an ontology without edge types give nothing.", async () => {
  assert.deepEqual(await extract(["it rained."], 0.001), []);
  assert.deepEqual(await extract([""], 0.001), []);
  const empty = await createRelationExtractor({ ...schema, edgeTypes: [] }, { embed, tag, encode });
  const sentences = [sentenceOf("Northwind was founded by Ida Holm.")];
  assert.deepEqual(await empty.extract({ sentences, documentSubject: null }), []);
});

test("The same text gives the same relations, whatever was read before.", async () => {
  const extractor = await createRelationExtractor(schema, { embed, tag, encode, minConfidence: 0.01 });
  const input = {
    sentences: [sentenceOf("Northwind was founded by Ida Holm in 1931.")],
    documentSubject: null,
  };
  const before = await extractor.extract(input);
  await extractor.extract({
    sentences: [sentenceOf("Lars Dahl works for Southwind Traders.")],
    documentSubject: null,
  });
  assert.deepEqual(await extractor.extract(input), before);
});
