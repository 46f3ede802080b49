/**
 * When relationships hold, derived from all their statements whenever it is asked, so that it is the same after any history of
 * documents (docs/decisions/0040-times.md). What other statements tell is of a source or of a pair of names. It is looked up once
 * for all statements of a step, by places in indexes that begin with the source.
 */
import { type RawBuilder, sql } from "kysely";
import { END_OF_PERIOD, endOf, type Moment } from "../../../domain/validity.ts";
import type { Database } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { readMembers } from "./graph-nodes.ts";
import { keyOfEdge } from "./graph-places.ts";
import { type Row, selectFor, selectIn } from "./graph-sql.ts";

const { lit, ref } = sql;
/** Of two entities with more pairs of names only those pairs are looked up that have one of the two names of the statement. */
const maxPairs = 64;
/** Limit of sources and pairs that are looked up in one step; two entities have at most 4,096 pairs of names. */
const maxLookups = 5_000;
/** Statements whose names are read at once. */
const maxNamed = 256;

/** Statements of one relationship between two names, as far as their times differ. */
export interface Timed {
  readonly source: number;
  readonly target: number;
  readonly type: string;
  /** `known_until`; null: no other statement decides whether it holds. */
  readonly known: string | null;
  readonly turn: string | null;
  /** 1: has a beginning or an end of its own. */
  readonly begun: number;
  readonly ended: number;
}

/** Whether the statement `places` can hold then by its own bounds; null = at any time. */
export function mayHold(places: string, moment: Moment | null): RawBuilder<boolean> {
  if (moment === null) return sql<boolean>`1 = 1`;
  const [from, to] = [ref(`${places}.valid_from`), ref(`${places}.valid_to`)];
  const hasBegun = moment.by === "today" ? sql`` : sql`and (${from} is null or ${from} <= ${endOf(moment)})`;
  return sql<boolean>`((${to} is null or ${to} || ${lit(END_OF_PERIOD)} >= ${moment.date}) ${hasBegun})`;
}

/** The columns of `Timed` behind `type`, of the statement `places`. */
export function timeColumns(places: string, moment: Moment | null): RawBuilder<unknown> {
  if (moment === null)
    return sql`cast(null as text) as known, cast(null as text) as turn, 0 as begun, 0 as ended`;
  const column = (name: string) => ref(`${places}.${name}`);
  const isOpen =
    moment.by === "today"
      ? sql`${column("valid_to")} is null`
      : sql`(${column("valid_to")} is null or ${column("valid_from")} is null)`;
  const isOpenTo = sql`${isOpen} and ${column("confidence")} <= ${lit(confidenceUnits)}`;
  return sql`case when ${isOpenTo} then ${column("known_until")} end as known,
    case when ${isOpenTo} then ${column("turn_at")} end as turn,
    case when ${column("valid_from")} is null then 0 else 1 end as begun,
    case when ${column("valid_to")} is null then 0 else 1 end as ended`;
}

export const timeNames = sql`known, turn, begun, ended`;

/**
 * Those of the statements that hold then; all must be able to by their own bounds. Statements of an edge follow each other.
 * `taken`: how many could be decided by `limit` sources and pairs of names, with the whole first edge.
 */
export async function findHeld<Statement extends Timed>(
  db: Database,
  statements: readonly Statement[],
  lookups: Pick<Lookups, "projectId" | "moment"> & Partial<Lookups>,
): Promise<Held<Statement>> {
  const [held] = await findHeldOfEach(db, [statements], { limit: maxLookups, names: new Map(), ...lookups });
  return held ?? { held: [], taken: 0 };
}

interface Lookups {
  readonly projectId: string;
  readonly moment: Moment | null;
  readonly limit: number;
  readonly names: Map<number, Names>;
}

interface Held<Statement> {
  readonly held: readonly Statement[];
  readonly taken: number;
}

/** As `findHeld` of each list, with the limit for each, but with one look-up for all. `names`: those that are known; others are added. */
export async function findHeldOfEach<Statement extends Timed>(
  db: Database,
  lists: readonly (readonly Statement[])[],
  lookups: Lookups,
): Promise<readonly Held<Statement>[]> {
  const { moment } = lookups;
  if (moment === null || lists.flat().every(({ known }) => known === null))
    return lists.map((statements) => ({ held: statements, taken: statements.length }));
  const plans: Plan[] = [];
  for (const statements of lists) plans.push(await planLookups(db, statements, lookups));
  const times = await lookUp(db, plans, { ...lookups, moment });
  return lists.map((statements, at) => {
    const taken = statements.slice(0, plans[at]?.taken ?? 0);
    return {
      held: taken.filter((statement) => holds(statement, times.of(statement), moment)),
      taken: taken.length,
    };
  });
}

/** What all statements of a source and of a relationship tell; null = nothing. */
interface Told {
  /** The last end that has passed. */
  readonly end: string | null;
  /** The first beginning that is to come. */
  readonly start: string | null;
  /** The last time for which a statement that tells of the target is known. */
  readonly known: string | null;
  /** The first turn of the source, and the last one that has passed. */
  readonly firstTurn: string | null;
  readonly lastTurn: string | null;
}

function holds({ known, turn, begun, ended }: Timed, told: Told, moment: Moment): boolean {
  if (known === null) return true;
  if (ended === 0) {
    if (isAfter(told.end, known)) return false;
    const isFollowed = turn !== null && isAfter(told.lastTurn, known);
    if (isFollowed && (told.known === null || isAfter(told.lastTurn, told.known))) return false;
  }
  if (moment.by === "today" || begun === 1) return true;
  if (told.start !== null && told.start <= (known === "" ? END_OF_PERIOD : known)) return false;
  const isAhead = isAfter(turn, endOf(moment));
  return !(isAhead && told.firstTurn !== null && isAfter(turn, `${told.firstTurn}${END_OF_PERIOD}`));
}

function isAfter(time: string | null, other: string): boolean {
  return time !== null && time > other;
}

/** Of the entity that has a name. */
export interface Names {
  readonly entity: number;
  readonly nodes: readonly number[];
}

interface Pair {
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

interface Plan {
  /** By `keyOfEdge`. */
  readonly pairs: ReadonlyMap<string, Pair>;
  /** By `keyOfSource`. */
  readonly sources: ReadonlyMap<string, Row>;
  readonly taken: number;
}

const noNames: Names = { entity: 0, nodes: [] };

async function planLookups(
  db: Database,
  statements: readonly Timed[],
  { projectId, limit, names }: Lookups,
): Promise<Plan> {
  const pairs = new Map<string, Pair>();
  const sources = new Map<string, Row>();
  const planned = new Set<string>();
  let edge: Pair | null = null;
  for (const [part, listed] of partsOf(statements, maxNamed).entries()) {
    const open = listed.filter(({ known }) => known !== null);
    const nodes = open.flatMap(({ source, target }) => [source, target]);
    await readNames(db, nodes, { projectId, names });
    for (const [at, statement] of listed.entries()) {
      const { source, type, known, turn } = statement;
      if (known === null) continue;
      if (edge === null || !isSameEdge(edge, statement)) {
        const lists = listsOf(names, statement).filter(([key]) => !planned.has(key));
        const added = lists
          .flatMap(([, list]) => list())
          .map((pair): [string, Pair] => [keyOfEdge(pair.source, pair.target, type), pair])
          .filter(([key]) => !pairs.has(key));
        const isFull = pairs.size + sources.size + added.length > limit;
        if (edge !== null && added.length > 0 && isFull)
          return { pairs, sources, taken: part * maxNamed + at };
        for (const [key] of lists) planned.add(key);
        for (const [key, pair] of added) pairs.set(key, pair);
        edge = statement;
      }
      const { entity, nodes: ofSource } = namesOf(names, source);
      if (turn === null || planned.has(keyOfSource(entity, type))) continue;
      planned.add(keyOfSource(entity, type));
      for (const node of ofSource) sources.set(keyOfSource(node, type), [node, type]);
    }
  }
  return { pairs, sources, taken: statements.length };
}

function keyOfSource(node: number, type: string): string {
  return `${node} ${type}`;
}

function namesOf(names: ReadonlyMap<number, Names>, node: number): Names {
  return names.get(node) ?? noNames;
}

/** The pairs of names that a statement is compared with, in lists that other statements share. */
function listsOf(
  names: ReadonlyMap<number, Names>,
  { source, target, type }: Pair,
): readonly (readonly [string, () => readonly Pair[]])[] {
  const [from, to] = [namesOf(names, source), namesOf(names, target)];
  const toTarget = () => from.nodes.map((node) => ({ source: node, target, type }));
  const fromSource = () => to.nodes.map((node) => ({ source, target: node, type }));
  if (from.nodes.length * to.nodes.length > maxPairs)
    return [
      [`to ${from.entity} ${target} ${type}`, toTarget],
      [`from ${source} ${to.entity} ${type}`, fromSource],
    ];
  const all = () =>
    from.nodes.flatMap((one) => to.nodes.map((other) => ({ source: one, target: other, type })));
  return [[`all ${from.entity} ${to.entity} ${type}`, all]];
}

/** Adds the names of the entities that have these. */
async function readNames(
  db: Database,
  nodes: readonly number[],
  { projectId, names }: Pick<Lookups, "projectId" | "names">,
): Promise<void> {
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    nodes.filter((node) => !names.has(node)),
    (list) => sql`select node_id, entity_id from entities
      where project_id = ${projectId} and node_id in (${list}) and entity_id is not null`,
  );
  const members = await readMembers(
    db,
    projectId,
    rows.map((row) => row.entity_id),
  );
  for (const { node_id, entity_id } of rows)
    names.set(node_id, { entity: entity_id, nodes: members.get(entity_id) ?? [] });
}

async function lookUp(
  db: Database,
  plans: readonly Plan[],
  { projectId, names, moment }: Pick<Lookups, "projectId" | "names"> & { readonly moment: Moment },
) {
  const pairs = new Map(plans.flatMap((plan) => [...plan.pairs]));
  const sources = new Map(plans.flatMap((plan) => [...plan.sources]));
  const ofPairs = await lookUpPairs(db, [...pairs.values()], toldOfPairs(projectId, moment));
  const ofSources = await lookUpSources(db, [...sources.values()], toldOfSources(projectId, moment));
  const known = new Map<string, Told>();
  const once = (key: string, read: () => readonly (Told | undefined)[]) => {
    const told = known.get(key) ?? mergeTold(read());
    known.set(key, told);
    return told;
  };
  const ofLists = (statement: Timed) =>
    listsOf(names, statement).map(([key, list]) =>
      once(key, () => list().map(({ source, target, type }) => ofPairs.get(keyOfEdge(source, target, type)))),
    );
  const ofSource = ({ source, type }: Timed) => {
    const { entity, nodes } = namesOf(names, source);
    return once(`source ${entity} ${type}`, () =>
      nodes.map((node) => ofSources.get(keyOfSource(node, type))),
    );
  };
  let last: { readonly edge: Pair; readonly told: Told } | null = null;
  // Statements of an edge follow each other.
  const of = (statement: Timed): Told => {
    if (statement.known === null) return nothing;
    if (last === null || !isSameEdge(last.edge, statement))
      last = { edge: statement, told: mergeTold([...ofLists(statement), ofSource(statement)]) };
    return last.told;
  };
  return { of };
}

function isSameEdge(a: Pair, b: Pair): boolean {
  return a.source === b.source && a.target === b.target && a.type === b.type;
}

const nothing: Told = { end: null, start: null, known: null, firstTurn: null, lastTurn: null };

function mergeTold(parts: readonly (Told | undefined)[]): Told {
  return parts.reduce<Told>(
    (all, part) =>
      part === undefined
        ? all
        : {
            end: laterOf(all.end, part.end),
            start: earlierOf(all.start, part.start),
            known: laterOf(all.known, part.known),
            firstTurn: earlierOf(all.firstTurn, part.firstTurn),
            lastTurn: laterOf(all.lastTurn, part.lastTurn),
          },
    nothing,
  );
}

function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function earlierOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Keyed by `keyOfEdge`. */
async function lookUpPairs(
  db: Database,
  pairs: readonly Pair[],
  query: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, Told>> {
  const rows = await selectFor<Pair & Pick<Told, "end" | "start" | "known">>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: pairs.map(({ source, target, type }): Row => [source, target, type]),
    query,
  });
  return new Map(
    rows.map(({ source, target, type, ...told }) => [
      keyOfEdge(source, target, type),
      { ...nothing, ...told },
    ]),
  );
}

/** Keyed by `keyOfSource`. */
async function lookUpSources(
  db: Database,
  sources: readonly Row[],
  query: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, Told>> {
  const rows = await selectFor<{ node: number; type: string; first: string | null; last: string | null }>(
    db,
    {
      columns: { node_id: "bigint", type: "text" },
      rows: sources,
      query,
    },
  );
  return new Map(
    rows.map(({ node, type, first, last }) => [
      keyOfSource(node, type),
      { ...nothing, firstTurn: first, lastTurn: last },
    ]),
  );
}

/** Of a table `keys`. Each look-up is a scalar subquery, which PostgreSQL never joins in another order. */
export function toldOfPairs(projectId: string, moment: Moment): RawBuilder<unknown> {
  const ofPair = sql`e.project_id = ${projectId}
    and e.source_node = k.source_node and e.target_node = k.target_node and e.type = k.type`;
  const start = sql`(select e.valid_from from relationship_places as e
    where ${ofPair} and e.valid_from > ${endOf(moment)} order by e.valid_from limit 1)`;
  return sql`select k.source_node as source, k.target_node as target, k.type,
    ${lastPassed("valid_to", ofPair, moment)} as "end",
    ${moment.by === "today" ? sql`cast(null as text)` : start} as start,
    (select e.known_until from relationship_places as e where ${ofPair} and e.turn_at is not null
      and e.known_until is not null order by e.known_until desc limit 1) as known
    from keys as k where k.source_node is not null`;
}

/** As `toldOfPairs`. */
export function toldOfSources(projectId: string, moment: Moment): RawBuilder<unknown> {
  const ofSource = sql`e.project_id = ${projectId} and e.source_node = k.node_id and e.type = k.type`;
  return sql`select k.node_id as node, k.type,
    (select e.turn_at from relationship_places as e where ${ofSource} and e.turn_at is not null
      order by e.turn_at limit 1) as first,
    ${lastPassed("turn_at", ofSource, moment)} as last
    from keys as k where k.node_id is not null`;
}

/** The last time among these statements `e` that has passed then: a year or month that contains the time has not. */
function lastPassed(
  column: "valid_to" | "turn_at",
  statements: RawBuilder<unknown>,
  { date }: Moment,
): RawBuilder<unknown> {
  const value = ref(`e.${column}`);
  const limits = [date, ...[7, 4].filter((length) => length < date.length).map((at) => date.slice(0, at))];
  const parts = limits.map((limit, at) => {
    const above = limits[at + 1];
    return sql`(select ${value} from relationship_places as e where ${statements} and ${value} < ${limit}
      ${above === undefined ? sql`` : sql`and ${value} > ${above}`} order by ${value} desc limit 1)`;
  });
  return parts.length === 1 ? sql`${parts[0]}` : sql`coalesce(${sql.join(parts)})`;
}
