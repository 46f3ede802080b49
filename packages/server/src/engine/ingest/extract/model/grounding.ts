/** What the checking of one reply against its chunk rests on. */
import type { EntityKey, Span } from "../../../../domain/graph.ts";
import type { ExtractedChunk, FoundName } from "./find-names.ts";
import type { FitCounter } from "./fit-counter.ts";
import type { OntologyTypes } from "./model-types.ts";
import type { NamedRelation } from "./relation-names.ts";

export interface Grounding {
  readonly chunk: ExtractedChunk;
  /** null where no ontology gives any. */
  readonly types: OntologyTypes | null;
  readonly nameRelation: (words: string) => NamedRelation | null;
  /** What the built-in engine takes names for, by their normal forms: for facts that say no types. */
  readonly knownTypes: ReadonlyMap<string, string>;
}

/** A thing that is kept: its type, and where its name stands. */
export interface KeptEntity extends EntityKey {
  readonly found: FoundName;
}

/** What the reading of one reply shares. */
export interface Reading extends Grounding {
  readonly findName: (written: string) => FoundName | null;
  readonly counter: FitCounter;
  /** By type and normal form. */
  readonly entities: Map<string, KeptEntity>;
}

/** Where a span of the chunk's text stands in the document. */
export function inDocument({ start }: ExtractedChunk, span: Span): Span {
  return { start: start + span.start, end: start + span.end };
}
