import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { resolveOpenings, withFullNames } from "./back-references.ts";
import { createLinkReader } from "./ontology-links.ts";
import { findLoneObjects, findStatementLinks } from "./statement-links.ts";
import { readTestPassage } from "./test-sentences.ts";

const TYPES = {
  "Ada Larsen": "Person",
  "Lars Dahl": "Person",
  Northwind: "Organization",
  Southwind: "Organization",
  Oslo: "Location",
  Norway: "Location",
  Bergen: "Location",
  Skygge: "Work",
} as const;

function linksOf(text: string, documentSubject: string | null = null) {
  const { passage, entities } = readTestPassage(text, TYPES);
  const own = entities.find(({ name }) => name === documentSubject) ?? null;
  const entitiesOf = (sentence: number) => entities.filter((entity) => entity.sentence === sentence);
  const openings = resolveOpenings(passage.sentences, entitiesOf, own);
  return passage.sentences.flatMap((sentence, at) =>
    findStatementLinks({
      sentence,
      entities: entitiesOf(at),
      opening: openings[at] ?? null,
      documentSubject: own,
    }).map((link) => ({ ...link, sentence: at })),
  );
}

const triples = (text: string, documentSubject: string | null = null) =>
  linksOf(text, documentSubject)
    .filter(({ isVague }) => !isVague)
    .map(({ source, type, target }) => `${source.name} ${type} ${target.name}`);

test("a verb that says too little is kept for an ontology that has a name for it", () => {
  const [link] = linksOf("Ada Larsen has Oslo.");
  assert.deepEqual([link?.type, link?.asWritten, link?.isVague], ["HAS", "has", true]);
});

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["Ada Larsen was born in Oslo.", ["Ada Larsen BORN_IN Oslo"]],
  ["Skygge was directed by Ada Larsen.", ["Skygge DIRECTED_BY Ada Larsen"]],
  ["Ada Larsen directed Skygge.", ["Skygge DIRECTED_BY Ada Larsen"]],
  ["Skygge is a film directed by Ada Larsen.", ["Skygge DIRECTED_BY Ada Larsen"]],
  ["Skygge is a 1987 Norwegian animated film directed by Ada Larsen.", ["Skygge DIRECTED_BY Ada Larsen"]],
  [
    "Skygge is a film written and directed by Ada Larsen.",
    ["Skygge WRITTEN_BY Ada Larsen", "Skygge DIRECTED_BY Ada Larsen"],
  ],
  ...[
    "Skygge is a 1987 film starring Ada Larsen and Lars Dahl.",
    "Skygge is a film starring Ada Larsen (in her first part) and Lars Dahl.",
    "Skygge is a film starring Ada Larsen as the miller, and Lars Dahl.",
  ].map((text) => [text, ["Ada Larsen STARS_IN Skygge", "Lars Dahl STARS_IN Skygge"]] as const),
  ...[
    "Skygge is a film directed by Ada Larsen and starring Lars Dahl.",
    "Skygge is a film directed by Ada Larsen, and starring Lars Dahl.",
    "Skygge is a film directed by Ada Larsen starring Lars Dahl.",
  ].map((text) => [text, ["Skygge DIRECTED_BY Ada Larsen", "Lars Dahl STARS_IN Skygge"]] as const),
  ...[
    "Skygge is a film produced by and directed by and starring Ada Larsen.",
    "Skygge is a film produced, directed by and starring Ada Larsen.",
  ].map(
    (text) =>
      [
        text,
        ["Skygge PRODUCED_BY Ada Larsen", "Skygge DIRECTED_BY Ada Larsen", "Ada Larsen STARS_IN Skygge"],
      ] as const,
  ),
  ["Ada Larsen is the daughter of a painter living in Oslo.", []],
  ["Skygge is a film about a boy fighting Northwind.", []],
  ["Skygge (Danish: Shadow) was directed by Ada Larsen.", ["Skygge DIRECTED_BY Ada Larsen"]],
  ["Northwind and Southwind was founded by Ada Larsen.", []],
  [
    "Ada Larsen was born in Oslo, became a painter, and died in Bergen.",
    ["Ada Larsen BORN_IN Oslo", "Ada Larsen DIED_IN Bergen"],
  ],
  ["Ada Larsen was born and grew up in Oslo.", ["Ada Larsen BORN_IN Oslo"]],
  [
    "Ada Larsen was born in Oslo and in 1950 moved to Bergen.",
    ["Ada Larsen BORN_IN Oslo", "Ada Larsen MOVED_TO Bergen"],
  ],
  ["When Ada Larsen was ill, Lars Dahl, her brother, wrote Skygge and died in Bergen.", []],
  ["Her first film, Skygge, was directed by Ada Larsen.", ["Skygge DIRECTED_BY Ada Larsen"]],
  ["Skygge is a novel by the Norwegian writer Ada Larsen.", ["Skygge WRITTEN_BY Ada Larsen"]],
  ["Skygge is a song by Ada Larsen.", ["Skygge PERFORMED_BY Ada Larsen"]],
  ["Oslo is the capital of Norway.", ["Oslo CAPITAL_OF Norway"]],
  ["Oslo, the capital of Norway, is cold.", ["Oslo CAPITAL_OF Norway"]],
  ["Northwind acquired Southwind in Bergen.", ["Southwind ACQUIRED_BY Northwind"]],
  [
    "The engineer Lars Dahl works for Northwind and Southwind.",
    ["Lars Dahl WORKS_FOR Northwind", "Lars Dahl WORKS_FOR Southwind"],
  ],
  ["Northwind, the maker of lamps, acquired Southwind.", ["Southwind ACQUIRED_BY Northwind"]],
  [
    "Ada Larsen and Lars Dahl founded Northwind.",
    ["Northwind FOUNDED_BY Ada Larsen", "Northwind FOUNDED_BY Lars Dahl"],
  ],
  [
    "Both Lars Dahl and his sister Ada Larsen work for Northwind.",
    ["Lars Dahl WORKS_FOR Northwind", "Ada Larsen WORKS_FOR Northwind"],
  ],
  ["The uncle of Ada Larsen and Lars Dahl founded Northwind.", []],
  ["Neither Northwind nor Southwind owns Skygge.", []],
  ["Lars Dahl lived in Oslo and in Bergen.", ["Lars Dahl LIVES_IN Oslo", "Lars Dahl LIVES_IN Bergen"]],
  ["Northwind's rival Southwind hired Ada Larsen.", ["Ada Larsen WORKS_FOR Southwind"]],
  ["Ada Larsen is the chief executive of Northwind.", ["Northwind LED_BY Ada Larsen"]],
  ["The founder of Northwind is Ada Larsen.", ["Northwind FOUNDED_BY Ada Larsen"]],
  [
    "Ada Larsen, CEO of Northwind, lives in Oslo.",
    ["Ada Larsen LIVES_IN Oslo", "Northwind LED_BY Ada Larsen"],
  ],
  ["The mayor of Oslo is a friend of Ada Larsen.", []],
  ["Northwind was taken over by Southwind.", ["Northwind ACQUIRED_BY Southwind"]],
  ["Ada Larsen was never born in Oslo.", []],
  ["Northwind may acquire Southwind.", []],
  ["Did Northwind acquire Southwind?", []],
  ["Northwind no longer owns Southwind.", []],
  ["Ada Larsen has Oslo.", []],
  ["The mayor of Oslo visited Norway.", []],
  ["Northwind acquired the Oslo office of a bank.", []],
  ["Skygge is based on a play by Ada Larsen.", []],
  ...[
    "Skygge is a film directed by Ada Larsen from a screenplay by Lars Dahl.",
    "Skygge is a 1987 film directed by Ada Larsen with music by Lars Dahl.",
    "Skygge was directed by Ada Larsen after a story by Lars Dahl.",
    "Ada Larsen directed Skygge from a screenplay by Lars Dahl.",
  ].map((text) => [text, ["Skygge DIRECTED_BY Ada Larsen"]] as const),
  ["Skygge was directed from a script by Lars Dahl.", []],
  ["Ada Larsen praised the film by Lars Dahl.", []],
  ["Ada Larsen has praised a novel by Lars Dahl.", []],
  [
    "Skygge was directed in Oslo by Ada Larsen.",
    ["Skygge DIRECTED_IN Oslo", "Skygge DIRECTED_BY Ada Larsen"],
  ],
  [
    "Skygge was directed by Ada Larsen and by Lars Dahl.",
    ["Skygge DIRECTED_BY Ada Larsen", "Skygge DIRECTED_BY Lars Dahl"],
  ],
  [
    "Skygge was directed by Ada Larsen from a script written by Lars Dahl.",
    ["Skygge DIRECTED_BY Ada Larsen"],
  ],
];

for (const [text, expected] of cases) {
  test(`"${text}" states ${expected.length === 0 ? "nothing between two entities" : expected.join(", ")}`, () => {
    assert.deepEqual(triples(text), expected);
  });
}

test("an object is found where the subject is no entity", () => {
  const { passage, entities } = readTestPassage(
    "It was not led by Lars Dahl. It was directed by Ada Larsen.",
    TYPES,
  );
  const lone = passage.sentences.flatMap((sentence) =>
    findLoneObjects({ sentence, entities, opening: null, documentSubject: null }),
  );
  assert.deepEqual(
    lone.map(({ name, object }) => [name.type, object.name]),
    [["DIRECTED_BY", "Ada Larsen"]],
  );
});

test("a pronoun stands for the name that opens the sentence before, if that can be meant", () => {
  assert.deepEqual(triples("Ada Larsen is a painter. She was born in Oslo."), ["Ada Larsen BORN_IN Oslo"]);
  assert.deepEqual(triples("Ada Larsen is a painter. It lies in Norway."), []);
  assert.deepEqual(triples("Ada Larsen met Lars Dahl. He was born in Oslo."), []);
});

test("a last name before the full name of another in its sentence is nobody's short form", () => {
  const keysOf = (text: string) => {
    const types = { "Ada Larsen": "Person", Larsen: "Person" };
    const { entities } = readTestPassage(text, types);
    const apart = entities.filter(
      ({ from, to, name, sentence }) =>
        name !== "Larsen" ||
        !entities.some((one) => one.sentence === sentence && one.to === to && one.from < from),
    );
    return withFullNames(apart, null).map(({ key }) => key);
  };
  assert.deepEqual(keysOf("Larsen left Oslo with Ada Larsen."), ["larsen", "ada larsen"]);
  assert.deepEqual(keysOf("Ada Larsen left Oslo. Larsen came back."), ["ada larsen", "ada larsen"]);
});

test("'the company' stands for the document's subject where that is one", () => {
  const text = "Northwind makes lamps. In 2011 the company acquired Southwind.";
  assert.deepEqual(triples(text, "Northwind"), ["Southwind ACQUIRED_BY Northwind"]);
  assert.deepEqual(triples(text), []);
});

test("an ontology's edge type is found by its words, its synonyms and its passive, and only where it is allowed", () => {
  const edge = (name: string, source: string, target: string) => ({
    name,
    source_types: [source],
    target_types: [target],
  });
  const node_types = { Person: {}, Organization: {}, Location: {}, Work: {} };
  const edge_types = [
    edge("birthplace", "Person", "Location"),
    edge("DIRECTED", "Person", "Work"),
    edge("BOUGHT", "Organization", "Organization"),
    edge("WORKS_FOR", "Location", "Organization"),
    edge("AUTHOR", "Work", "Person"),
    edge("ILLUSTRATOR", "Work", "Person"),
  ];
  const schema = parseOntology(
    JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }], edge_types } }),
  );
  const read = createLinkReader(schema);
  const facts = (text: string) =>
    linksOf(text).flatMap((link) => {
      const fact = read(link);
      return fact === null ? [] : [`${fact.source.name} ${fact.type} ${fact.target.name}`];
    });
  assert.deepEqual(facts("Skygge was directed by Ada Larsen."), ["Ada Larsen DIRECTED Skygge"]);
  assert.deepEqual(facts("Northwind acquired Southwind."), ["Northwind BOUGHT Southwind"]);
  assert.deepEqual(facts("Southwind was bought by Northwind."), ["Northwind BOUGHT Southwind"]);
  assert.deepEqual(facts("Lars Dahl works for Northwind."), []);
  assert.deepEqual(facts("Skygge is a book written by Ada Larsen."), ["Skygge AUTHOR Ada Larsen"]);
  assert.deepEqual(facts("Skygge was illustrated by Lars Dahl."), ["Skygge ILLUSTRATOR Lars Dahl"]);
});
