import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { groundReply } from "./ground-facts.ts";
import { readReply } from "./read-reply.ts";
import { groundingOf } from "./test-chunk.ts";

test("objects and rows are read, what cannot be read is counted item by item", () => {
  const reply = readReply({
    facts: [
      { source: "Ida", kind: "Person BORN_IN City", target: "Oslo", evidence: "born in", from: null },
      ["Ida", "Person", "born in", "Oslo", "Location"],
      ["Ida", "born in", "Oslo"],
      ["Ida", "=", "Ida Berg"],
      ["Ida", "Person"],
      { source: "Ida", target: "Oslo" },
      ["Ida", 3],
      null,
      "Ida was born in Oslo",
    ],
    entities: [{ name: "Ida", type: "Person" }, { name: "Ida" }],
    properties: [{ name: "Ida", property: "age", value: "3" }, {}],
    aliases: "none",
  });
  assert.deepEqual(
    reply?.facts.map(({ source, sourceType, kind, target, targetType, evidence }) => [
      source,
      sourceType,
      kind,
      target,
      targetType,
      evidence,
    ]),
    [
      ["Ida", null, "Person BORN_IN City", "Oslo", null, "born in"],
      ["Ida", "Person", "born in", "Oslo", "Location", null],
      ["Ida", null, "born in", "Oslo", null, null],
    ],
  );
  assert.deepEqual([reply?.entities.length, reply?.properties.length, reply?.aliases.length], [2, 1, 1]);
  assert.equal(reply?.malformed.length, 6);
});

function factsOf(row: readonly unknown[]) {
  return readReply({ facts: [row] })?.facts.map((fact) => {
    const { source, sourceType, kind, target, targetType, evidence } = fact;
    return [source, sourceType, kind, target, targetType, evidence];
  });
}

test("a row may state further facts of its name", () => {
  const row = ["Ida", "Person", "born in", "Oslo", "Location", "wrote", "Fjords", "Work"];
  assert.deepEqual(factsOf(row), [
    ["Ida", "Person", "born in", "Oslo", "Location", null],
    ["Ida", "Person", "wrote", "Fjords", "Work", null],
  ]);
});

test("a type that was left out of a row shifts nothing behind it", () => {
  const row = ["Ida", "Person", "born in", "Oslo", "wrote", "Fjords", "Work", "led", "Berg Ltd", "company"];
  assert.deepEqual(factsOf(row), [
    ["Ida", "Person", "born in", "Oslo", null, null],
    ["Ida", "Person", "wrote", "Fjords", "Work", null],
    ["Ida", "Person", "led", "Berg Ltd", "company", null],
  ]);
});

test("types of no known name are taken where the row is whole, and what is behind four is evidence", () => {
  const row = ["Ida", "Skipper", "born in", "Oslo", "Port", "sailed", "Marlin", "Ketch"];
  assert.deepEqual(
    factsOf(row)?.map(([, , , , type]) => type),
    ["Port", "Ketch"],
  );
  assert.deepEqual(factsOf([...row.slice(0, 5), "was born in Oslo"]), [
    ["Ida", "Skipper", "born in", "Oslo", "Port", "was born in Oslo"],
  ]);
});

test("a blank inside of a long row costs its own fact alone", () => {
  const reply = readReply({ facts: [["Ida", "Person", "", "Oslo", "Location", "wrote", "Fjords", "Work"]] });
  assert.deepEqual(
    reply?.facts.map(({ kind }) => kind),
    ["wrote"],
  );
  assert.equal(reply?.malformed.length, 1);
});

test("no row brings more facts than a reply may have", () => {
  const row = (name: string) => [
    name,
    "Person",
    ...Array.from({ length: 40 }, () => ["saw", "Oslo", "Location"]).flat(),
  ];
  const reply = readReply({ facts: Array.from({ length: 20 }, (_, at) => row(`Ida ${at}`)) });
  assert.equal(reply?.facts.length, 200);
  assert.equal(
    readReply({ facts: [[...row("Ida"), "saw", "Bergen", "Location"], row("Eva")] })?.facts.length,
    40,
  );
});

test("an empty list says that the text states nothing", () => {
  assert.deepEqual(readReply({ facts: [] })?.facts, []);
});

for (const value of [
  null,
  undefined,
  "text",
  3,
  {},
  { fact: [] },
  { facts: null },
  { facts: [1, {}] },
  [1, 2],
  { facts: {} },
]) {
  test(`${JSON.stringify(value)} has no usable structure`, () => {
    assert.equal(readReply(value), null);
  });
}

test("whatever a reply is, reading and checking it ends without a fault, and all that is kept stands in the chunk", () => {
  const text = "Ida Berg was born in Oslo. She worked for Fjord Ltd. from 1990 to 1995.";
  const word = fc.oneof(
    fc.constantFrom(
      "Ida Berg",
      "Oslo",
      "born in",
      "Person BORN_IN City",
      "Person",
      "City",
      "1990",
      "She",
      "=",
    ),
    fc.constantFrom("", "\ud800", "東京", "é\u0301", "\0", "($[", "  "),
    fc.string({ maxLength: 8 }),
  );
  const fields = [
    "source",
    "kind",
    "target",
    "evidence",
    "from",
    "to",
    "name",
    "type",
    "property",
    "value",
    "alias",
  ];
  const item = fc.oneof(
    fc.array(word, { maxLength: 12 }),
    fc.dictionary(fc.constantFrom(...fields), word),
    fc.jsonValue(),
  );
  const list = fc.array(item, { maxLength: 6 });
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ facts: list, entities: list, properties: list, aliases: list }),
  );
  fc.assert(
    fc.property(value, fc.boolean(), (sent, isOpen) => {
      const reply = readReply(sent);
      if (reply === null) return;
      const facts = groundReply(reply, groundingOf(text, isOpen ? { types: null } : {}));
      for (const { start, end } of [
        ...facts.entities,
        ...facts.relationships,
        ...facts.properties,
        ...facts.aliases,
      ])
        assert.ok(start >= 100 && end <= 100 + text.length && start < end);
      for (const { name, start, end } of facts.entities)
        assert.ok(text.slice(start - 100, end - 100).includes(name));
    }),
  );
});
