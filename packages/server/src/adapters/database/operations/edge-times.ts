/**
 * When relationships hold, derived from all their statements whenever it is asked, so that it is the same after any history of
 * documents (docs/decisions/0040-times.md). Every other statement is found by a place in an index that begins with the source:
 * each look-up is a scalar subquery, which PostgreSQL never joins in another order.
 */
import { type RawBuilder, sql } from "kysely";
import { END_OF_PERIOD, type Moment } from "../../../domain/validity.ts";
import { confidenceUnits } from "./graph-facts.ts";

const { lit, ref } = sql;
/** Of two entities with more pairs of names only those pairs are looked up that have one of the two names of the statement. */
const maxPairs = 64;

/** Whether the statement `places` of a relationship holds then; null = at any time. */
export function holds(places: string, moment: Moment | null): RawBuilder<boolean> {
  if (moment === null) return sql<boolean>`1 = 1`;
  const time: Time = { places, start: moment.date, end: `${moment.date}${END_OF_PERIOD}` };
  const isToday = moment.by === "today";
  const [from, to] = [ref(`${places}.valid_from`), ref(`${places}.valid_to`)];
  const others = [isEnded(time), isFollowed(time), ...(isToday ? [] : [isAhead(time), isNext(time)])];
  return sql<boolean>`(${to} is null or ${to} || ${lit(END_OF_PERIOD)} >= ${time.start})
    ${isToday ? sql`` : sql`and (${from} is null or ${from} <= ${time.end})`}
    and (${ref(`${places}.known_until`)} is null or ${ref(`${places}.confidence`)} > ${lit(confidenceUnits)}
      or not (${sql.join(others, sql` or `)}))`;
}

interface Time {
  /** The alias of the statement's row. */
  readonly places: string;
  /** The time of which is asked, and what is behind all that it contains. */
  readonly start: string;
  readonly end: string;
}

/** Another statement of the relationship tells of an end, before the time and after all for which this one is known. */
function isEnded(time: Time): RawBuilder<unknown> {
  const isLater = (edge: RawBuilder<unknown>) =>
    sql`(${lastOf("valid_to", edge, time)}) > ${ref(`${time.places}.known_until`)}`;
  return sql`(${ref(`${time.places}.valid_to`)} is null and ${ofEdge(time.places, isLater)})`;
}

/** Another statement of the relationship says that what this one tells began after the time. */
function isAhead({ places, end }: Time): RawBuilder<unknown> {
  const known = ref(`${places}.known_until`);
  const isBefore = (edge: RawBuilder<unknown>) => sql`(select e.valid_from from relationship_places as e
    where ${edge} and e.valid_from > ${end} order by e.valid_from limit 1)
    <= case when ${known} = '' then ${lit(END_OF_PERIOD)} else ${known} end`;
  return sql`(${ref(`${places}.valid_from`)} is null and ${ofEdge(places, isBefore)})`;
}

/** The source had another target before the time, after all for which any statement of the relationship is known. */
function isFollowed(time: Time): RawBuilder<unknown> {
  const { places } = time;
  const isTold = (edge: RawBuilder<unknown>) => sql`(select e.known_until from relationship_places as e
    where ${edge} and e.turn_at is not null and e.known_until >= m.turn order by e.known_until limit 1) is not null`;
  const latest = sql`select max(${lastOf("turn_at", ofSource(places), time)}) as turn
    from (${namesOf(`${places}.source_node`)}) as s`;
  return sql`(${ref(`${places}.turn_at`)} is not null and ${ref(`${places}.valid_to`)} is null
    and exists (select 1 from (${latest} limit 1) as m
      where m.turn > ${ref(`${places}.known_until`)} and not ${ofEdge(places, isTold)}))`;
}

/** Where the source has another target before, a relationship begins when it is known. */
function isNext({ places, end }: Time): RawBuilder<unknown> {
  const turn = ref(`${places}.turn_at`);
  const first = sql`(select e.turn_at from relationship_places as e
    where ${ofSource(places)} and e.turn_at is not null order by e.turn_at limit 1)`;
  return sql`(${ref(`${places}.valid_from`)} is null and ${turn} is not null and ${turn} > ${end}
    and (select min(${first}) from (${namesOf(`${places}.source_node`)}) as s) || ${lit(END_OF_PERIOD)} < ${turn})`;
}

/** Statements `e` of the type whose source has the name `s`. */
function ofSource(places: string): RawBuilder<unknown> {
  return sql`e.source_node = s.node_id and e.type = ${ref(`${places}.type`)}`;
}

/**
 * The last time among these statements `e` that has passed by the time that is asked of (a year that contains that has not), if any
 * may be after all for which the statement is known.
 */
function lastOf(
  column: "valid_to" | "turn_at",
  statements: RawBuilder<unknown>,
  { places, start }: Time,
): RawBuilder<unknown> {
  const value = ref(`e.${column}`);
  const limits = [start, ...[7, 4].filter((length) => length < start.length).map((at) => start.slice(0, at))];
  const parts = limits.map((limit, at) => {
    const above = limits[at + 1];
    return sql`(select ${value} from relationship_places as e where ${statements} and ${value} < ${limit}
      ${above === undefined ? sql`` : sql`and ${value} > ${above}`} order by ${value} desc limit 1)`;
  });
  return sql`case when (select 1 from relationship_places as e where ${statements}
      and ${value} > ${ref(`${places}.known_until`)} and ${value} < ${start} limit 1) = 1
    then ${parts.length === 1 ? parts[0] : sql`coalesce(${sql.join(parts)})`} end`;
}

/** Whether the condition, for statements `e` between two names, is met by any names of the two entities. */
function ofEdge(
  places: string,
  condition: (edge: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [source, target] = [ref(`${places}.source_node`), ref(`${places}.target_node`)];
  const sources = sql`(${namesOf(`${places}.source_node`)}) as s`;
  const targets = sql`(${namesOf(`${places}.target_node`)}) as t`;
  const between = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    condition(sql`e.source_node = ${from} and e.target_node = ${to} and e.type = ${ref(`${places}.type`)}`);
  const [s, t] = [ref("s.node_id"), ref("t.node_id")];
  return sql`case when (select count(*) from ${sources}) * (select count(*) from ${targets}) <= ${lit(maxPairs)}
    then exists (select 1 from ${sources} cross join ${targets} where ${between(s, t)})
    else exists (select 1 from ${sources} where ${between(s, target)})
      or exists (select 1 from ${targets} where ${between(source, t)}) end`;
}

/** The names of the entity that has this one; the other names of an entity are in a partial index. */
function namesOf(node: string): RawBuilder<unknown> {
  const entity = sql`(select o.entity_id from entities as o where o.node_id = ${ref(node)})`;
  return sql`select ${entity} as node_id
    union all select n.node_id from entities as n where n.entity_id = ${entity} and n.entity_id <> n.node_id`;
}
