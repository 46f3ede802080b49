/** Two changes of the company's ontology, one after the other, and what holds after each. */
import type { Expected } from "./corrections.ts";

export type OntologyChange =
  | { readonly kind: "rename_node_type"; readonly from: string; readonly to: string }
  | {
      readonly kind: "add_edge_type";
      readonly edge_type: {
        readonly name: string;
        readonly source_types: readonly string[];
        readonly target_types: readonly string[];
        readonly description: string;
        readonly aliases: readonly string[];
        readonly examples: readonly string[];
      };
    };

export interface ExpectedChange {
  readonly change: OntologyChange;
  readonly reason: string;
  readonly expected: readonly Expected[];
}

export const ONTOLOGY_CHANGES: readonly ExpectedChange[] = [
  {
    change: { kind: "rename_node_type", from: "Town", to: "Place" },
    reason: "Nøstegaten and the Marine Science Park are no towns, but we want to see them.",
    expected: [
      { has: true, entity: { type: "Place", name: "Bergen" } },
      { has: true, entity: { type: "Place", name: "Plymouth" } },
      { has: false, entity: { type: "Town", name: "Bergen" } },
      { has: false, entity: { type: "Town", name: "Plymouth" } },
    ],
  },
  {
    change: {
      kind: "add_edge_type",
      edge_type: {
        name: "FOUNDED_BY",
        source_types: ["Company"],
        target_types: ["Person"],
        description: "The person has started the firm",
        aliases: ["started by", "set up by"],
        examples: [
          "Holt & Co was founded by Edwin Holt in 1921.",
          "Ann Pryor started Dunmore Glass in her garage.",
        ],
      },
    },
    reason: "Visitors always ask who founded what.",
    expected: [
      {
        has: true,
        relationship: { source: "Havtek AS", type: "FOUNDED_BY", target: "Ingrid Solheim" },
      },
    ],
  },
];
