/**
 * When relationships hold, derived from all their statements whenever it is asked, so that it is the same after any history of
 * documents. A statement ends where another one of the same relationship says so, or, of a functional edge type, where a later
 * one names another target. Each condition is answered by a place in an index, not by walking the other statements.
 */
import { type RawBuilder, sql } from "kysely";
import { END_OF_PERIOD, type Moment } from "../../../domain/validity.ts";

const { lit, ref } = sql;

/** Whether the statement `places` of a relationship holds then; null = at any time. */
export function holds(places: string, moment: Moment | null): RawBuilder<boolean> {
  if (moment === null) return sql<boolean>`1 = 1`;
  const time: Time = { places, start: moment.date, end: `${moment.date}${END_OF_PERIOD}`, by: moment.by };
  const isToday = moment.by === "today";
  const from = ref(`${places}.valid_from`);
  const hasBegun = isToday ? sql`1 = 1` : sql`(${from} is null or ${from} <= ${time.end})`;
  const timed = [
    sql`not ${isEnded(time)}`,
    ...(isToday ? [] : [sql`not ${isAhead(time)}`]),
    sql`(${ref(`${places}.timing`)} = 0 or ${isLatest(time)})`,
  ];
  return sql<boolean>`${hasBegun} and ${lasts(places, time)}
    and (${ref(`${places}.timing`)} is null or (${sql.join(timed, sql` and `)}))`;
}

interface Time {
  /** The alias of the statement's row. */
  readonly places: string;
  /** The time of which is asked, and what is behind all that it contains. */
  readonly start: string;
  readonly end: string;
  readonly by: Moment["by"];
}

/** Its own end is not before the time. */
function lasts(row: string, { start }: Time): RawBuilder<unknown> {
  const to = ref(`${row}.valid_to`);
  return sql`(${to} is null or ${to} || ${lit(END_OF_PERIOD)} >= ${start})`;
}

/** Another statement of the relationship says that what this one tells ended before the time. */
function isEnded({ places, start }: Time): RawBuilder<unknown> {
  const known = sql`coalesce(${ref(`${places}.known_at`)}, '')`;
  return sql`(${ref(`${places}.valid_to`)} is null and exists (select 1 from ${sameEdge(places)}
    and e.valid_to is not null and e.valid_to < ${start} and e.valid_to >= substr(${known}, 1, 4)
    and e.valid_to || ${lit(END_OF_PERIOD)} < ${start} and e.valid_to || ${lit(END_OF_PERIOD)} >= ${known}))`;
}

/** Another statement of the relationship says that what this one tells began after the time. */
function isAhead({ places, end }: Time): RawBuilder<unknown> {
  const known = sql`coalesce(${ref(`${places}.known_at`)}, ${lit(END_OF_PERIOD)}) || ${lit(END_OF_PERIOD)}`;
  return sql`(${ref(`${places}.valid_from`)} is null and exists (select 1 from ${sameEdge(places)}
    and e.valid_from is not null and e.valid_from > ${end} and e.valid_from <= ${known}))`;
}

/** No other target is told of since; before all that is told, the earliest holds. What is not known to hold at any time is not compared. */
function isLatest(time: Time): RawBuilder<unknown> {
  const { places, end, by } = time;
  const known = ref(`${places}.known_at`);
  const step = (condition: RawBuilder<unknown>, order: "asc" | "desc") => sql`
    (select l.known_at from relationship_places as l where l.source_node = s.node_id and l.type = ${ref(`${places}.type`)}
      and l.timing = 1 and ${condition} order by l.known_at ${sql.raw(order)} limit 1)`;
  const sources = sql`(${namesOf(`${places}.source_node`)}) as s`;
  const latest = sql`coalesce(
    (select max(${step(sql`l.known_at <= ${end}`, "desc")}) from ${sources}),
    (select min(${step(sql`l.known_at > ${end}`, "asc")}) from ${sources}))`;
  return sql`(${known} is null or ${known} ${by === "today" ? sql`>=` : sql`=`} ${latest}
    or exists (select 1 from (${namesOf(`${places}.source_node`)}) as s cross join relationship_places as e
      where e.source_node = s.node_id and e.type = ${ref(`${places}.type`)} and e.timing = 1 and e.known_at = ${latest}
        and e.target_node in (${namesOf(`${places}.target_node`)})))`;
}

/** Statements `e` between any names of the two entities. */
function sameEdge(places: string): RawBuilder<unknown> {
  return sql`(${namesOf(`${places}.source_node`)}) as s cross join (${namesOf(`${places}.target_node`)}) as t
    cross join relationship_places as e
    where e.source_node = s.node_id and e.target_node = t.node_id and e.type = ${ref(`${places}.type`)}`;
}

/** The names of the entity that has this one; the other names of an entity are in a partial index. */
function namesOf(node: string): RawBuilder<unknown> {
  return sql`select o.entity_id as node_id from entities as o where o.node_id = ${ref(node)}
    union all select n.node_id from entities as o cross join entities as n
    where o.node_id = ${ref(node)} and n.entity_id = o.entity_id and n.entity_id <> n.node_id`;
}
