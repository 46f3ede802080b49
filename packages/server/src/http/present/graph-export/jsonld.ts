/** A graph as JSON-LD 1.1, whose context stands in the file itself: nothing has to be fetched to read it. */
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

/** A piece of the file for each page. */
export async function* jsonLdOf(graph: GraphExport, projectId: string): AsyncGenerator<string> {
  yield `{"@context":${JSON.stringify(context)},"@id":"urn:kcs:project:${projectId}","@graph":[`;
  let isFirst = true;
  const listed = (nodes: readonly object[]) => {
    const text = nodes.map((node) => `\n${JSON.stringify(node)}`).join(",");
    const piece = isFirst || text === "" ? text : `,${text}`;
    isFirst &&= text === "";
    return piece;
  };
  const iriOf = (entityId: string) => `urn:kcs:project:${projectId}:entity:${entityId}`;
  for await (const page of graph.entities()) yield listed(page.map((entity) => entityNode(entity, iriOf)));
  for await (const page of graph.relationships()) {
    yield listed(page.map((relationship) => relationshipNode(relationship, iriOf)));
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

/** A name of any characters as an IRI. */
function typeIri(type: string): string {
  return `urn:kcs:type:${encodeURIComponent(type.toWellFormed())}`;
}
