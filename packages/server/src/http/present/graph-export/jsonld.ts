/**
 * A graph as JSON-LD 1.1. The context is part of the file, so reading it needs no network. The file has no `@id` at its
 * top: with one, the items would form a named graph, which many readers do not show. Passages and documents are inside of
 * what they state, so that the list at the top has entities and relationships alone.
 */
import { formatChunkId } from "../../../domain/document.ts";
import type { Entity, Relationship } from "../../../ports/graph-store.ts";
import type { GraphExport } from "../../../services/graph/export.ts";
import type { Passage, Stated } from "../../../services/graph/passages.ts";
import { relationshipId, timesOf } from "../graph.ts";

const PROV = "http://www.w3.org/ns/prov#";
const XSD = "http://www.w3.org/2001/XMLSchema#";

const context = {
  name: "https://schema.org/name",
  alternateName: "https://schema.org/alternateName",
  additionalProperty: "https://schema.org/additionalProperty",
  value: "https://schema.org/value",
  typeName: "urn:kcs:vocabulary:typeName",
  chunks: "urn:kcs:vocabulary:chunks",
  confidence: { "@id": "urn:kcs:vocabulary:confidence", "@type": `${XSD}double` },
  validFrom: "urn:kcs:vocabulary:validFrom",
  validTo: "urn:kcs:vocabulary:validTo",
  startDate: "https://schema.org/startDate",
  endDate: "https://schema.org/endDate",
  source: { "@id": "urn:kcs:vocabulary:source", "@type": "@id" },
  target: { "@id": "urn:kcs:vocabulary:target", "@type": "@id" },
  wasDerivedFrom: `${PROV}wasDerivedFrom`,
  wasAttributedTo: `${PROV}wasAttributedTo`,
  wasQuotedFrom: `${PROV}wasQuotedFrom`,
  quote: `${PROV}value`,
  chunk: "urn:kcs:vocabulary:chunk",
  start: "urn:kcs:vocabulary:start",
  end: "urn:kcs:vocabulary:end",
  identifier: "http://purl.org/dc/terms/identifier",
  date: "http://purl.org/dc/terms/date",
};

/** Yields one part of the file per part of the graph. */
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
  for await (const { items, passages } of graph.statedEntities())
    yield listItems(items.map((entity) => entityNode(entity, { iriOf, passages })));
  for await (const { items, passages } of graph.statedRelationships())
    yield listItems(items.map((relationship) => relationshipNode(relationship, { iriOf, passages })));
  yield "\n]}\n";
}

type IriOf = (kind: "entity" | "relationship" | "passage" | "document", id: string) => string;

interface Sources extends Pick<Stated<unknown>, "passages"> {
  readonly iriOf: IriOf;
}

function entityNode(entity: Entity, sources: Sources) {
  return {
    "@id": sources.iriOf("entity", entity.entityId),
    "@type": typeIri(entity.type),
    typeName: entity.type,
    name: entity.name,
    alternateName: entity.aliases,
    additionalProperty: entity.properties.map(({ property, value, places }) => ({
      ...{ name: property, value },
      ...derivationOf(places, sources),
    })),
    chunks: entity.chunks,
  };
}

function relationshipNode(relationship: Relationship, sources: Sources) {
  const { validFrom, validTo } = timesOf(relationship);
  const { evidence } = relationship;
  const readers = [...new Set(evidence.map(({ extractor }) => extractor))];
  return {
    "@id": sources.iriOf("relationship", relationshipId(relationship)),
    "@type": typeIri(relationship.type),
    typeName: relationship.type,
    source: sources.iriOf("entity", relationship.sourceId),
    target: sources.iriOf("entity", relationship.targetId),
    chunks: relationship.chunks,
    ...(relationship.confidence === null ? {} : { confidence: relationship.confidence }),
    ...(validFrom === null ? {} : { validFrom, startDate: dateOf(validFrom) }),
    ...(validTo === null ? {} : { validTo, endDate: dateOf(validTo) }),
    ...derivationOf(evidence, sources),
    ...(readers.length === 0 ? {} : { wasAttributedTo: readers.map(readerNode) }),
  };
}

/** The passages that state a fact; a passage of two overlapping chunks is one. */
function derivationOf(
  places: Relationship["evidence"] | Entity["properties"][number]["places"],
  sources: Sources,
) {
  const found = places.flatMap((place) => sources.passages.get(place) ?? []);
  return found.length === 0 ? {} : { wasDerivedFrom: found.map((passage) => passageNode(passage, sources)) };
}

function passageNode(passage: Passage, { iriOf }: Sources) {
  const { versionId, sourceDocId, start, end, text, documentDate } = passage;
  return {
    "@id": iriOf("passage", `${versionId}.${start}-${end}`),
    "@type": `${PROV}Entity`,
    quote: text,
    ...{ start, end, chunk: formatChunkId(passage) },
    wasQuotedFrom: {
      "@id": iriOf("document", sourceDocId),
      "@type": `${PROV}Entity`,
      identifier: sourceDocId,
      ...(documentDate === null ? {} : { date: dateOf(documentDate) }),
    },
  };
}

function readerNode(extractor: string) {
  return { "@id": `urn:kcs:reader:${encoded(extractor)}`, "@type": `${PROV}SoftwareAgent` };
}

const DATE_TYPES: Readonly<Record<number, string>> = { 4: "gYear", 7: "gYearMonth", 10: "date" };

/** As precise as the text: "1994" is a year, and no day of it. */
function dateOf(written: string) {
  const type = DATE_TYPES[written.length];
  return type === undefined ? written : { "@value": written, "@type": XSD + type };
}

function typeIri(type: string): string {
  return `urn:kcs:type:${encoded(type)}`;
}

/** Type names, which are also part of the ids of relationships, may have any characters. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
