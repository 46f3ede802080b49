/** JSON of versions of ontologies and of what differs between them. */

import type { OntologyComparison, TypeChange } from "../../domain/ontology/compare.ts";
import type { Ontology, OntologyVersion } from "../../domain/ontology.ts";
import { presentOntology } from "../present.ts";

export function presentOntologyVersion(ontology: Ontology) {
  return { ...presentOntology(ontology), version: ontology.version };
}

export function presentOntologyVersions(versions: readonly OntologyVersion[]) {
  return {
    versions: versions.map(({ version, name, createdAt, projects }) => ({
      version,
      name,
      created_at: new Date(createdAt).toISOString(),
      projects,
    })),
  };
}

export function presentOntologyDiff(found: {
  readonly before: number;
  readonly after: number;
  readonly comparison: OntologyComparison;
}) {
  const { before, after, comparison } = found;
  const differing = (changes: readonly TypeChange[]) =>
    changes.filter(({ change }) => change !== "kept").map(presentChange);
  return {
    before,
    after,
    node_types: differing(comparison.nodeTypes),
    edge_types: differing(comparison.edgeTypes),
  };
}

/** Also of types that are kept, with their numbers in the graph. */
export function presentOntologyMove({ nodeTypes, edgeTypes, corrections }: OntologyComparison) {
  return {
    node_types: nodeTypes.map((each) => ({ ...presentChange(each), entities: each.entities })),
    edge_types: edgeTypes.map((each) => ({
      ...{ ...presentChange(each), relationships: each.relationships, fitting: each.fitting },
      ...{ proposals: each.proposals, fitting_proposals: each.fittingProposals },
    })),
    corrections: corrections.map(({ kind, corrections: all, withoutEffect }) => ({
      ...{ kind, corrections: all, without_effect: withoutEffect },
    })),
  };
}

function presentChange({ change, name, to, members }: TypeChange) {
  return { change, name, to, members: [...members] };
}
