/** Asserts a statement between two entities as the edge type that is named like its verb. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { checkFact } from "../../../../domain/ontology-schema.ts";
import { createEdgeNames } from "./edge-names.ts";
import type { JoinedRelation } from "./relation-facts.ts";
import type { StatementLink } from "./statement-links.ts";

export interface SentenceLink extends StatementLink {
  /** Index into the chunk's sentences. */
  readonly sentence: number;
}

/** What the sentence states in the very words of an edge type, of a share that a relation read by its context seldom has. */
const CONFIDENCE = 0.85;

/** Only what the ontology allows; null for what it has no name for. */
export function createLinkReader(schema: OntologySchema): (link: SentenceLink) => JoinedRelation | null {
  const findEdges = createEdgeNames(schema);
  return (link) => {
    for (const { edge, isInverse } of findEdges(link)) {
      const [source, target] = isInverse ? [link.target, link.source] : [link.source, link.target];
      const fact = { type: edge.name, sourceType: source.type, targetType: target.type };
      if (checkFact(schema, fact) !== "fits") continue;
      const confidence = CONFIDENCE * Math.sqrt(source.confidence * target.confidence);
      return {
        ...{ type: edge.name, source, target, sentence: link.sentence, confidence },
        extractor: "statement",
        validFrom: null,
        validTo: null,
      };
    }
    return null;
  };
}
