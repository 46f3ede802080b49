/** Whether an ontology may be created. */
import { readOntology } from "./ontology-schema.ts";

export interface OntologyCheck {
  /** `place: what, expected …`, the most fundamental first; at most ten of them. */
  readonly faults: readonly string[];
  /** All of them. */
  readonly faultCount: number;
}

/** Everything that would keep the JSON text of a schema from being created. Never throws; linear in its length. */
export function checkOntology(schemaJson: string): OntologyCheck {
  const { faults } = readOntology(schemaJson);
  return { faults: faults.texts(), faultCount: faults.count() };
}

/**
 * What is wrong with the JSON text of a schema, `place: what, expected …` of at most ten faults joined by "; ", the most
 * fundamental first; null when nothing is. Never throws; linear in the length of the text.
 */
export function describeOntologyFaults(schemaJson: string): string | null {
  const { faults, faultCount } = checkOntology(schemaJson);
  if (faults.length === 0) return null;
  const rest = faultCount - faults.length;
  return `${faults.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
