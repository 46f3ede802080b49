import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertLinear } from "../../test/support/growth.ts";
import { describeOntologyFaults } from "./ontology-check.ts";

type Content = Record<string, unknown>;
interface Level {
  level: unknown;
  node_types: Record<string, unknown>;
}
interface Draft {
  hierarchy: Level[];
  edges: Content[];
}

const harbour = (): Draft => ({
  hierarchy: [
    { level: 1, node_types: { Fleet: { aggregates: ["Ship"] } } },
    {
      level: 0,
      node_types: {
        Ship: { properties: ["length"], description: "A vessel", examples: ["Aurora"], aliases: ["vessel"] },
        Harbour: {},
      },
    },
  ],
  edges: [
    { name: "MOORED_IN", source_types: ["Ship"], target_types: ["Harbour"], temporal: true },
    { name: "PART_OF", source_types: ["Ship"], target_types: ["Fleet"], properties: [] },
  ],
});

/** The JSON text of a draft; the wire name of the edges occurs only here. */
function textOf({ hierarchy, edges }: Draft): string {
  return JSON.stringify({ ontology: { hierarchy, edge_types: edges } });
}

function faultsOf(change: (draft: Draft) => void): string | null {
  const draft = harbour();
  change(draft);
  return describeOntologyFaults(textOf(draft));
}

/** Sets members of the first edge type. */
const edge = (members: Content) => (draft: Draft) => {
  draft.edges[0] = { ...draft.edges[0], ...members };
};

/** Replaces the node type Ship. */
const ship = (members: Content) => (draft: Draft) => {
  draft.hierarchy[1]!.node_types["Ship"] = members;
};

const SHIP = "schema.ontology.hierarchy[1].node_types.Ship";
const EDGE = "schema.ontology.edge_types[0]";

const faults: readonly (readonly [title: string, change: (draft: Draft) => void, detail: string])[] = [
  [
    "an unknown target with a similar known name",
    edge({ target_types: ["Harbor"] }),
    `${EDGE}.target_types[0]: unknown node type "Harbor", did you mean "Harbour"?`,
  ],
  [
    "an unknown source without a similar known name",
    edge({ source_types: ["Ship", "Xyzzy"] }),
    `${EDGE}.source_types[1]: unknown node type "Xyzzy"`,
  ],
  [
    "a name that differs in case",
    edge({ source_types: ["SHIP"] }),
    `${EDGE}.source_types[0]: unknown node type "SHIP", did you mean "Ship"?`,
  ],
  [
    "no sources",
    edge({ source_types: [] }),
    `${EDGE}.source_types: is empty, expected an array of at least one node type name`,
  ],
  [
    "missing targets",
    edge({ target_types: undefined }),
    `${EDGE}.target_types: missing, expected an array of at least one node type name`,
  ],
  [
    "targets that are not an array",
    edge({ target_types: "Harbour" }),
    `${EDGE}.target_types: got a string, expected an array of at least one node type name`,
  ],
  [
    "a source given twice",
    edge({ source_types: ["Ship", "Ship"] }),
    `${EDGE}.source_types[1]: "Ship" is repeated`,
  ],
  [
    "an edge type without a name",
    edge({ name: null }),
    `${EDGE}.name: got null, expected the name of the edge type`,
  ],
  [
    "an edge type with a blank name",
    edge({ name: " " }),
    `${EDGE}.name: is blank, expected the name of the edge type`,
  ],
  [
    "an edge type whose name has a control character, which no stored name can have",
    edge({ name: "MOORED\nAT" }),
    `${EDGE}.name: "MOORED\\nAT" has a control character`,
  ],
  [
    "two edge types of one name",
    ({ edges }) => {
      edges[1]!["name"] = "MOORED_IN";
    },
    'schema.ontology.edge_types[1].name: "MOORED_IN" is repeated, see schema.ontology.edge_types[0]',
  ],
  [
    "two edge types whose names differ in case",
    edge({ name: "Part_Of" }),
    'schema.ontology.edge_types[1].name: "PART_OF" differs from "Part_Of" only in case or spaces, see schema.ontology.edge_types[0]',
  ],
  [
    "a flag that is not a boolean",
    edge({ temporal: "yes" }),
    `${EDGE}.temporal: got a string, expected true or false`,
  ],
  [
    "a number for whether it is one at a time",
    edge({ functional: 1 }),
    `${EDGE}.functional: got the number 1, expected true or false`,
  ],
  [
    "an example of a single name",
    edge({ examples: [["Aurora"]] }),
    `${EDGE}.examples[0]: got an array, expected source and target, or source, edge type and target`,
  ],
  [
    "an example without a target",
    edge({ examples: [{ source: "Aurora" }] }),
    `${EDGE}.examples[0].target: missing, expected the name of an entity`,
  ],
  [
    "a number as an example",
    edge({ examples: [7] }),
    `${EDGE}.examples[0]: got the number 7, expected a sentence or an object with source, target and text`,
  ],
  [
    "properties that are not an array",
    ship({ properties: {} }),
    `${SHIP}.properties: got an object, expected an array of property names`,
  ],
  [
    "a blank property",
    ship({ properties: ["a", ""] }),
    `${SHIP}.properties[1]: is blank, expected the name of a property`,
  ],
  [
    "properties that differ in spaces",
    ship({ properties: ["home port", "HomePort"] }),
    `${SHIP}.properties[1]: "HomePort" differs from "home port" only in case or spaces`,
  ],
  [
    "a description that is not a string",
    ship({ description: 3 }),
    `${SHIP}.description: got the number 3, expected a string`,
  ],
  [
    "a blank example",
    ship({ examples: ["\u200b"] }),
    `${SHIP}.examples[0]: is blank, expected the name of an entity`,
  ],
  [
    "aliases that are not an array",
    ship({ aliases: "vessel" }),
    `${SHIP}.aliases: got a string, expected an array of other names of the type`,
  ],
  [
    "a type that aggregates itself",
    ship({ aggregates: ["Ship"] }),
    `${SHIP}.aggregates[0]: "Ship" cannot aggregate itself`,
  ],
  [
    "a type that aggregates one of its own level",
    ship({ aggregates: ["Harbour"] }),
    `${SHIP}.aggregates[0]: "Harbour" is on level 0, expected a node type of a level below 0`,
  ],
  [
    "a type that aggregates one of a higher level",
    ship({ aggregates: ["Fleet"] }),
    `${SHIP}.aggregates[0]: "Fleet" is on level 1, expected a node type of a level below 0`,
  ],
  [
    "a type that aggregates an unknown one",
    ship({ aggregates: ["Fleets"] }),
    `${SHIP}.aggregates[0]: unknown node type "Fleets", did you mean "Fleet"?`,
  ],
  [
    "a node type that is not an object",
    ({ hierarchy }) => {
      hierarchy[1]!.node_types["Ship"] = [];
    },
    `${SHIP}: got an array, expected a node type: an object with properties and a description`,
  ],
  [
    "a name on two levels",
    ({ hierarchy }) => {
      hierarchy[0]!.node_types["Ship"] = {};
    },
    `${SHIP}: "Ship" is repeated, see schema.ontology.hierarchy[0].node_types.Ship`,
  ],
  [
    "names that differ in spaces",
    ({ hierarchy }) => {
      hierarchy[1]!.node_types["ship "] = {};
    },
    `schema.ontology.hierarchy[1].node_types["ship "]: "ship " differs from "Ship" only in case or spaces, see ${SHIP}`,
  ],
  [
    "a node type with an empty name",
    ({ hierarchy }) => {
      hierarchy[1]!.node_types[""] = {};
    },
    'schema.ontology.hierarchy[1].node_types[""]: is blank, expected the name of a node type',
  ],
  [
    "a negative level",
    ({ hierarchy }) => {
      hierarchy[0]!.level = -1;
    },
    "schema.ontology.hierarchy[0].level: got -1, expected a whole number from 0 to 1000",
  ],
  [
    "a fractional level",
    ({ hierarchy }) => {
      hierarchy[0]!.level = 0.5;
    },
    "schema.ontology.hierarchy[0].level: got 0.5, expected a whole number from 0 to 1000",
  ],
  [
    "a level as a string",
    ({ hierarchy }) => {
      hierarchy[0]!.level = "1";
    },
    "schema.ontology.hierarchy[0].level: got a string, expected a whole level number, 0 for the concrete level",
  ],
  [
    "a level without types",
    ({ hierarchy }) => {
      hierarchy[0] = { level: 1 } as Level; // The missing member is the fault.
    },
    "schema.ontology.hierarchy[0].node_types: missing, expected an object from node type names to node types",
  ],
];

describe("a single fault is reported with its path and without follow-up faults", () => {
  for (const [title, change, detail] of faults) {
    test(title, () => assert.equal(faultsOf(change), detail));
  }
});

test("a valid ontology has no faults, whatever the order of its levels and with unknown members", () => {
  assert.equal(
    faultsOf(() => {}),
    null,
  );
  const addUnknownMembers = (draft: Draft) => {
    edge({
      aliases: ["lies in"],
      examples: [
        "The Aurora lies in Orrin.",
        ["Aurora", "Orrin"],
        { source: "Aurora", target: "Orrin", text: "Ship: Aurora\nHarbour: Orrin" },
      ],
      weight: [{}],
    })(draft);
    draft.hierarchy.push({ level: 7, node_types: {} });
  };
  assert.equal(faultsOf(addUnknownMembers), null);
  assert.equal(
    describeOntologyFaults('{"ontology": {"hierarchy": [{"level": -0.0, "node_types": {"A": {}}}]}}'),
    null,
  );
});

test("an optional member may be null", () => {
  const nothing = { properties: null, description: null, aggregates: null, examples: null, aliases: null };
  assert.equal(faultsOf(ship(nothing)), null);
  assert.equal(faultsOf(edge({ ...nothing, temporal: null })), null);
  assert.equal(
    describeOntologyFaults(
      '{"ontology": {"hierarchy": [{"level": 0, "node_types": {}}], "edge_types": null}}',
    ),
    null,
  );
});

test("a repeated JSON key is a fault only if a node type is lost by it", () => {
  const once = '{"level": 0, "note": {"A": 1, "A": 2}, "node_types": {"A": {"x": 1, "x": 2}}}';
  const twice = String.raw`{"level": 0, "node_types": {"A\"{": {}, "A": {"A": ["A"]}, "B": {}, "\u0041": {}}}`;
  const schema = (levels: string) => `{"ontology": {"hierarchy": [${levels}]}}`;
  assert.equal(describeOntologyFaults(schema(once)), null);
  const path = "schema.ontology.hierarchy[1].node_types.A";
  const detail = `${path}: is defined more than once, expected each node type once`;
  const next = '{"node_types": {"C": {}}, "level": 1}';
  assert.equal(describeOntologyFaults(schema(`${next}, ${twice}`)), detail);
  const replaced = `{"ontology": {"hierarchy": [${twice}]}, "ontology": {"hierarchy": [${twice}], "hierarchy": [${once}]}}`;
  assert.equal(describeOntologyFaults(replaced), null);
});

test("at most ten faults are reported together, the most fundamental first", () => {
  const detail = faultsOf((draft) => {
    edge({ source_types: ["Shipp"], temporal: 1 })(draft);
    draft.hierarchy[0]!.level = 0;
  });
  assert.deepEqual(detail?.split("; "), [
    `${EDGE}.temporal: got the number 1, expected true or false`,
    "schema.ontology.hierarchy[1].level: level 0 is repeated, see schema.ontology.hierarchy[0].level",
    'schema.ontology.hierarchy[0].node_types.Fleet.aggregates[0]: "Ship" is on level 0, expected a node type of a level below 0',
    `${EDGE}.source_types[0]: unknown node type "Shipp", did you mean "Ship"?`,
  ]);
  const many = faultsOf(edge({ source_types: Array.from({ length: 30 }, (_, at) => `Unknown ${at}`) }));
  assert.equal(many?.split("; ").length, 11);
  assert.match(many ?? "", /; and 20 more$/);
});

test("when a node type was left out as invalid, unknown references are not reported, since they may be to that type", () => {
  const detail = faultsOf((draft) => {
    draft.hierarchy[1]!.level = "zero";
  });
  assert.equal(
    detail,
    "schema.ontology.hierarchy[1].level: got a string, expected a whole level number, 0 for the concrete level",
  );
});

test("a name that is too long is refused and shortened in the message", () => {
  const long = "\u{1f989}".repeat(201);
  const detail = faultsOf((draft) => {
    draft.hierarchy[1]!.node_types[long] = {};
  });
  assert.ok((detail?.length ?? 0) < 600, detail ?? "");
  assert.match(detail ?? "", /…"\]: "\u{1f989}{60}…" is too long, expected at most 200 characters$/u);
  const allowed = (draft: Draft) => {
    draft.hierarchy[1]!.node_types[long.slice(2)] = {};
  };
  assert.equal(faultsOf(allowed), null);
});

test("too many types, levels or characters are refused", () => {
  const fill = (count: number, draft: Draft) => {
    for (let at = 2; at < count; at++) draft.hierarchy[1]!.node_types[`Type ${at}`] = {};
  };
  assert.equal(
    faultsOf((draft) => fill(1999, draft)),
    null,
  );
  assert.equal(
    faultsOf((draft) => fill(2000, draft)),
    "schema.ontology.hierarchy: has more than 2000 node types",
  );
  assert.match(
    faultsOf((draft) => fill(200_000, draft)) ?? "",
    /^schema\.ontology\.hierarchy: has more than/,
  );
  const levels = Array.from({ length: 33 }, (_, level) => ({ level, node_types: {} }));
  assert.equal(
    describeOntologyFaults(JSON.stringify({ ontology: { hierarchy: levels } })),
    "schema.ontology.hierarchy: has 33 items, expected at most 32",
  );
  assert.equal(
    faultsOf(ship({ description: "x".repeat(20_001) })),
    `${SHIP}.description: has 20001 characters, expected at most 20000`,
  );
});

test("the check is linear in the length of the text, whatever the text", async () => {
  const types = (text: string) => `{"ontology":{"hierarchy":[{"level":0,"node_types":${text}}]}}`;
  const texts: Readonly<Record<string, (size: number) => string>> = {
    "nested arrays": (size) => `{"ontology":{},"more":${"[".repeat(size)}${"]".repeat(size)}}`,
    "nested objects": (size) => `{"ontology":{},"more":${'{"a":'.repeat(size)}0${"}".repeat(size)}}`,
    "nested types": (size) => types(`${'{"a":'.repeat(size)}0${"}".repeat(size)}`),
    "many types": (size) => types(`{${Array.from({ length: size }, (_, at) => `"T${at}":{}`).join()}}`),
    "empty objects": (size) => types(`[${"{},".repeat(size)}{}]`),
  };
  for (const [name, textOf] of Object.entries(texts)) {
    const [small, large] = [textOf(5_000), textOf(20_000)];
    await assertLinear(name, 5_000, (size) => describeOntologyFaults(size === 5_000 ? small : large));
  }
});
