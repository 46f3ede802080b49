import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Parser } from "yaml";
import { assertLinear } from "../../../test/support/growth.ts";
import { parseOntology } from "../../domain/ontology-schema.ts";
import { ontologyFiles } from "./ontology-files.ts";
import { readYaml } from "./yaml-text.ts";

const read = (content: string) => {
  const { name, schemaJson, leftOut } = ontologyFiles.read("linkml", content);
  const { nodeTypes, edgeTypes, faults } = parseOntology(schemaJson);
  assert.deepEqual(faults, []);
  return {
    ...{ name, nodeTypes, edgeTypes },
    nodes: nodeTypes.map((node) => [node.name, ...node.properties].join(" ")),
    edges: edgeTypes.map((edge) => `${edge.sourceTypes} ${edge.name} ${edge.targetTypes}`),
    left: leftOut.map(({ item, reason }) => `${item} ${reason.split(/,|:/)[0]}`),
  };
};
const refused = (content: string, message: RegExp) =>
  assert.throws(() => ontologyFiles.read("linkml", content), { name: "OntologyFileError", message });

test("classes, attributes and slots of LinkML become types, and what has no place is told", () => {
  const file = read(`
id: https://ships.example/onto
name: ships
imports: [linkml:types]
default_range: string
license: CC0
enums: {Flag: {permissible_values: {DK: {}}}}
classes:
  Ship:
    description: It floats
    title: vessel
    aliases: [boat, 1984]
    tree_root: true
    examples: [{value: Aurora, description: a tanker}]
    attributes:
      imo: {identifier: true, pattern: "[0-9]+", required: true}
      flag: {range: Flag}
      tonnage: {range: integer, multivalued: true}
      berth: {range: Quay, multivalued: false, inverse: holds}
    slots: [captain, owner]
  Quay:
  Person: {}
slots:
  captain: {range: Person, multivalued: true, description: Who commands it, examples: [{value: Ida took the helm.}]}
  owner: {range: Ship, any_of: [{range: Person, required: true}, {range: string}]}
  near: {range: Quay}
  colour: {}
`);
  assert.equal(file.name, "ships");
  assert.deepEqual(file.nodes, ["Ship imo flag tonnage", "Quay", "Person"]);
  assert.deepEqual(file.edges, [
    "Ship captain Person",
    "Ship owner Person",
    "Ship,Quay,Person near Quay",
    "Ship berth Quay",
  ]);
  const [ship] = file.nodeTypes;
  assert.deepEqual(
    [ship?.description, ship?.aliases, ship?.examples],
    ["It floats", ["vessel", "boat", "1984"], ["Aurora"]],
  );
  assert.deepEqual(
    file.edgeTypes.map(({ functional, examples }) => [functional, examples[0]?.text]),
    [
      [false, "Ida took the helm."],
      [false, undefined],
      [false, undefined],
      [true, undefined],
    ],
  );
  assert.deepEqual(file.left.toSorted(), [
    "Flag is a list of values",
    "Ship has tree_root",
    "Ship.berth has inverse",
    "Ship.examples has description",
    "Ship.flag has the range Flag",
    "Ship.imo has identifier",
    "Ship.imo has pattern",
    "Ship.imo has required",
    "Ship.tonnage has the range integer",
    "colour is a property of no class",
    "near names no source types; all are allowed now",
    "owner has the range Ship",
    "owner has the range string",
    "owner.any_of has required",
    "the file has license",
  ]);
});

test("what classes inherit is written out, and slot_usage narrows pairs", () => {
  const file = read(
    `
name: works
classes:
  Thing: {abstract: true, attributes: {label: {}}, slots: [part_of]}
  Dated: {mixin: true, attributes: {year: {}, label: {description: of dates}}}
  Work: {is_a: Thing, mixins: [Dated], slots: [made_by]}
  Film: {is_a: Work, slot_usage: {made_by: {range: Studio, required: true}, gone: {}, year: {range: integer}}, slots: [lost]}
  Maker: {abstract: true, slot_usage: {far: {}}}
  Empty: {abstract: true}
  Person: {is_a: Maker}
  Studio: {is_a: Maker, slots: [nothing]}
  Odd: {is_a: Unknown}
slots:
  made_by: {range: Maker, domain: Studio}
  part_of: {is_a: related}
  related: {range: Work, multivalued: true}
  nothing: {range: Empty}
  hidden: {range: Work, domain_of: [Maker]}
`,
  );
  assert.deepEqual(file.nodes, ["Work label year", "Film label year lost", "Person", "Studio", "Odd"]);
  assert.deepEqual(file.edges, [
    "Work,Film made_by Person,Studio",
    "Work,Film part_of Work,Film",
    "Work,Film,Person,Studio,Odd related Work,Film",
    "Person,Studio hidden Work,Film",
  ]);
  const told = (part: string) =>
    assert.ok(
      file.left.some((each) => each.startsWith(part)),
      part,
    );
  told("made_by joins only some pairs of its source and target types");
  told("made_by has the domain Studio");
  told("Film.made_by has required");
  told("Film.year has the range integer");
  told("Maker.far narrows a slot that the class does not have");
  told("Film.gone narrows a slot that the class does not have");
  told("Film has the slot lost");
  told("Thing has no instances");
  told("Work is a Thing");
  told("Odd is a Unknown");
  told("part_of is a related");
  told("nothing has a range without instances");
  assert.ok(!file.left.some((each) => each.startsWith("part_of joins")));
});

test("definitions can be lists, and lead back to themselves", () => {
  const file = read(`
classes:
  - {name: A, is_a: B, attributes: [{name: p}]}
  - {name: B, is_a: A, attributes: [{name: q}], slots: [r]}
  - {name: A}
slots: [{name: r, range: A, is_a: s}, {name: s, is_a: r}]
`);
  assert.equal(file.name, null);
  assert.deepEqual(file.nodes, ["A q p", "B p q"]);
  assert.deepEqual(file.edges, ["B,A r A,B", "A,B s A,B"]);
  assert.ok(file.left.includes("A is defined twice; the first one counts"));
});

test("files with imports, aliases, deep nesting or broken YAML are refused with the reason and the line", () => {
  refused(
    "imports:\n  - linkml:types\n  - core",
    /^imports core, which is not read: put what it defines into this file$/,
  );
  const bomb = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  refused(
    ["a0: &a0 [b]", ...bomb].join("\n"),
    /^has an alias \(\*\): write out what it stands for \(line 2\)$/,
  );
  refused(`a: ${"[".repeat(10_000)}`, /^has more than 50 lists and maps in each other \(line 1\)$/);
  refused("- ".repeat(10_000), /more than 50 lists and maps/);
  refused("a:\n b: 1\n  c: 2", /\(line [23]\)$/);
  refused("a: 1\nb: 2\na: 3", /^has the key a twice in one map \(line 3\)$/);
  refused("? [a]\n: b", /^has a key that is no text/);
  refused("a: 1\n---\nb: 2", /^has more than one document/);
  refused("just a text", /^is not a map of YAML$/);
  refused("a: [b", /\(line 1\)$/);
  refused("a: !!python/object/apply:os.system ['ls']\n]", /line 2/);
});

test("whatever a file has where LinkML expects something else is read or refused", () => {
  const key = fc.constantFrom(
    ...[
      "classes",
      "slots",
      "attributes",
      "slot_usage",
      "is_a",
      "mixins",
      "range",
      "any_of",
      "abstract",
      "domain_of",
    ],
    ...[
      "annotations",
      "kcs:level",
      "kcs:aggregates",
      "examples",
      "value",
      "object",
      "aliases",
      "title",
      "A",
      "B",
      "s",
    ],
  );
  const leaf = fc.constantFrom("A", "B", "s", "true", "string", "", null, 1);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    ),
  }));
  const type = fc.dictionary(key, value, { maxKeys: 6 });
  const file = fc.record({
    classes: fc.oneof(fc.dictionary(key, type), value),
    slots: fc.oneof(fc.dictionary(key, type), value),
  });
  fc.assert(
    fc.property(file, (made) => {
      const { schemaJson } = ontologyFiles.read("linkml", JSON.stringify(made)); // JSON is YAML.
      parseOntology(schemaJson);
    }),
    { numRuns: 500 },
  );
});

test("names that JavaScript has of its own are names like others", () => {
  const file = read("classes: {__proto__: {attributes: {constructor: {}, __proto__: {}}}, toString: {}}");
  assert.deepEqual(file.nodes, ["__proto__ constructor __proto__", "toString"]);
  assert.equal(({} as { attributes?: unknown }).attributes, undefined);
});

test("the first fault of a YAML file ends its reading, and the time for any file grows with its length alone", async () => {
  const each = (count: number, write: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => write(at)).join("");
  const files: Readonly<Record<string, (size: number) => string>> = {
    "keys of one map": (size) => each(size, (at) => `k${at}: v\n`),
    "keys in braces": (size) => `a: {${each(size, (at) => `k${at}: v,`)}}`,
    anchors: (size) => `a:\n${each(size, (at) => `- &a${at} b\n`)}`,
    tags: (size) => `a:\n${each(size, (at) => `- !a${at} b\n`)}`,
    directives: (size) => `${each(size, (at) => `%TAG !a${at}! b\n`)}---\na: b`,
    "folded lines": (size) => `a: >\n${"  x\n\n".repeat(size)}`,
    "a long text": (size) => `a: "${"x\\n\n  ".repeat(size)}"`,
    "an open text": (size) => `a: '${"''".repeat(size)}`,
    "blank lines": (size) => `a: b${"\n".repeat(size)}`,
    "faults in brackets": (size) => `a: [${",".repeat(size)}]`,
    "closing brackets": (size) => "]".repeat(size),
  };
  for (const [name, write] of Object.entries(files))
    await assertLinear(name, 800, (size) => {
      try {
        readYaml(write(size));
      } catch (error) {
        assert.equal((error as Error).name, "OntologyFileError");
      }
    });
});

test("what many classes have is found once: the time grows with the length of the file alone, or the file is refused", async () => {
  const times = (count: number, text: string) => Array<string>(count).fill(text).join(",");
  const classes = (count: number) =>
    Array.from({ length: count }, (_, at) => `  C${at}: {slots: [s]}\n`).join("");
  const files: Readonly<Record<string, (size: number) => string>> = {
    "mixins that are not defined": (size) => `slots:\n  s: {mixins: [${times(8 * size, "a")}]}\n`,
    "mixins that are": (size) =>
      `slots:\n  s: {mixins: [${Array.from({ length: size }, (_, at) => `m${at}`).join(",")}]}\n${Array.from({ length: size }, (_, at) => `  m${at}: {}\n`).join("")}`,
    "mixins of a class above many": (size) =>
      `  X: {mixins: [${times(40 * size, "a")}]}\n${Array.from({ length: 4 * size }, (_, at) => `  D${at}: {is_a: X}\n`).join("")}`,
    "users of a slot": () => "slots:\n  s: {range: C0}\n",
  };
  for (const [name, write] of Object.entries(files))
    await assertLinear(name, 120, (size) => {
      const file = `classes:\n${classes(4 * size)}${write(size)}`;
      try {
        ontologyFiles.read("linkml", file);
      } catch (error) {
        assert.equal((error as Error).name, "OntologyFileError");
      }
    });
  const many = (count: number) =>
    `classes:\n${classes(count)}slots:\n  s: {any_of: [${times(count, "{}")}]}\n`;
  refused(many(2_000), /^has too many classes that inherit too much$/);
});

test("members that classes inherit are counted before they are walked, also where all classes have the same ones", () => {
  const chain = (classes: number, written: string) =>
    Array.from({ length: classes }, (_, at) => `  C${at}: {is_a: C${at - 1}, ${written}}\n`).join("");
  const names = Array.from({ length: 15 }, (_, at) => `p${at}`);
  for (const written of [`attributes: [${names}]`, `slots: [${names}]`]) {
    refused(`classes:\n${chain(700, written)}`, /^has too many classes that inherit too much$/);
    assert.equal(read(`classes:\n${chain(70, written)}`).nodes.length, 70);
  }
});

test("a file of too many words is refused before any of them is parsed", (t) => {
  const { mock } = t.mock.method(Parser.prototype, "next");
  refused(`a: [${"b,".repeat(600_000)}]`, /^has more than 1000000 words and signs$/);
  assert.equal(mock.callCount(), 0);
  refused("just a text", /^is not a map of YAML$/);
  assert.ok(mock.callCount() > 0);
});

test("a small file that inherits much is refused before it becomes large, and a long text is read", () => {
  const chain = Array.from({ length: 2_500 }, (_, at) => `  C${at}: {is_a: C${at - 1}, slots: [p${at}]}\n`);
  refused(`classes:\n${chain.join("")}`, /^has too many classes that inherit too much$/);
  const long = "x".repeat(1_900_000);
  assert.equal(readYaml(`a: ${long}\n`).get("a"), long);
  refused(`imports: ${long}`, /^imports x{1,200}/);
});
