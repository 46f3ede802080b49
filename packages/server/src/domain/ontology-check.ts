/** The check that an ontology passes before it is created. */
import { readOntology } from "./ontology-schema.ts";

export interface OntologyCheck {
  /** `path: what is wrong, expected …`, the most fundamental faults first; at most ten. */
  readonly faults: readonly string[];
  /** Number of all faults, including those beyond the first ten. */
  readonly faultCount: number;
}

/**
 * All faults for which the JSON text of a schema is refused. Never throws; linear in the length of the text.
 */
export function checkOntology(schemaJson: string): OntologyCheck {
  const { faults } = readOntology(schemaJson);
  return { faults: faults.texts(), faultCount: faults.count() };
}

/**
 * The faults of `checkOntology`, joined by "; ", with the number of those left out; null when there are none.
 */
export function describeOntologyFaults(schemaJson: string): string | null {
  const { faults, faultCount } = checkOntology(schemaJson);
  if (faults.length === 0) return null;
  const rest = faultCount - faults.length;
  return `${faults.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
