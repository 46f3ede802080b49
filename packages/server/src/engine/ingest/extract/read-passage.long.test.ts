import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type ClosableEmbedder, openMiniLmEmbedder } from "../../../adapters/models/minilm-embedder.ts";
import type { ConfidenceLimits } from "../../../domain/graph.ts";
import { checkFact, hasNodeType, parseOntology } from "../../../domain/ontology-schema.ts";
import type { PassageReader } from "../../../ports/passage-reader.ts";
import { outlineDocument } from "../outline.ts";
import { createPassageReader } from "./read-passage.ts";
import { createTagger } from "./statements/create-tagger.ts";

const MODEL_CACHE = fileURLToPath(
  new URL("../../../../../../node_modules/.cache/kcs-models", import.meta.url),
);

interface Case {
  readonly title: string;
  readonly ontology: unknown;
  readonly text: string;
}

describe("a passage reader", () => {
  let model: ClosableEmbedder;
  let reader: PassageReader;
  let cases: readonly Case[];
  let encoded = 0;
  before(async () => {
    await mkdir(MODEL_CACHE, { recursive: true });
    model = await openMiniLmEmbedder(MODEL_CACHE);
    const encode = (text: string) => {
      encoded++;
      return model.encode(text);
    };
    reader = createPassageReader({ embed: model.embed, encode, tag: createTagger() });
    const file = new URL("./facts/golden/cases.json", import.meta.url);
    cases = JSON.parse(await readFile(file, "utf8")) as readonly Case[]; // Ours.
  });
  after(() => model.close());

  function outlineOf(text: string) {
    const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
    const { sentences, mentions, title } = outlineDocument(text, {})(chunk);
    return { sentences, mentions, documentSubject: title };
  }

  /** The text as a chunk that begins at `start` of its document. */
  function read({ title, ontology, text }: Case, start = 0, confidenceLimits?: ConfidenceLimits) {
    const { sentences, mentions, documentSubject } = outlineOf(text);
    const moved = <Place extends { readonly start: number; readonly end: number }>(place: Place) => ({
      ...place,
      start: place.start + start,
      end: place.end + start,
    });
    return reader.read({
      text,
      start,
      sentences: sentences.map(moved),
      mentions: mentions.map(moved),
      documentSubject,
      confidenceLimits,
      ontology: ontology === null ? null : { ontologyId: title, schemaJson: JSON.stringify({ ontology }) },
    });
  }

  it("asserts no relationship of an ontology for names that no word of the sentence relates so", async () => {
    const texts = [
      "Orla Finch saw the ketch Brantail.",
      "The ketch Brantail came to Arendal with Orla Finch.",
    ];
    for (const name of ["REPAINTED_BY", "BAKES", "OWES_RENT_TO"]) {
      const edge = { name, source_types: ["Vessel"], target_types: ["Person"] };
      const hierarchy = [{ level: 0, node_types: { Person: {}, Vessel: {} } }];
      for (const text of texts) {
        const { facts } = await read({ title: name, ontology: { hierarchy, edge_types: [edge] }, text });
        assert.deepEqual(facts.relationships, [], `${name}: ${text}`);
      }
    }
  });

  it("asserts nothing that its only sentence denies, supposes or leaves to others, with an ontology and without", async () => {
    const edge = (name: string, source: string, target: string) => {
      return { name, source_types: [source], target_types: [target] };
    };
    const ontology = {
      hierarchy: [{ level: 0, node_types: { Person: {}, Organization: {}, Location: {} } }],
      edge_types: [
        edge("BORN_IN", "Person", "Location"),
        edge("FOUNDED", "Person", "Organization"),
        edge("ACQUIRED", "Organization", "Organization"),
        edge("WORKS_FOR", "Person", "Organization"),
      ],
    };
    const assertedIn = async (text: string) => {
      const counts: number[] = [];
      for (const one of [null, ontology]) {
        const { facts } = await read({ title: "denied", ontology: one, text });
        counts.push(facts.relationships.length);
      }
      return counts;
    };
    for (const text of [
      "Harriet Voss was not, contrary to the brochure, born in Trondheim.",
      "It is simply wrong that Yusuf Okar was born in Cairo.",
      "Hardly anyone thinks Piet Hoven founded Zuider Gas.",
      "The notion that Greta Moll worked for Pontus Rail is absurd.",
      'The headline "Torrent Oil acquires Ridge Gas" was false.',
      "Had Viktor Lamm founded Orbis Air, it would be famous today.",
      "All the brothers but Jens Hvid were born in Aarhus.",
      "Sofia Brandt is scarcely the founder of Iris Optics.",
      "Canton Steel nearly acquired Lowell Iron.",
      "In the film, Max Orlando founded Titan Robotics.",
    ])
      assert.deepEqual(await assertedIn(text), [0, 0], text);
    for (const text of [
      "The court confirmed that Peder Stamm founded Vexel Bank.",
      "Karl Jessen worked for Thule Fish for almost ten years.",
      "Rolf Amsel founded Brightwater Energy, but it did not last.",
    ])
      assert.deepEqual(await assertedIn(text), [1, 1], text);
  });

  it("takes a name with an article for what a sentence says that it is, however often it looks like something else", async () => {
    const said = "The Winter Festival is a drama film directed by Ilse Vantreight.";
    for (const text of [
      said,
      `The Winter Festival drew crowds. ${said} Critics liked The Winter Festival.`,
    ]) {
      const { facts } = await read({ title: "film", ontology: null, text });
      const types = facts.entities.filter(({ key }) => key === "winter festival").map(({ type }) => type);
      assert.deepEqual([...new Set(types)], ["Work"]);
      const [directed] = facts.relationships;
      assert.deepEqual([directed?.type, directed?.target.key], ["DIRECTED_BY", "ilse vantreight"]);
    }
  });

  it("runs the model once for a chunk, as it is embedded, for its vector, its sentences' and its facts", async () => {
    const text = "Ada Larsen was born in Oslo. She works for Northwind.";
    await read({ title: "warm", ontology: null, text });
    encoded = 0;
    const { vector, sentenceVectors } = await read({ title: "open", ontology: null, text });
    assert.equal(encoded, 1);
    assert.deepEqual(vector, await model.embed(text));
    assert.equal(sentenceVectors.length, 2 * model.dimensions);
    const under = { header: "People", text, start: 0, ...outlineOf(text), ontology: null };
    assert.deepEqual((await reader.read(under)).vector, await model.embed(`People\n${text}`));
  });

  it("gives other requests a turn before each sentence is typed, read for relations and read for pairs", async () => {
    let turns = 0;
    const turning = createPassageReader({
      ...{ embed: model.embed, encode: model.encode, tag: createTagger() },
      turn: async () => void turns++,
    });
    const text = "Ada Larsen met Lars Dahl. Lars Dahl met Ida Marsk. Ida Marsk met Per Lund.";
    const edge_types = [{ name: "MET", source_types: ["Person"], target_types: ["Person"] }];
    const schemaJson = JSON.stringify({
      ontology: { hierarchy: [{ level: 0, node_types: { Person: {} } }], edge_types },
    });
    const request = { text, start: 0, ...outlineOf(text), ontology: { ontologyId: "turns", schemaJson } };
    assert.equal(request.sentences.length, 3);
    await turning.read(request);
    // What the ontology is made ready with has turns of its own.
    turns = 0;
    await turning.read(request);
    assert.equal(turns, 3 * 3);
  });

  it("gives a sentence that is the whole chunk the vector of the chunk", async () => {
    const text = "Ada Larsen was born in Oslo.";
    const { vector, sentenceVectors } = await read({ title: "open", ontology: null, text });
    assert.deepEqual(
      [...sentenceVectors],
      [...vector].map((value) => Math.round(value * 127) + 0),
    );
  });

  it("runs the model once for the sentences of a chunk that it reads whole, and for the title", async () => {
    await read({ title: "warm", ontology: null, text: "Ada Larsen was born in Oslo." });
    const lines = Array.from({ length: 64 }, (_, at) => `A${String.fromCharCode(97 + (at % 26))} ${at}`);
    for (const text of [lines.join("\n\n"), "Ab\n".repeat(64)]) {
      encoded = 0;
      await read({ title: "open", ontology: null, text });
      assert.equal(encoded, 2);
    }
  });

  it("encodes each distinct sentence without the others where the ontology has examples, which are encoded so", async () => {
    const example = { source: "Ada Larsen", target: "Northwind", text: "Ada Larsen works for Northwind." };
    const types = { source_types: ["Person"], target_types: ["Firm"] };
    const ontology = (examples: readonly object[]) => ({
      hierarchy: [{ level: 0, node_types: { Person: {}, Firm: {} } }],
      edge_types: [{ name: "WORKS_FOR", ...types, examples }],
    });
    const text = "Orla Finch sails. The ketch is old. Orla Finch sails. The ketch is old.";
    for (const [title, examples, runs] of [
      ["untaught", [], 1],
      ["taught", [example], 3],
    ] as const) {
      await read({ title, ontology: ontology(examples), text: "Ada Larsen was born in Oslo." });
      encoded = 0;
      await read({ title, ontology: ontology(examples), text });
      assert.equal(encoded, runs);
    }
  });

  it("never gives what an ontology has no type or no pair for", async () => {
    for (const one of cases.filter(({ ontology }) => ontology !== null)) {
      const schema = parseOntology(JSON.stringify({ ontology: one.ontology }));
      // Its own text, and some that it was not made for.
      for (const other of [one, ...cases.slice(0, 4)]) {
        const { facts } = await read({ ...one, text: other.text });
        assert.ok(facts.entities.every(({ type }) => hasNodeType(schema, type)));
        for (const { type, source, target } of facts.relationships) {
          const fact = { type, sourceType: source.type, targetType: target.type };
          assert.equal(checkFact(schema, fact), "fits", JSON.stringify(fact));
        }
        const declared = (type: string) => schema.nodeTypes.find(({ name }) => name === type)?.properties;
        assert.ok(
          facts.properties.every(({ entity, property }) => declared(entity.type)?.includes(property)),
        );
        assert.ok(facts.aliases.every(({ type }) => hasNodeType(schema, type)));
      }
    }
  });

  it("gives the same facts wherever a chunk stands in its document, and however often it is read", async () => {
    for (const one of cases) {
      const here = await read(one);
      const there = await read(one, 1_000);
      const back = <Place extends { readonly start: number; readonly end: number }>(place: Place) => ({
        ...place,
        start: place.start - 1_000,
        end: place.end - 1_000,
      });
      assert.deepEqual(there.facts.entities.map(back), here.facts.entities, one.title);
      assert.deepEqual(there.facts.relationships.map(back), here.facts.relationships, one.title);
      assert.deepEqual(there.facts.properties.map(back), here.facts.properties, one.title);
      assert.deepEqual(there.facts.aliases.map(back), here.facts.aliases, one.title);
      assert.deepEqual(there.facts.unfit, here.facts.unfit, one.title);
      assert.deepEqual(there.sentenceVectors, here.sentenceVectors, one.title);
    }
  });

  it("takes a pronoun that begins a chunk for whom the text before names", async () => {
    const text = "She founded the Elm Press. She was born in Oslo.";
    const edge = { name: "BORN_IN", source_types: ["Person"], target_types: ["City"] };
    const hierarchy = [{ level: 0, node_types: { Person: {}, City: {} } }];
    const bound = {
      ontologyId: "b",
      schemaJson: JSON.stringify({ ontology: { hierarchy, edge_types: [edge] } }),
    };
    const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
    const { sentences, mentions } = outlineDocument(text, {})(chunk);
    const request = { text, start: 0, sentences, mentions, documentSubject: null };
    for (const ontology of [null, bound]) {
      const antecedent = { name: "Odra Quillane", isPerson: true };
      const { facts } = await reader.read({ ...request, ontology, antecedent });
      const born = facts.relationships.find(({ type }) => type === "BORN_IN");
      assert.deepEqual([born?.source.key, born?.target.key], ["odra quillane", "oslo"]);
      const without = await reader.read({ ...request, ontology });
      assert.deepEqual(without.facts.relationships, []);
    }
  });

  it("asserts from one confidence on and proposes from another, and no proposal changes what else is read", async () => {
    let proposed = 0;
    for (const one of cases) {
      const { facts: all } = await read(one, 0, { asserted: 0, proposed: 0 });
      assert.deepEqual(all.proposals, [], one.title);
      const { facts: doubted } = await read(one, 0, { asserted: 1, proposed: 0 });
      const { facts: none } = await read(one, 0, { asserted: 1, proposed: 1 });
      assert.deepEqual({ ...doubted, proposals: [] }, none, one.title);
      assert.deepEqual(none.relationships, [], one.title);
      const { facts } = await read(one, 0, { asserted: 0.8, proposed: 0.4 });
      assert.deepEqual(facts, (await read(one)).facts, "the default");
      for (const { confidence } of facts.relationships) assert.ok(confidence >= 0.8);
      for (const { confidence } of facts.proposals ?? []) assert.ok(confidence < 0.8 && confidence >= 0.4);
      proposed += facts.proposals?.length ?? 0;
    }
    assert.ok(proposed > 5, `${proposed} proposals`);
  });

  it("reads a chunk without sentences", async () => {
    const { sentenceVectors, facts } = await read({ title: "none", ontology: null, text: "" });
    assert.equal(sentenceVectors.length, 0);
    assert.deepEqual(facts.entities, []);
  });
});
