import type { ReadyOntologyName } from "@kcs/contract/ready-ontologies";

/** The ontologies to begin with. A label is the name that the ontology has. */
export const readyMade = [
  { id: "general", label: "General knowledge" },
  { id: "business", label: "Business" },
  { id: "software", label: "Software" },
  { id: "biomedicine", label: "Biomedicine" },
  { id: "legal", label: "Legal" },
  { id: "support", label: "Support" },
] as const satisfies readonly { readonly id: ReadyOntologyName; readonly label: string }[];
