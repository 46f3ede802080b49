import type { PropertyMention } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { Opening } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { Passage } from "./passage.ts";

export interface PropertyInput {
  readonly passage: Passage;
  readonly entities: readonly FoundEntity[];
  /** One for each sentence. */
  readonly openings: readonly (Opening | null)[];
  readonly documentSubject: FoundEntity | null;
}

export function createPropertyReader(_schema: OntologySchema): (input: PropertyInput) => readonly PropertyMention[] {
  return () => [];
}
