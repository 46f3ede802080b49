import assert from "node:assert/strict";
import { test } from "node:test";
import { groundReply } from "./ground-facts.ts";
import type { Grounding } from "./grounding.ts";
import { type ExtractionReply, readReply } from "./read-reply.ts";
import { chunkOf, groundingOf } from "./test-chunk.ts";

const TEXT =
  "Ida Berg was born\nin Oslo. She worked for Fjord Ltd. from 1990 to May 1995. Ida Berg (IB) likes Bergen.";

function read(value: unknown): ExtractionReply {
  const reply = readReply(value);
  assert.ok(reply !== null);
  return reply;
}

function ground(value: unknown, changes: Partial<Grounding> = {}) {
  const facts = groundReply(read(value), groundingOf(TEXT, changes));
  const quote = ({ start, end }: { start: number; end: number }) => TEXT.slice(start - 100, end - 100);
  return {
    facts,
    quote,
    triples: facts.relationships.map(
      ({ source, type, target }) => `${source.type}:${source.key} ${type} ${target.type}:${target.key}`,
    ),
    dropped: facts.unfit.map(({ kind, name, count }) => `${kind} ${name} ${count}`),
  };
}

const born = {
  source: "Ida Berg",
  kind: "Person BORN_IN City",
  target: "Oslo",
  evidence: "was born in Oslo",
};

test("a fact whose words stand in the chunk is kept, with the sentence that has them", () => {
  const { facts, triples, quote, dropped } = ground({ facts: [born] });
  assert.deepEqual(triples, ["Person:ida berg BORN_IN City:oslo"]);
  assert.equal(quote(facts.relationships[0] ?? { start: 0, end: 0 }), "Ida Berg was born\nin Oslo.");
  assert.deepEqual(
    facts.entities.map((entity) => `${entity.type} ${quote(entity)}`),
    ["Person Ida Berg", "Person Ida Berg", "City Oslo"],
  );
  assert.deepEqual(dropped, []);
});

test("what the chunk does not show is dropped and counted", () => {
  const { triples, facts, dropped } = ground({
    facts: [
      { ...born, evidence: "was born at Oslo" },
      { ...born, evidence: "in" },
      { ...born, evidence: "" },
      { ...born, evidence: "from" },
      { ...born, target: "Trondheim" },
      { ...born, target: "Ida Berg" },
    ],
    entities: [{ name: "Trondheim", type: "City" }],
  });
  assert.deepEqual(triples, ["Person:ida berg BORN_IN City:oslo"], "one short word beside a name");
  assert.deepEqual(dropped, ["dropped not in the text 2", "dropped no evidence 3", "dropped of one thing 1"]);
  assert.equal(
    facts.unfit.reduce((sum, { count }) => sum + count, 0),
    6,
  );
});

test("types, pairs and edge types that the ontology has no place for are unfit, those of upper levels as well", () => {
  const { facts, triples, dropped } = ground({
    facts: [
      { ...born, kind: "City BORN_IN Person" },
      { ...born, kind: "MARRIED_TO" },
      { ...born, kind: "BORN_IN", source_type: "Company", target_type: "City" },
      { ...born, kind: "City LIES_IN Region" },
    ],
    entities: [
      { name: "Bergen", type: "Region" },
      { name: "Oslo", type: "Planet" },
    ],
  });
  assert.deepEqual([triples, facts.entities], [[], []]);
  assert.deepEqual(dropped, [
    "entity Region 1",
    "entity Planet 1",
    "relationship City BORN_IN Person 1",
    "relationship MARRIED_TO 1",
    "relationship BORN_IN 1",
    "relationship City LIES_IN Region 1",
  ]);
});

test("an edge type alone takes the only types that it has, or those that the things are known for", () => {
  const { triples } = ground({
    facts: [
      { ...born, kind: "BORN_IN" },
      { source: "Ida Berg", kind: "WORKS_FOR", target: "Fjord Ltd.", evidence: "worked for Fjord Ltd." },
    ],
    entities: [{ name: "Fjord Ltd.", type: "Company" }],
  });
  assert.deepEqual(triples, [
    "Person:ida berg BORN_IN City:oslo",
    "Person:ida berg WORKS_FOR Company:fjord ltd",
  ]);
});

test("times are those that the chunk states, of edge types that have a time", () => {
  const worked = {
    source: "Ida Berg",
    kind: "Person WORKS_FOR Company",
    target: "Fjord Ltd.",
    evidence: "worked for Fjord Ltd.",
  };
  const timesOf = (from: string | null, to: string | null) => {
    const [edge] = ground({ facts: [{ ...worked, from, to }] }).facts.relationships;
    return [edge?.validFrom, edge?.validTo];
  };
  assert.deepEqual(timesOf("1990", "May 1995"), ["1990", "1995-05"]);
  assert.deepEqual(timesOf("1991", null), [null, null]);
  assert.deepEqual(timesOf("May 1995", "1990"), [null, null]);
  const [untimed] = ground({ facts: [{ ...born, from: "1990", to: null }] }).facts.relationships;
  assert.equal(untimed?.validFrom, null);
});

test("a fact is known at its document's date only where its sentence tells of the present", () => {
  const knownAt = (text: string) => {
    const fact = { source: "Ida Berg", kind: "Person WORKS_FOR Company", target: "Fjord Ltd." };
    const reply = read({ facts: [{ ...fact, evidence: text.split(". ").at(-1)! }] });
    const chunk = chunkOf(text, { documentDate: "2020-05-04" });
    return groundReply(reply, groundingOf(text, { chunk })).relationships.map(
      ({ timing }) => timing?.knownAt,
    );
  };
  assert.deepEqual(knownAt("Ida Berg works for Fjord Ltd."), ["2020-05-04"]);
  assert.deepEqual(knownAt("It was cold. Ida Berg is employed by Fjord Ltd."), ["2020-05-04"]);
  assert.deepEqual(knownAt("Ida Berg worked for Fjord Ltd."), [null]);
  assert.deepEqual(knownAt("Ida Berg will work for Fjord Ltd."), [null]);
});

test("an end is of a sentence that asserts it, and the years of a life are no times", () => {
  const boundsOf = (text: string, from: string | null, to: string | null) => {
    const fact = { source: "Ida Berg", kind: "Person WORKS_FOR Company", target: "Fjord Ltd." };
    const reply = read({ facts: [{ ...fact, evidence: text, from, to }] });
    const [edge] = groundReply(reply, groundingOf(text, { chunk: chunkOf(text) })).relationships;
    return [edge?.validFrom, edge?.validTo];
  };
  assert.deepEqual(boundsOf("Ida Berg left Fjord Ltd. in May 2010.", null, "May 2010"), [null, "2010-05"]);
  assert.deepEqual(boundsOf("Ida Berg led Fjord Ltd. (from 1990 to 2010).", "1990", "2010"), [
    "1990",
    "2010",
  ]);
  assert.deepEqual(boundsOf("Ida Berg will leave Fjord Ltd. in 2010.", null, "2010"), [null, null]);
  assert.deepEqual(boundsOf("Ida Berg may leave Fjord Ltd. in 2010.", null, "2010"), [null, null]);
  assert.deepEqual(boundsOf("Ida Berg never left Fjord Ltd. in 2010.", null, "2010"), [null, null]);
  assert.deepEqual(boundsOf("Ida Berg (1901–1980) led Fjord Ltd.", "1901", "1980"), [null, null]);
});

test("a property is one that the type declares, with a value that stands in the chunk", () => {
  const { facts } = ground({
    entities: [{ name: "Ida Berg", type: "Person" }],
    properties: [
      { name: "Ida Berg", property: "birth_date", value: "May 1995" },
      { name: "Ida Berg", property: "birth_date", value: "1 May 1995" },
      { name: "Ida Berg", property: "height", value: "1990" },
      { name: "Oslo", property: "birth_date", value: "1990" },
    ],
  });
  assert.deepEqual(
    facts.properties.map(({ entity, property, value }) => [entity.key, property, value]),
    [["ida berg", "birth_date", "1995-05"]],
  );
});

test("two names of one thing stand in one sentence", () => {
  const aliasesOf = (name: string, alias: string) =>
    ground({
      entities: [{ name: "Ida Berg", type: "Person" }],
      aliases: [{ name, alias }],
    }).facts.aliases.map((join) => `${join.type} ${join.key} = ${join.alias}`);
  assert.deepEqual(aliasesOf("Ida Berg", "IB"), ["Person ida berg = ib"]);
  assert.deepEqual(aliasesOf("Ida Berg", "Fjord Ltd."), []);
  assert.deepEqual(aliasesOf("Ida Berg", "Ida B."), []);
});

test("the document's title may be the source of a fact whose words stand in the chunk", () => {
  const text = "She was born in Oslo.";
  const chunk = chunkOf(text, { header: "Ida Berg\nEarly life", documentSubject: "Ida Berg" });
  const { triples, facts } = ground({ facts: [born] }, { chunk });
  assert.deepEqual(triples, ["Person:ida berg BORN_IN City:oslo"]);
  assert.deepEqual(
    facts.entities.map(({ key }) => key),
    ["oslo"],
  );
});

test("without an ontology types are broad, and relationships have the names that the built-in engine gives", () => {
  const { triples, dropped } = ground(
    {
      facts: [
        ["Ida Berg", "person", "was born in", "Oslo", "City"],
        ["Fjord Ltd.", "Organization", "worked for", "Ida Berg", "Person"],
        ["Ida Berg", "Person", "likes", "Bergen", "Location"],
        ["Ida Berg", "Person", "from", "1990", "Term"],
        ["Ida Berg", "Person", "loves", "Bergen", "Location"],
        ["Ida Berg", "Person", "adores", "Bergen", "Location", "likes Bergen"],
      ],
    },
    { types: null },
  );
  assert.deepEqual(triples, [
    "Person:ida berg BORN_IN Location:oslo",
    "Organization:fjord ltd WORKS_FOR Person:ida berg",
    "Person:ida berg LIKES Location:bergen",
    "Person:ida berg ADORES Location:bergen",
  ]);
  assert.deepEqual(dropped, ["dropped not in the text 1", "dropped no evidence 1"]);
});

test("facts without types take those that the built-in engine gives the names", () => {
  const knownTypes = new Map([
    ["ida berg", "Person"],
    ["oslo", "Location"],
  ]);
  const { triples } = ground(
    {
      facts: [
        ["Ida Berg", "born\nin", "Oslo"],
        ["Ida Berg", "likes", "Bergen"],
      ],
    },
    { types: null, knownTypes },
  );
  assert.deepEqual(triples, ["Person:ida berg BORN_IN Location:oslo"]);
});

test("a name that none of the broad types fits is what the built-in engine takes it for", () => {
  const { facts } = ground(
    {
      facts: [
        ["Ida Berg", "Term", "likes", "Bergen", "Term"],
        ["Oslo", "Term"],
        ["Fjord Ltd.", "Person"],
      ],
    },
    {
      types: null,
      knownTypes: new Map([
        ["ida berg", "Person"],
        ["oslo", "Location"],
        ["fjord ltd", "Organization"],
      ]),
    },
  );
  const types = new Set(facts.entities.map(({ type, key }) => `${type} ${key}`));
  assert.deepEqual([...types].sort(), [
    "Location oslo",
    "Person fjord ltd",
    "Person ida berg",
    "Term bergen",
  ]);
});

test("of several places of its words a fact rests on the one beside both of its names", () => {
  const text = "Bergen is in the west. Ida Berg is in Bergen. Oslo is in the east.";
  const facts = groundReply(
    read({ facts: [["Ida Berg", "Person", "is in", "Bergen", "Location"]] }),
    groundingOf(text, { types: null }),
  );
  assert.deepEqual(
    facts.relationships.map(({ type, start, end }) => [type, text.slice(start - 100, end - 100)]),
    [["LOCATED_IN", "Ida Berg is in Bergen."]],
  );
});
