/** Relationships for browsing a graph. */
import type { Moment } from "../../../domain/validity.ts";
import type { EdgeKind, EdgePlace, WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { conditionOf, tableOf } from "./browse-edges.ts";
import { findConfirmed } from "./confirmed-edges.ts";
import { countEdges, type End, pairEdges, readEnds, readNodeEnds, withoutAsserted } from "./edge-ends.ts";
import { bySupport, type EdgeGroup, groupEdges } from "./edge-groups.ts";
import { countNodes, type EdgeStep, placeAfter, walkPlaces } from "./edge-walk.ts";
import { toNumbers } from "./graph-entities.ts";
import { keyOfEdge } from "./graph-places.ts";
import { readRelationshipPlaces, type StatementOptions, surestSentences } from "./graph-quotes.ts";
import { readEntityNodes } from "./graph-relationships.ts";

const maxListed = 500;
const maxRanked = 10_000;
const maxEnds = 8_192;

export interface RankInput {
  readonly projectId: string;
  readonly edges: readonly WalkedEdge[];
  readonly page: { readonly limit: number; readonly offset: number };
  readonly asOf?: Moment | null;
}

export async function rankRelationships(
  db: Database,
  { projectId, edges, page, asOf }: RankInput,
): Promise<{ relationships: readonly Relationship[]; total: number }> {
  const ranked = edges.slice(0, maxRanked);
  const ends = entitiesOf(await readEnds(db, projectId, ranked));
  const confirmed = await findConfirmed(db, projectId, ranked);
  const groups = groupEdges(ranked, ends, confirmed).toSorted(bySupport);
  return {
    relationships: await toRelationships(db, { projectId, asOf }, pageOf(groups, page)),
    total: groups.length,
  };
}

export async function findEntitiesOfNodes(
  db: Database,
  { projectId, nodes }: { projectId: string; nodes: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const ends = await readNodeEnds(db, projectId, nodes.slice(0, maxEnds));
  return new Map(
    [...ends].flatMap(([node, { entityId }]) => (entityId === null ? [] : [[node, String(entityId)]])),
  );
}

export function pageOf<Item>(items: readonly Item[], { limit, offset }: RankInput["page"]): readonly Item[] {
  return items.slice(offset, offset + Math.min(limit, maxListed));
}

function entitiesOf(ends: ReadonlyMap<number, End>): ReadonlyMap<number, End> {
  return new Map([...ends].filter(([, { entityId }]) => entityId !== null));
}

export async function listRelationshipsFrom(
  db: Database,
  input: {
    readonly projectId: string;
    readonly sourceIds: readonly string[];
    readonly after: EdgePlace | null;
    readonly limit: number;
    readonly asOf?: Moment | null;
  },
): Promise<{ relationships: readonly Relationship[]; next: EdgePlace | null }> {
  const { projectId, after, limit, asOf = null } = input;
  const nodes = [...(await readEntityNodes(db, projectId, toNumbers(input.sourceIds))).keys()];
  const kind = "relationships";
  const { groups, next } = await listGroups(db, { projectId, kind, nodes, after, limit, asOf });
  return { relationships: await toRelationships(db, { projectId, asOf }, groups), next };
}

/**
 * Each group of edges that begins at these nodes once: where the walk finds its first edge. That is bounded work, because
 * two entities have a bounded number of names.
 */
export async function listGroups(
  db: Database,
  input: {
    readonly projectId: string;
    readonly kind: EdgeKind;
    readonly nodes: readonly number[];
    readonly after: EdgePlace | null;
    readonly limit: number;
    readonly asOf?: Moment | null;
  },
): Promise<{ groups: readonly EdgeGroup[]; next: EdgePlace | null }> {
  const { projectId, kind, after, asOf = null } = input;
  const walked = input.nodes.filter((node) => node >= (after?.node ?? 0)).toSorted((a, b) => a - b);
  const condition = conditionOf(kind, { type: null, asOf });
  const walk = { table: tableOf(kind), own: "source", condition, floor: 0 } as const;
  const nodes = await countNodes(db, walk, walked);
  const step = await walkPlaces(db, { ...walk, nodes, after });
  const edges = step.edges.slice(0, Math.min(input.limit, maxListed));
  const ends = await readEnds(db, projectId, edges);
  const { paired, taken } = await pairEdges(db, edges, kind === "proposals" ? ends : entitiesOf(ends));
  const last = edges[taken - 1];
  const isCut = taken < step.edges.length || isPart(last, step);
  const wanted = kind === "proposals" ? await withoutAsserted(db, paired) : paired;
  const existing = await countEdges(
    db,
    walk,
    wanted.flatMap(({ edge, pairs }) => (pairs.length > 1 || edge === last ? pairs : [])),
  );
  const firsts = wanted.flatMap(({ edge, pairs }): readonly WalkedEdge[] => {
    if (pairs.length === 1 && edge !== last) return [edge];
    const parts = pairs
      .flatMap((pair) => existing.get(keyOfEdge(pair.source, pair.target, pair.type)) ?? [])
      .toSorted((a, b) => a.source - b.source || a.target - b.target);
    const [first] = parts;
    return first?.source === edge.source && first.target === edge.target ? parts : [];
  });
  const allEnds = await readEnds(db, projectId, firsts);
  return {
    groups: groupEdges(
      firsts,
      allEnds,
      kind === "proposals" ? new Set() : await findConfirmed(db, projectId, firsts),
    ),
    next: last !== undefined && isCut ? placeAfter(last, "source") : step.next,
  };
}

/** More chunks of the edge follow in the next step. */
function isPart(edge: WalkedEdge | undefined, { next }: EdgeStep): boolean {
  return edge?.source === next?.node && edge?.target === next?.other && edge?.type === next?.type;
}

export async function toRelationships(
  db: Database,
  statements: { readonly projectId: string } & StatementOptions,
  groups: readonly EdgeGroup[],
): Promise<readonly Relationship[]> {
  const edges = await withEvidence(db, statements, groups);
  return edges.map(({ group, evidence }) => {
    return {
      type: group.type,
      sourceId: String(group.source),
      targetId: String(group.target),
      chunks: group.chunks,
      confidence: evidence[0]?.confidence ?? (group.isConfirmed ? 1 : null),
      isConfirmed: group.isConfirmed,
      evidence,
    };
  });
}

/** The groups with their sentences, the surest first. */
export async function withEvidence(
  db: Database,
  statements: { readonly projectId: string } & StatementOptions,
  groups: readonly EdgeGroup[],
): Promise<readonly { readonly group: EdgeGroup; readonly evidence: readonly RelationshipPlace[] }[]> {
  const places = await readRelationshipPlaces(db, {
    ...statements,
    edges: groups.flatMap(({ parts }) => parts),
  });
  return groups.map((group) => {
    const ofParts = group.parts.flatMap(
      (part) => places.get(keyOfEdge(part.source, part.target, part.type)) ?? [],
    );
    return { group, evidence: surestSentences(ofParts) };
  });
}
