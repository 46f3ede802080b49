import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeOntologyFaults } from "./ontology-check.ts";
import { parseOntology } from "./ontology-schema.ts";

type Content = Record<string, unknown>;
interface Level {
  level: unknown;
  node_types: Record<string, unknown>;
}
interface Draft {
  hierarchy: Level[];
  edges: Content[];
}

/** The JSON text of a draft; the wire name of the edges occurs only here. */
function textOf({ hierarchy, edges }: Draft): string {
  return JSON.stringify({ ontology: { hierarchy, edge_types: edges } });
}

/**
 * One to three levels of node types and up to four edge types between any of
 * them, with or without optional members.
 */
const validDraft: fc.Arbitrary<Draft> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    edges: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 4 }),
  })
  .map(({ sizes, edges }) => {
    const names = sizes.map((size, level) => Array.from({ length: size }, (_, at) => `Type ${level}-${at}`));
    const all = names.flat();
    return {
      hierarchy: names.map((own, level) => ({
        level,
        node_types: Object.fromEntries(
          own.map((name, at) => [
            name,
            at > 0 ? {} : { aggregates: names[level - 1] ?? [], properties: ["a", "b"] },
          ]),
        ),
      })),
      edges: edges.map(([source, target, isRich], at) => ({
        name: `EDGE_${at}`,
        source_types: [all[source % all.length]],
        target_types: [all[target % all.length]],
        ...(isRich ? { temporal: true, examples: ["A sentence."], zebra: null } : {}),
      })),
    };
  });

/** Each makes one part of a draft invalid and returns the path that has to be reported. */
const spoilers: readonly ((draft: Draft, at: number) => string)[] = [
  ({ hierarchy }, at) => {
    const index = at % hierarchy.length;
    hierarchy[index]!.level = [-1, 0.5, "0", null, 1e9, []][at % 6];
    return `schema.ontology.hierarchy[${index}].level: `;
  },
  ({ hierarchy }) => {
    hierarchy.push({ level: 0, node_types: {} });
    return `schema.ontology.hierarchy[${hierarchy.length - 1}].level: `;
  },
  ({ hierarchy }) => {
    hierarchy[0]!.level = hierarchy.length;
    return "schema.ontology.hierarchy: ";
  },
  ({ hierarchy }, at) => {
    const index = at % hierarchy.length;
    hierarchy[index]!.node_types["TYPE  0-0"] = {};
    return `schema.ontology.hierarchy[${index}].node_types["TYPE  0-0"]: `;
  },
  ({ hierarchy }, at) => {
    const index = at % hierarchy.length;
    hierarchy[index]!.node_types["Added"] = { aggregates: [`Type ${hierarchy.length - 1}-0`] };
    return `schema.ontology.hierarchy[${index}].node_types.Added.aggregates[0]: `;
  },
  ({ hierarchy }, at) => {
    const index = at % hierarchy.length;
    hierarchy[index]!.node_types["Added"] = [
      { aggregates: ["?"] },
      { aggregates: [""] },
      { aggregates: [1] },
    ][at % 3];
    return `schema.ontology.hierarchy[${index}].node_types.Added.aggregates[0]: `;
  },
  ({ edges }, at) => {
    edges.push({ name: "ADDED", source_types: ["Type 0-0", "type 0-"], target_types: ["Type 0-0"] });
    const [end, other] = at % 2 === 0 ? ["source_types", "target_types"] : ["target_types", "source_types"];
    edges[edges.length - 1] = { name: "ADDED", [end]: ["Type 0-0", "type 0-"], [other]: ["Type 0-0"] };
    return `schema.ontology.edge_types[${edges.length - 1}].${end}[1]: `;
  },
  ({ edges }, at) => {
    const end = at % 2 === 0 ? "source_types" : "target_types";
    edges.push({
      name: "ADDED",
      source_types: ["Type 0-0"],
      target_types: ["Type 0-0"],
      [end]: [[], null, "", {}][at % 4],
    });
    return `schema.ontology.edge_types[${edges.length - 1}].${end}: `;
  },
  ({ edges }, at) => {
    const name = [undefined, "", 7, "\0", "\ud800"][at % 5];
    edges.push({ name, source_types: ["Type 0-0"], target_types: ["Type 0-0"] });
    return `schema.ontology.edge_types[${edges.length - 1}].name: `;
  },
  ({ edges }) => {
    const twin = { name: "TWIN", source_types: ["Type 0-0"], target_types: ["Type 0-0"] };
    edges.push(twin, twin);
    return `schema.ontology.edge_types[${edges.length - 1}].name: `;
  },
];

test("a valid ontology with one invalid part is refused with the path of that part, and is used without it", () => {
  const spoilt = fc.tuple(validDraft, fc.nat(spoilers.length - 1), fc.nat(1000));
  fc.assert(
    fc.property(spoilt, ([draft, kind, at]) => {
      assert.equal(describeOntologyFaults(textOf(draft)), null);
      const path = spoilers[kind]!(draft, at);
      const detail = describeOntologyFaults(textOf(draft)) ?? "";
      assert.ok(
        detail.split("; ").some((fault) => fault.startsWith(path)),
        `${path} is not in: ${detail}`,
      );
      const schema = parseOntology(textOf(draft));
      assert.ok(schema.faults.length > 0);
      const rebuilt = {
        hierarchy: [...new Set([0, ...schema.nodeTypes.map(({ level }) => level)])].map((level) => ({
          level,
          node_types: Object.fromEntries(
            schema.nodeTypes.filter((type) => type.level === level).map((type) => [type.name, type]),
          ),
        })),
        edges: schema.edgeTypes.map((type) => ({
          ...type,
          source_types: type.sourceTypes,
          target_types: type.targetTypes,
          examples: [],
        })),
      };
      assert.equal(describeOntologyFaults(textOf(rebuilt)), null);
    }),
    { seed: 20_310_411, numRuns: 300 },
  );
});

test("neither the check nor the parser throws for any input", () => {
  const key = fc.constantFrom(
    "ontology",
    "hierarchy",
    "level",
    "node_types",
    "edge_types",
    "name",
    "source_types",
    "target_types",
    "aggregates",
    "examples",
    "__proto__",
    "",
  );
  const leaf = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.constantFrom(null, true, 0, 1, "A", "A "),
  );
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(key, tie("node"), { maxKeys: 6 }),
    ),
  })).node;
  const near = fc.record({
    hierarchy: fc.array(
      fc.record({ level: fc.oneof(fc.integer(), leaf), node_types: fc.dictionary(fc.string(), value) }),
    ),
    edge_types: fc.array(value),
  });
  const text = fc.oneof(
    fc.string(),
    fc.tuple(value, fc.nat(300)).map(([any, cut]) => JSON.stringify(any).slice(0, cut)),
    near.map((ontology) => JSON.stringify({ ontology })),
  );
  fc.assert(
    fc.property(text, (json) => {
      const detail = describeOntologyFaults(json);
      const { faults: reported, nodeTypes, edgeTypes } = parseOntology(json);
      assert.equal(detail === null, reported.length === 0);
      const names = new Set(nodeTypes.map(({ name }) => name));
      assert.equal(names.size, nodeTypes.length);
      for (const { sourceTypes, targetTypes } of edgeTypes) {
        assert.ok([...sourceTypes, ...targetTypes].every((name) => names.has(name)));
        assert.ok(sourceTypes.length > 0 && targetTypes.length > 0);
      }
    }),
    { seed: 20_310_411, numRuns: 300 },
  );
});
