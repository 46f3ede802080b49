/** Relationships for browsing a graph. */
import type { Moment } from "../../../domain/validity.ts";
import type { EdgePlace, WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { conditionOf } from "./browse-edges.ts";
import { findConfirmed, readAddedTimes } from "./confirmed-edges.ts";
import {
  countProposals,
  type End,
  findStated,
  type PairedEdge,
  pairEdges,
  readEnds,
  readNodeEnds,
  withoutAsserted,
} from "./edge-ends.ts";
import { bySupport, type EdgeGroup, groupEdges } from "./edge-groups.ts";
import { readSurestSentences } from "./edge-quotes.ts";
import { countNodes, type EdgeStep, placeAfter, walkPlaces } from "./edge-walk.ts";
import { keyOfEdge } from "./graph-places.ts";
import type { StatementOptions } from "./graph-quotes.ts";

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

/**
 * Each group of proposals that begins at these nodes once: where the walk finds its first edge. That is bounded work, because
 * two entities have a bounded number of names.
 */
export async function listProposedGroups(
  db: Database,
  input: {
    readonly projectId: string;
    readonly nodes: readonly number[];
    readonly after: EdgePlace | null;
    readonly limit: number;
  },
): Promise<{ groups: readonly EdgeGroup[]; next: EdgePlace | null }> {
  const { projectId, after } = input;
  const nodes = input.nodes.filter((node) => node >= (after?.node ?? 0)).toSorted((a, b) => a - b);
  const condition = conditionOf("proposals", null);
  const places = { table: "proposal_places", own: "source", condition } as const;
  const walk = { projectId, ...places, asOf: null, floor: 0 };
  const step = await walkPlaces(db, { ...walk, units: await countNodes(db, walk, nodes), after });
  const edges = step.edges.slice(0, Math.min(input.limit, maxListed));
  const { paired, taken } = await pairEdges(db, projectId, {
    edges,
    ends: await readEnds(db, projectId, edges),
  });
  const last = edges[taken - 1];
  const isCut = taken < step.edges.length || isPart(last, step);
  const wanted = await withoutAsserted(db, projectId, paired);
  const stated = await findStated(db, projectId, { table: "proposal_places", paired: wanted });
  const isStated = ({ source, target, type }: WalkedEdge) => stated.has(keyOfEdge(source, target, type));
  const firstOf = new Map<PairedEdge["pairs"], WalkedEdge | undefined>();
  const firsts = wanted.filter(({ edge, pairs }) => {
    if (!firstOf.has(pairs)) firstOf.set(pairs, pairs.find(isStated));
    const first = firstOf.get(pairs);
    return first?.source === edge.source && first.target === edge.target;
  });
  const counted = await countProposals(
    db,
    projectId,
    firsts.flatMap(({ pairs }) => pairs.filter(isStated)),
  );
  const parts = [...counted.values()].toSorted((a, b) => a.source - b.source || a.target - b.target);
  return {
    groups: groupEdges(parts, await readEnds(db, projectId, parts)),
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
  const added = await readAddedTimes(
    db,
    { projectId: statements.projectId, asOf: statements.asOf ?? null },
    groups.map(({ parts, isConfirmed }) => (isConfirmed ? parts : [])),
  );
  return edges.map(({ group, evidence }, at) => {
    return {
      type: group.type,
      sourceId: String(group.source),
      targetId: String(group.target),
      chunks: group.chunks,
      confidence: evidence[0]?.confidence ?? (group.isConfirmed ? 1 : null),
      isConfirmed: group.isConfirmed,
      addedTimes: added[at] ?? null,
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
  const sentences = await readSurestSentences(db, {
    ...statements,
    groups: groups.map(({ parts }) => parts),
  });
  return groups.map((group, at) => ({ group, evidence: sentences[at] ?? [] }));
}
