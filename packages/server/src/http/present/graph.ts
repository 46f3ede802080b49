/** JSON of entities, relationships and associations. */
import { LazyList } from "@kcs/contract";
import { formatChunkId } from "../../domain/document.ts";
import type { UnfitFact } from "../../domain/graph.ts";
import { END_OF_PERIOD, type Validity } from "../../domain/validity.ts";
import type { Entity, Relationship } from "../../ports/graph-store.ts";
import type { GraphOverview } from "../../services/graph/overview.ts";
import type { QuotedAssociation } from "../../services/graph/quoted-associations.ts";
import type { QuotedProposal } from "../../services/graph/quoted-proposals.ts";
import type {
  EntityDetail,
  NamedRelationship,
  QuotedPath,
  QuotedRelationship,
} from "../../services/graph.ts";

interface PageOf {
  readonly limit: number;
  readonly offset: number;
}

export function presentGraphEntity(entity: Entity) {
  return {
    entity_id: entity.entityId,
    type: entity.type,
    name: entity.name,
    aliases: entity.aliases,
    properties: propertiesOf(entity),
    chunks: entity.chunks,
  };
}

/** The values of each property, the best supported first. */
export function propertiesOf({ properties }: Entity): Readonly<Record<string, readonly string[]>> {
  const groups = Map.groupBy(properties, ({ property }) => property);
  return Object.fromEntries(
    [...groups].map(([property, values]) => [property, values.map(({ value }) => value)]),
  );
}

export function presentEntities(
  { entities, total }: { readonly entities: readonly Entity[]; readonly total: number },
  { limit, offset }: PageOf,
) {
  return { entities: entities.map(presentGraphEntity), total, limit, offset };
}

export function presentEntityDetail({
  entity,
  evidence,
  relationships,
  history,
  associations,
}: EntityDetail) {
  return {
    ...presentGraphEntity(entity),
    evidence: evidence.map(presentQuote),
    relationships: relationships.map(presentGraphRelationship),
    history: history.map(presentQuotedRelationship),
    ...(associations === undefined ? {} : { associations: associations.map(presentAssociation) }),
  };
}

function presentAssociation({ entity, strength, chunks, evidence }: QuotedAssociation) {
  return {
    entity: presentEnd(entity),
    strength: roundStrength(strength),
    chunks,
    evidence: evidence.map(presentQuote),
  };
}

/** To thousandths. */
export function roundStrength(strength: number): number {
  return Math.round(strength * 1_000) / 1_000;
}

export function presentAssociations(
  { associations, total }: { readonly associations: readonly QuotedAssociation[]; readonly total: number },
  { limit, offset }: PageOf,
) {
  return { associations: associations.map(presentAssociation), total, limit, offset };
}

export function presentQuote(quote: QuotedRelationship["evidence"][number]) {
  return {
    chunk_id: formatChunkId(quote),
    source_doc_id: quote.sourceDocId,
    start: quote.start,
    end: quote.end,
    text: quote.text,
  };
}

export function presentGraphRelationship({ relationship, source, target }: NamedRelationship) {
  return {
    relationship_id: relationshipId(relationship),
    type: relationship.type,
    source: presentEnd(source),
    target: presentEnd(target),
    chunks: relationship.chunks,
    confidence: relationship.confidence,
    valid_from: timesOf(relationship).validFrom,
    valid_to: timesOf(relationship).validTo,
    ...(relationship.isConfirmed === true ? { confirmed: true as const } : {}),
  };
}

export function presentEnd({ entityId, name, type }: NamedRelationship["source"]) {
  return { entity_id: entityId, name, type };
}

/** Of an entity or relationship of an overview. */
const OVERVIEW_ITEM_BYTES = 512;

export function presentOverview(overview: GraphOverview) {
  return {
    entities: lazyList(overview.entities, (entity) => ({ ...presentEnd(entity), degree: entity.degree })),
    relationships: lazyList(overview.relationships, ({ source, target, type, chunks }) => ({
      relationship_id: relationshipId({ sourceId: source, targetId: target, type }),
      type,
      source,
      target,
      chunks,
    })),
    connected_entities: overview.connected,
    total_relationships: overview.total,
    is_complete: overview.isComplete,
  };
}

function lazyList<Item>(items: readonly Item[], present: (item: Item) => unknown): LazyList {
  return new LazyList({
    length: items.length,
    heldBytes: items.length * OVERVIEW_ITEM_BYTES,
    itemAt: (at) => present(items[at] as Item), // It is asked for places below the length.
  });
}

export function presentPath({ relationships, isComplete }: QuotedPath) {
  return { relationships: relationships.map(presentQuotedRelationship), is_complete: isComplete };
}

/** Unique, because two entities have at most one relationship of a type and direction. */
export function relationshipId({
  sourceId,
  targetId,
  type,
}: Pick<Relationship, "sourceId" | "targetId" | "type">): string {
  return `${sourceId}.${targetId}.${type}`;
}

/** Those of a person who added it; else each the one of the first evidence that states it, by descending confidence. */
export function timesOf({ addedTimes, evidence }: Pick<Relationship, "addedTimes" | "evidence">): Validity {
  if (addedTimes != null) return addedTimes;
  const begun = evidence.find(({ validFrom }) => validFrom !== null);
  const { validFrom = null } = begun ?? {};
  const isAfter = (validTo: string) => validFrom === null || `${validTo}${END_OF_PERIOD}` >= validFrom;
  const ended = [begun, ...evidence].find((one) => one?.validTo != null && isAfter(one.validTo));
  return { validFrom, validTo: ended?.validTo ?? null };
}

export function presentQuotedRelationship(relationship: QuotedRelationship) {
  return {
    ...presentGraphRelationship(relationship),
    evidence: relationship.evidence.map(presentQuote),
  };
}

export function presentRelationships(
  { relationships, total }: { readonly relationships: readonly QuotedRelationship[]; readonly total: number },
  { limit, offset }: PageOf,
) {
  return {
    relationships: relationships.map(presentQuotedRelationship),
    total,
    limit,
    offset,
  };
}

export function presentProposals(
  { proposals, total }: { readonly proposals: readonly QuotedProposal[]; readonly total: number },
  { limit, offset }: PageOf,
) {
  const presentProposalEnd = ({ entityId, name, type, confirmedType, others }: QuotedProposal["source"]) => ({
    ...{ entity_id: entityId, name, type, confirmed_type: confirmedType },
    same_name: others.map((other) => ({ entity_id: other.entityId, name: other.name, type: other.type })),
  });
  return {
    proposals: proposals.map((proposal) => ({
      type: proposal.type,
      source: presentProposalEnd(proposal.source),
      target: presentProposalEnd(proposal.target),
      chunks: proposal.chunks,
      confidence: proposal.confidence,
      valid_from: timesOf(proposal).validFrom,
      valid_to: timesOf(proposal).validTo,
      evidence: proposal.quotes.map(presentQuote),
    })),
    total,
    limit,
    offset,
  };
}

export function presentGraphFit(unfit: readonly UnfitFact[]) {
  const ofKind = (kind: UnfitFact["kind"]) => unfit.filter((fact) => fact.kind === kind);
  return {
    entities: ofKind("entity").map(({ name, count, example }) => ({ type: name, count, example })),
    relationships: ofKind("relationship").map(({ name, sourceType, targetType, count, example }) => ({
      type: name,
      source_type: sourceType,
      target_type: targetType,
      count,
      example,
    })),
    dropped: ofKind("dropped").map(({ name, count, example }) => ({ reason: name, count, example })),
  };
}
