/**
 * A graph as JSON-LD 1.1. The context is part of the file, so reading it needs no network. The file has no `@id` at its
 * top: with one, the items would form a named graph, which many readers do not show.
 */
import type { Entity, Relationship } from "../../../ports/graph-store.ts";
import type { GraphExport } from "../../../services/graph/export.ts";
import { relationshipId, timesOf } from "../graph.ts";

const context = {
  name: "https://schema.org/name",
  alternateName: "https://schema.org/alternateName",
  additionalProperty: "https://schema.org/additionalProperty",
  value: "https://schema.org/value",
  typeName: "urn:kcs:vocabulary:typeName",
  chunks: "urn:kcs:vocabulary:chunks",
  confidence: {
    "@id": "urn:kcs:vocabulary:confidence",
    "@type": "http://www.w3.org/2001/XMLSchema#double",
  },
  validFrom: "urn:kcs:vocabulary:validFrom",
  validTo: "urn:kcs:vocabulary:validTo",
  source: { "@id": "urn:kcs:vocabulary:source", "@type": "@id" },
  target: { "@id": "urn:kcs:vocabulary:target", "@type": "@id" },
};

/** Yields one part of the file per page of the graph. */
export async function* jsonLdOf(graph: GraphExport, projectId: string): AsyncGenerator<string> {
  yield `{"@context":${JSON.stringify(context)},"@graph":[`;
  let isFirst = true;
  const listItems = (nodes: readonly object[]) => {
    const text = nodes.map((node) => `\n${JSON.stringify(node)}`).join(",");
    const piece = isFirst || text === "" ? text : `,${text}`;
    isFirst &&= text === "";
    return piece;
  };
  const iriOf: IriOf = (kind, id) => `urn:kcs:project:${projectId}:${kind}:${encoded(id)}`;
  for await (const page of graph.entities()) yield listItems(page.map((entity) => entityNode(entity, iriOf)));
  for await (const page of graph.relationships()) {
    yield listItems(page.map((relationship) => relationshipNode(relationship, iriOf)));
  }
  yield "\n]}\n";
}

type IriOf = (kind: "entity" | "relationship", id: string) => string;

function entityNode(entity: Entity, iriOf: IriOf) {
  return {
    "@id": iriOf("entity", entity.entityId),
    "@type": typeIri(entity.type),
    typeName: entity.type,
    name: entity.name,
    alternateName: entity.aliases,
    additionalProperty: entity.properties.map(({ property, value }) => ({ name: property, value })),
    chunks: entity.chunks,
  };
}

function relationshipNode(relationship: Relationship, iriOf: IriOf) {
  const { validFrom, validTo } = timesOf(relationship);
  return {
    "@id": iriOf("relationship", relationshipId(relationship)),
    "@type": typeIri(relationship.type),
    typeName: relationship.type,
    source: iriOf("entity", relationship.sourceId),
    target: iriOf("entity", relationship.targetId),
    chunks: relationship.chunks,
    ...(relationship.confidence === null ? {} : { confidence: relationship.confidence }),
    ...(validFrom === null ? {} : { validFrom }),
    ...(validTo === null ? {} : { validTo }),
  };
}

function typeIri(type: string): string {
  return `urn:kcs:type:${encoded(type)}`;
}

/** Type names, which are also part of the ids of relationships, may have any characters. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
