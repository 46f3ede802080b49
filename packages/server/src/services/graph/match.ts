/**
 * Looks up a pattern in a graph. Rows flow in small batches through one stage for each edge, and the next batch is read only
 * when it is needed: a search that has enough rows reads no more, and no stage keeps what it has passed on.
 */
import type { EdgePattern, GraphPattern, NodePattern } from "../../domain/pattern.ts";
import type { Moment } from "../../domain/validity.ts";
import { normalizeName, normalizePart } from "../../engine/text/names/normal-form.ts";
import type { EdgePlace, GraphBrowser } from "../../ports/graph-browser.ts";
import type { GraphMatcher, RelationshipKey } from "../../ports/graph-matcher.ts";
import type { GraphStore, Relationship } from "../../ports/graph-store.ts";
import { type EntityName, readNames } from "./entity-names.ts";
import type { ExportedRelationship } from "./export.ts";
import { type Bound, createMatchBounds, type MatchBounds } from "./match-bounds.ts";
import { type Hop, planMatch } from "./match-plan.ts";
import { type RelationshipStore, readRelationships, textOfKey } from "./relationships.ts";

export type MatchStore = GraphMatcher &
  RelationshipStore &
  Pick<GraphBrowser, "searchEntities"> &
  Pick<GraphStore, "readEntities" | "readGraphTypes" | "findEntitiesByKeys">;

export interface MatchStep {
  readonly step: string;
  readonly nodesRead: number;
  readonly rows: number;
}

/** One entity for each node of the pattern, and one relationship for each edge. */
export interface MatchRow {
  readonly entities: readonly EntityName[];
  readonly relationships: readonly Relationship[];
}

export interface GraphMatch {
  readonly rows: readonly MatchRow[];
  /** Those of the rows, each once. */
  readonly relationships: readonly ExportedRelationship[];
  readonly boundsMet: readonly Bound[];
  readonly steps: readonly MatchStep[];
  readonly tookMs: number;
}

/** What is known of a row: one place for each node and edge of the pattern. */
interface Row {
  readonly entities: readonly (string | null)[];
  readonly edges: readonly (RelationshipKey | null)[];
}

type Counter = { -readonly [Key in keyof MatchStep]: MatchStep[Key] };

type TimedPattern = Omit<GraphPattern, "asOf"> & { readonly asOf: Moment };

interface Search {
  readonly store: MatchStore;
  readonly projectId: string;
  readonly pattern: TimedPattern;
  readonly bounds: MatchBounds;
}

/** Rows of a batch: their entities are read together. */
const ROWS_PER_BATCH = 100;
/** As many as an operation of the store reads: in a page, and of one name. */
const ENTITIES_PER_PAGE = 500;
const ENTITIES_OF_A_NAME = 100;
const MAX_OFFSET = 10_000;

export async function matchPattern(
  store: MatchStore,
  projectId: string,
  written: TimedPattern,
): Promise<GraphMatch> {
  const bounds = createMatchBounds();
  const pattern = toNormalForms(written);
  const search = { store, projectId, pattern, bounds };
  const plan = planMatch(pattern, await store.readGraphTypes({ projectId }));
  // A name without letters and digits is no name.
  if (plan === null || pattern.nodes.some(({ name }) => name?.text === ""))
    return { rows: [], relationships: [], boundsMet: [], steps: [], tookMs: bounds.tookMs() };
  const counters: Counter[] = [];
  const count = (step: string) => {
    const counter = { step, nodesRead: 0, rows: 0 };
    counters.push(counter);
    return counter;
  };
  let stage = startRows(search, plan.start, count(describeStart(pattern, plan.start)));
  for (const hop of plan.hops)
    stage = hopRows(search, { hop, counter: count(describeHop(pattern, hop)) }, stage);
  const found: Row[] = [];
  for await (const batch of stage) {
    found.push(...batch);
    if (found.length > pattern.limit) bounds.meet("rows");
    if (bounds.isMet()) break;
  }
  const named = await nameRows(search, found.slice(0, pattern.limit));
  return { ...named, boundsMet: bounds.met(), steps: counters, tookMs: bounds.tookMs() };
}

function toNormalForms(pattern: TimedPattern): TimedPattern {
  const toNormalForm = (name: NonNullable<NodePattern["name"]>) => ({
    ...name,
    text: name.isPart ? normalizePart(name.text) : normalizeName(name.text),
  });
  return {
    ...pattern,
    nodes: pattern.nodes.map((node) => ({ ...node, name: node.name && toNormalForm(node.name) })),
  };
}

async function* startRows(search: Search, start: number, counter: Counter): AsyncGenerator<readonly Row[]> {
  const { pattern, bounds } = search;
  const node = pattern.nodes[start];
  if (node === undefined) return;
  const empty: Row = { entities: pattern.nodes.map(() => null), edges: pattern.edges.map(() => null) };
  for await (const ids of startIds(search, node)) {
    counter.nodesRead += ids.length;
    const rows = (await select(search, node, ids)).map((id) => ({
      ...empty,
      entities: empty.entities.with(start, id),
    }));
    for (let from = 0; from < rows.length && !bounds.isMet(); from += ROWS_PER_BATCH) {
      const batch = rows.slice(from, from + ROWS_PER_BATCH);
      counter.rows += batch.length;
      yield batch;
    }
    if (bounds.isMet() || !bounds.take(ids.length)) return;
  }
}

/** What can be the node by one of its conditions, in pages; `select` applies the others. */
async function* startIds(
  { store, projectId, bounds }: Search,
  { entityId, name, types }: NodePattern,
): AsyncGenerator<readonly string[]> {
  const idsOf = (entities: readonly { readonly entityId: string }[]) => entities.map((each) => each.entityId);
  if (entityId !== null) return void (yield [entityId]);
  if (name !== null && !name.isPart) {
    const keys = { keys: [name.text], limit: ENTITIES_OF_A_NAME, withPlaces: false };
    const found = await store.findEntitiesByKeys({ projectId, ...keys });
    if (found.length === ENTITIES_OF_A_NAME) bounds.meet("nodes");
    return void (yield idsOf(found));
  }
  const part = name?.text ?? "";
  for (const type of types.length === 0 ? [null] : types) {
    let offset = 0;
    for (let isMore = true; isMore; offset += ENTITIES_PER_PAGE) {
      if (offset >= MAX_OFFSET) return bounds.meet("nodes");
      const page = { limit: ENTITIES_PER_PAGE, offset };
      const { entities } = await store.searchEntities({ projectId, part, type, page });
      yield idsOf(entities);
      isMore = entities.length === ENTITIES_PER_PAGE;
    }
  }
}

/** Those that meet the conditions of the node. */
async function select(
  { store, projectId }: Search,
  { entityId, ...where }: NodePattern,
  ids: readonly string[],
): Promise<readonly string[]> {
  const wanted = entityId === null ? ids : ids.filter((id) => id === entityId);
  const selected: string[] = [];
  for (let from = 0; from < wanted.length; from += ENTITIES_PER_PAGE) {
    const entityIds = wanted.slice(from, from + ENTITIES_PER_PAGE);
    selected.push(...(await store.selectEntities({ projectId, entityIds, where })));
  }
  return selected;
}

/** Continues each row along an edge: as many rows as there are relationships to entities that can be the next node. */
async function* hopRows(
  search: Search,
  { hop, counter }: { readonly hop: Hop; readonly counter: Counter },
  rows: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const { pattern, bounds } = search;
  const [edge, node] = [pattern.edges[hop.edge], pattern.nodes[hop.to]];
  if (edge === undefined || node === undefined) return;
  for await (const batch of rows) {
    const byEntity = Map.groupBy(batch, ({ entities }) => entities[hop.from] ?? "");
    const directions = directionsOf(edge, hop);
    for (const isBackwards of directions) {
      // A relationship comes once for each of its entities' names.
      const seen = new Set<string>();
      for await (const keys of neighbours(search, { entityIds: [...byEntity.keys()], edge, isBackwards })) {
        const others = [...new Set(keys.map((key) => otherOf(key, isBackwards)))];
        counter.nodesRead += keys.length;
        const selected = new Set(await select(search, node, others));
        const fresh = keys.filter((key) => {
          // One of an entity with itself is the same row in both directions.
          const isAgain = isBackwards && directions.length > 1 && key.sourceId === key.targetId;
          const isFresh = !isAgain && !seen.has(textOfKey(key));
          seen.add(textOfKey(key));
          return isFresh && selected.has(otherOf(key, isBackwards));
        });
        for (const joined of joinRows(byEntity, { keys: fresh, hop, isBackwards })) {
          counter.rows += joined.length;
          yield joined;
          if (bounds.isMet()) return;
        }
        if (!bounds.take(keys.length)) return;
      }
    }
  }
}

/** Whether the edges of a node are followed against their direction, forwards first. */
function directionsOf({ direction }: EdgePattern, { from, to }: Hop): readonly boolean[] {
  if (direction === "any") return [false, true];
  return [(direction === "out") !== from < to];
}

async function* neighbours(
  { store, projectId, pattern }: Search,
  input: { readonly entityIds: readonly string[]; readonly edge: EdgePattern; readonly isBackwards: boolean },
): AsyncGenerator<readonly RelationshipKey[]> {
  const { entityIds, edge: where, isBackwards } = input;
  let after: EdgePlace | null = null;
  do {
    const step: Awaited<ReturnType<GraphMatcher["walkNeighbours"]>> = await store.walkNeighbours({
      ...{ projectId, entityIds, where, isBackwards, after },
      asOf: pattern.asOf,
    });
    yield step.relationships;
    after = step.next;
  } while (after !== null);
}

/** In batches that are made when they are asked for: a frequent name can have thousands of relationships for each row. */
function* joinRows(
  byEntity: ReadonlyMap<string, readonly Row[]>,
  found: { readonly keys: readonly RelationshipKey[]; readonly hop: Hop; readonly isBackwards: boolean },
): Generator<readonly Row[]> {
  const { keys, hop, isBackwards } = found;
  let batch: Row[] = [];
  for (const key of keys) {
    for (const { entities, edges } of byEntity.get(otherOf(key, !isBackwards)) ?? []) {
      if (edges.some((edge) => edge !== null && textOfKey(edge) === textOfKey(key))) continue;
      const other = otherOf(key, isBackwards);
      batch.push({ entities: entities.with(hop.to, other), edges: edges.with(hop.edge, key) });
      if (batch.length < ROWS_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function otherOf({ sourceId, targetId }: RelationshipKey, isBackwards: boolean): string {
  return isBackwards ? sourceId : targetId;
}

/** Without rows of which something has gone meanwhile. */
async function nameRows(
  search: Search,
  rows: readonly Row[],
): Promise<Pick<GraphMatch, "rows" | "relationships">> {
  const edges = rows.flatMap((row) => row.edges.flatMap((edge) => edge ?? []));
  const ids = rows.flatMap(({ entities }) => entities.flatMap((id) => id ?? []));
  const names = await readNames(search.store, search.projectId, ids);
  const at = { projectId: search.projectId, asOf: search.pattern.asOf };
  const relationships = new Map<string, ExportedRelationship>();
  for (const relationship of await readRelationships(search.store, { ...at, keys: edges })) {
    const [source, target] = [names.get(relationship.sourceId), names.get(relationship.targetId)];
    if (source !== undefined && target !== undefined)
      relationships.set(textOfKey(relationship), { relationship, source, target });
  }
  const named = rows.flatMap((row) => {
    const entities = row.entities.flatMap((id) => names.get(id ?? "") ?? []);
    const found = row.edges.flatMap(
      (edge) => (edge && relationships.get(textOfKey(edge))?.relationship) ?? [],
    );
    const isWhole = entities.length === row.entities.length && found.length === row.edges.length;
    return isWhole ? [{ entities, relationships: found }] : [];
  });
  return { rows: named, relationships: [...relationships.values()] };
}

function describeStart({ nodes }: TimedPattern, start: number): string {
  const node = nodes[start];
  if (node === undefined || node.entityId !== null) return `nodes[${start}] by entity_id`;
  if (node.name !== null) return `nodes[${start}] by ${node.name.isPart ? "a part of a name" : "name"}`;
  return `nodes[${start}] ${node.types.length === 0 ? "of all entities" : "by type"}`;
}

function describeHop({ edges }: TimedPattern, { from, to, edge }: Hop): string {
  const types = edges[edge]?.types ?? [];
  const kind = types.length === 0 ? "all relationships" : types.join(" and ");
  return `nodes[${to}] by ${kind} of nodes[${from}]`;
}
