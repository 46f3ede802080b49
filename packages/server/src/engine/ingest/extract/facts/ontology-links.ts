/** Asserts a statement between two names as the edge type that is named like its verb. */

import { checkFact, type EdgeType, type OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createEdgeNames } from "./edge-names.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { JoinedRelation } from "./relation-facts.ts";
import type { StatementLink } from "./statement-links.ts";

export interface SentenceLink extends StatementLink {
  /** Index into the chunk's sentences. */
  readonly sentence: number;
}

/** What the sentence states in the very words of an edge type, of a share that a relation read by its context seldom has. */
const CONFIDENCE = 0.9;
/** Of a type that the verb asks for, in a name that is surely something: among many types each has little. */
const LEAST_SHARE = 0.02;
/** Below, the ends are too unsure. */
const LEAST_CONFIDENCE = 0.25;
/** A type that is as sure as this stays. */
const SURE_TYPE = 0.9;

/**
 * Only what the ontology allows; null for what it has no name for. Who "works for" something is an employee, if that is among
 * what the name may be: the verb decides between types that the name alone leaves open.
 */
export function createLinkReader(schema: OntologySchema): (link: SentenceLink) => JoinedRelation | null {
  const findEdges = createEdgeNames(schema);
  const indexOf = new Map(schema.nodeTypes.map(({ name }, at) => [name, at]));
  return (link) => {
    for (const { edge, isInverse } of findEdges(link)) {
      const [from, to] = isInverse ? [link.target, link.source] : [link.source, link.target];
      const source = withType(from, edge.sourceTypes, indexOf);
      const target = withType(to, edge.targetTypes, indexOf);
      if (source === null || target === null) continue;
      const fact = { type: edge.name, sourceType: source.type, targetType: target.type };
      if (checkFact(schema, fact) !== "fits") continue;
      const relation = toRelation(link, { edge, source, target });
      if (relation.confidence >= LEAST_CONFIDENCE) return relation;
    }
    return null;
  };
}

interface Ends {
  readonly edge: EdgeType;
  readonly source: FoundEntity;
  readonly target: FoundEntity;
}

function toRelation(link: SentenceLink, { edge, source, target }: Ends): JoinedRelation {
  const { sentence } = link;
  const object = link.isInverse ? link.source.key : link.target.key;
  const confidence = CONFIDENCE * Math.sqrt(source.confidence * target.confidence);
  return { type: edge.name, source, target, object, sentence, confidence, extractor: "statement" };
}

/** Of equal shares the type that the schema has last. In time by the allowed types: an ontology may have thousands of others. */
function withType(
  entity: FoundEntity,
  allowed: readonly string[],
  indexOf: ReadonlyMap<string, number>,
): FoundEntity | null {
  if (allowed.includes(entity.type)) return entity;
  if (entity.confidence >= SURE_TYPE || entity.shares === undefined) return null;
  let best = { type: "", at: -1, share: LEAST_SHARE };
  for (const type of allowed) {
    const at = indexOf.get(type) ?? -1;
    const share = entity.shares[at] ?? 0;
    if (share > best.share || (share === best.share && at > best.at)) best = { type, at, share };
  }
  return best.type === "" ? null : { ...entity, type: best.type };
}
