import type { AddedExamples } from "../../domain/ontology/with-examples.ts";
import type { OntologyWithExamples } from "../../services/ontology-examples.ts";
import { presentChangedProject } from "./changed-project.ts";
import type { ReadOntologyParts } from "./ontology-parts.ts";
import { presentOntologyVersion } from "./ontology-versions.ts";

export function presentOntologyWithExamples(
  { ontology, nodeTypes, edgeTypes, moved }: OntologyWithExamples,
  readParts: ReadOntologyParts,
) {
  return {
    ontology: presentOntologyVersion(ontology),
    node_types: nodeTypes.map(presentAdded),
    edge_types: edgeTypes.map(presentAdded),
    moved: moved === null ? null : presentChangedProject(moved, readParts),
  };
}

function presentAdded({ name, added, leftOut }: AddedExamples) {
  return { name, added, left_out: leftOut };
}
