import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ReadyOntology, readyOntologies } from "@kcs/contract/ready-ontologies";
import { checkOntology } from "../src/domain/ontology-check.ts";

const all = await Promise.all(
  Object.entries(readyOntologies).map(async ([name, load]) => {
    const ready: ReadyOntology = (await load()).default;
    return { file: name, ...ready };
  }),
);

for (const { file, name, schema } of all)
  describe(`the ready-made ontology ${file}`, () => {
    const text = JSON.stringify(schema);

    test("has no fault", () => {
      assert.ok(name.length > 0);
      assert.deepEqual(checkOntology(text).faults, []);
    });

    test("describes each type, and gives each edge type three sentences that name both ends", () => {
      const { hierarchy, edge_types } = (schema as Shape).ontology;
      const types = hierarchy.flatMap(({ node_types }) => Object.entries(node_types));
      assert.deepEqual(
        types.filter(([, { description, examples }]) => description === "" || examples.length === 0),
        [],
      );
      for (const { name: edge, description, examples } of edge_types) {
        assert.ok(description.length > 0 && examples.length >= 3, edge);
        for (const { source, target, text: sentence } of examples)
          for (const end of [source, target])
            assert.ok(sentence.toLowerCase().includes(end.toLowerCase()), `${edge}: ${sentence} (${end})`);
      }
    });
  });

interface Shape {
  readonly ontology: {
    readonly hierarchy: readonly {
      readonly node_types: Readonly<
        Record<string, { readonly description: string; readonly examples: readonly string[] }>
      >;
    }[];
    readonly edge_types: readonly {
      readonly name: string;
      readonly description: string;
      readonly examples: readonly {
        readonly source: string;
        readonly target: string;
        readonly text: string;
      }[];
    }[];
  };
}
