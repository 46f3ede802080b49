/** Chunks and types for the tests of extraction with a model. */
import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import { sentences } from "../../../text/sentences.ts";
import type { ExtractedChunk } from "./find-names.ts";
import type { Grounding } from "./grounding.ts";
import { narrowToConcrete, type OntologyTypes } from "./model-types.ts";
import { createRelationNames } from "./relation-names.ts";

/** A chunk that begins at 100 in its document. */
export function chunkOf(text: string, changes: Partial<ExtractedChunk> = {}): ExtractedChunk {
  const start = 100;
  const spans = [...sentences(text)].map((one) => ({ start: start + one.start, end: start + one.end }));
  return { text, start, header: "", sentences: spans, documentSubject: null, ...changes };
}

const node = (
  name: string,
  level: number,
  properties: readonly string[] = [],
  description = "",
): NodeType => ({
  ...{ name, level, properties, description },
  ...{ aggregates: [], examples: [], aliases: [] },
});

const edge = (name: string, sourceTypes: readonly string[], targetTypes: readonly string[]): EdgeType => ({
  ...{ name, sourceTypes, targetTypes, temporal: name === "WORKS_FOR", functional: false },
  ...{ properties: [], description: "", examples: [], aliases: [] },
});

export const SCHEMA: OntologySchema = {
  nodeTypes: [
    node("Person", 0, ["birth_date"], "A human being. Not a role."),
    node("Company", 0),
    node("City", 0, [], "A town or city"),
    { ...node("Region", 1), aggregates: ["City"] },
  ],
  edgeTypes: [
    edge("BORN_IN", ["Person"], ["City"]),
    edge("WORKS_FOR", ["Person"], ["Company", "Person"]),
    edge("LIES_IN", ["City"], ["Region"]),
  ],
  faults: [],
};

export const TYPES: OntologyTypes = narrowToConcrete(SCHEMA);

export function groundingOf(text: string, changes: Partial<Grounding> = {}): Grounding {
  return {
    chunk: chunkOf(text),
    types: TYPES,
    nameRelation: createRelationNames(),
    knownTypes: new Map(),
    ...changes,
  };
}
