/** Whether an ontology may be created. */
import { readOntology } from "./ontology-schema.ts";

/**
 * What is wrong with the JSON text of a schema, `place: what, expected …` of at most ten faults joined by "; ", the most
 * fundamental first; null when nothing is. Never throws; linear in the length of the text.
 */
export function describeOntologyFaults(schemaJson: string): string | null {
  const { faults } = readOntology(schemaJson);
  const texts = faults.texts();
  if (texts.length === 0) return null;
  const rest = faults.count() - texts.length;
  return `${texts.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
