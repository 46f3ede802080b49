import type { Generated } from "kysely";

export interface OntologyRow {
  readonly account_id: string;
  readonly ontology_id: string;
  readonly account_seq: number;
  readonly name: string;
  readonly created_at: number;
  readonly schema_json: string;
  /** Both are the result of `writeAllowedFacts`. */
  readonly allowed_facts: string;
  readonly allowed_properties: string;
  /** Of which version they are; null, or another: they are to be read from the text. */
  readonly properties_version: number | null;
  /** The newest, to which the name and the schema belong. */
  readonly version: Generated<number>;
  /** When this version was made; null: with the ontology. */
  readonly changed_at: Generated<number | null>;
}

/** A version that is no longer the newest. */
export interface OntologyVersionRow {
  readonly account_id: string;
  readonly ontology_id: string;
  readonly version: number;
  readonly name: string;
  readonly created_at: number;
  readonly schema_json: string;
  /** Both are the result of `writeAllowedFacts`. */
  readonly allowed_facts: string;
  readonly allowed_properties: string;
  /** Of which version they are; null, or another: they are to be read from the text. */
  readonly properties_version: number | null;
}
