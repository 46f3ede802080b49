/** The check that an ontology passes before it is created. */
import { type WrittenFacts, writeAllowedFacts } from "./ontology/allowed-facts.ts";
import type { FaultList } from "./ontology/faults.ts";
import { readOntology } from "./ontology-schema.ts";

export interface OntologyCheck {
  /** `path: what is wrong, expected …`, the most fundamental faults first; at most ten. */
  readonly faults: readonly string[];
  /** Number of all faults, including those beyond the first ten. */
  readonly faultCount: number;
}

/** A schema that was read once, with what is kept of it. */
export interface CheckedSchema {
  /** The schema as the client sent it, which must be valid JSON; it is stored unchanged. */
  readonly schemaJson: string;
  /** Those of the schema, with their paths; null when there are none. */
  readonly faults: string | null;
  /** The result of `writeAllowedFacts`. */
  readonly allowedFacts: WrittenFacts;
}

/** Never throws; linear in the length of the text. */
export function checkSchema(schemaJson: string): CheckedSchema {
  const { faults, ...types } = readOntology(schemaJson);
  return { schemaJson, faults: describe(faults), allowedFacts: writeAllowedFacts(types) };
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
  return describe(readOntology(schemaJson).faults);
}

function describe(faults: FaultList): string | null {
  const texts = faults.texts();
  if (texts.length === 0) return null;
  const rest = faults.count() - texts.length;
  return `${texts.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}
