/** A graph as JSON-LD 1.1. The context is part of the file, so reading it needs no network. */
import type { Entity, Relationship } from "../../../ports/graph-store.ts";
import type { GraphExport } from "../../../services/graph/export.ts";
import { timesOf } from "../graph.ts";

const context = {
  name: "https://schema.org/name",
  alternateName: "https://schema.org/alternateName",
  additionalProperty: "https://schema.org/additionalProperty",
  value: "https://schema.org/value",
  typeName: "urn:kcs:vocabulary:typeName",
  chunks: "urn:kcs:vocabulary:chunks",
  validFrom: "urn:kcs:vocabulary:validFrom",
  validTo: "urn:kcs:vocabulary:validTo",
  source: { "@id": "urn:kcs:vocabulary:source", "@type": "@id" },
  target: { "@id": "urn:kcs:vocabulary:target", "@type": "@id" },
};

/** Yields one part of the file per page of the graph. */
export async function* jsonLdOf(graph: GraphExport, projectId: string): AsyncGenerator<string> {
  yield `{"@context":${JSON.stringify(context)},"@id":"urn:kcs:project:${projectId}","@graph":[`;
  let isFirst = true;
  const listItems = (nodes: readonly object[]) => {
    const text = nodes.map((node) => `\n${JSON.stringify(node)}`).join(",");
    const piece = isFirst || text === "" ? text : `,${text}`;
    isFirst &&= text === "";
    return piece;
  };
  const iriOf = (entityId: string) => `urn:kcs:project:${projectId}:entity:${entityId}`;
  for await (const page of graph.entities()) yield listItems(page.map((entity) => entityNode(entity, iriOf)));
  for await (const page of graph.relationships()) {
    yield listItems(page.map((relationship) => relationshipNode(relationship, iriOf)));
  }
  yield "\n]}\n";
}

function entityNode(entity: Entity, iriOf: (entityId: string) => string) {
  return {
    "@id": iriOf(entity.entityId),
    "@type": typeIri(entity.type),
    typeName: entity.type,
    name: entity.name,
    alternateName: entity.aliases,
    additionalProperty: entity.properties.map(({ property, value }) => ({ name: property, value })),
    chunks: entity.chunks,
  };
}

function relationshipNode(relationship: Relationship, iriOf: (entityId: string) => string) {
  const { validFrom, validTo } = timesOf(relationship);
  return {
    "@type": typeIri(relationship.type),
    typeName: relationship.type,
    source: iriOf(relationship.sourceId),
    target: iriOf(relationship.targetId),
    chunks: relationship.chunks,
    ...(validFrom === null ? {} : { validFrom }),
    ...(validTo === null ? {} : { validTo }),
  };
}

/** An IRI for a type name, which may have any characters. */
function typeIri(type: string): string {
  return `urn:kcs:type:${encodeURIComponent(type.toWellFormed())}`;
}
