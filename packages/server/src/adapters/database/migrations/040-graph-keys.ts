import { sql } from "kysely";
import type { Database } from "../schema.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** The nodes of so many numbers are copied by one statement: PostgreSQL cancels a long one. */
const nodesPerStep = 1_000;
const edge = "source_node, target_node, type, version_id, position";

/** Each with its columns in the order of the old table, of which the first is a node. */
export const graphTables: Readonly<Record<string, string>> = {
  entities: "node_id, type, name_key, entity_id",
  entity_joins: "node_a, node_b, origin, chunks",
  entity_places: "node_id, version_id, position, forms",
  entity_properties: "node_id, property, value, chunks",
  property_places: "node_id, property, value, version_id, position",
  relationship_places: `${edge}, confidence, valid_from, valid_to, known_until, turn_at`,
  proposal_places: `${edge}, confidence`,
};

/** Every key of a project's graph has the project, whose nodes have numbers of its own. Nodes that are there keep theirs. */
export const graphKeys: Migration = {
  number: 40,
  name: "graph-keys",
  // Older processes would write rows that are of no project.
  oldest: 40,
  statements: (types) => [
    sql`alter table projects add column next_node_id ${types.integer} not null default 1`,
    ...oldIndexes.map((index) => sql`drop index if exists ${sql.ref(index)}`),
    ...Object.keys(graphTables).map((table) => sql`alter table ${sql.table(table)} rename to ${old(table)}`),
    ...tables(types),
    ...indexes(types),
  ],
  fill: async (db) => {
    for (const [table, columns] of Object.entries(graphTables)) await copy(db, table, columns);
    for (const table of Object.keys(graphTables)) await sql`drop table ${old(table)}`.execute(db);
    await sql`update projects set next_node_id = 1 + coalesce((
      select max(e.node_id) from entities as e where e.project_id = projects.project_id), 0)`.execute(db);
  },
};

function old(table: string) {
  return sql.table(`${table}_039`);
}

function tables({ text, integer, clustered, nodeOf }: ColumnTypes) {
  const project = sql`project_id ${text} not null`;
  const place = sql`version_id ${integer} not null, position ${integer} not null`;
  const ends = sql`source_node ${integer} not null, target_node ${integer} not null, type ${text} not null`;
  const value = sql`node_id ${integer} not null, property ${text} not null, value ${text} not null`;
  return [
    sql`create table entities (
      ${project}, node_id ${integer} not null, type ${text} not null, name_key ${text} not null, entity_id ${integer},
      primary key (${nodeOf("node_id")})
    ) ${clustered}`,
    sql`create table entity_joins (
      ${project}, node_a ${integer} not null, node_b ${integer} not null, origin ${text} not null,
      chunks ${integer} not null,
      primary key (${nodeOf("node_a")}, node_b, origin)
    ) ${clustered}`,
    sql`create table entity_places (
      ${project}, node_id ${integer} not null, ${place}, forms ${text} not null,
      primary key (${nodeOf("node_id")}, version_id, position)
    ) ${clustered}`,
    sql`create table entity_properties (
      ${project}, ${value}, chunks ${integer} not null,
      primary key (${nodeOf("node_id")}, property, value)
    ) ${clustered}`,
    sql`create table property_places (
      ${project}, ${value}, ${place},
      primary key (${nodeOf("node_id")}, property, value, version_id, position)
    ) ${clustered}`,
    sql`create table relationship_places (
      ${project}, ${ends}, ${place}, confidence ${integer} not null default 0,
      valid_from ${text}, valid_to ${text}, known_until ${text}, turn_at ${text},
      primary key (${nodeOf("source_node")}, target_node, type, version_id, position)
    ) ${clustered}`,
    sql`create table proposal_places (
      ${project}, ${ends}, ${place}, confidence ${integer} not null,
      primary key (${nodeOf("source_node")}, target_node, type, version_id, position)
    ) ${clustered}`,
  ];
}

const oldIndexes = [
  ...["entities_by_key", "entities_of_several", "entity_joins_backwards"],
  ...["relationship_places_backwards", "relationship_places_by_confidence"],
  ...["proposal_places_backwards", "proposal_places_by_confidence"],
  ...["relationship_ends", "relationship_starts", "relationship_turns", "relationship_knowledge"],
];

/** As before, with the project. */
function indexes({ nodeOf }: ColumnTypes) {
  const source = nodeOf("source_node");
  const pair = sql`${source}, target_node, type`;
  const ofPlaces = ["relationship_places", "proposal_places"].flatMap((table) => [
    sql`create index ${sql.ref(`${table}_backwards`)} on ${sql.table(table)}
      (${nodeOf("target_node")}, source_node, type, version_id, position)`,
    sql`create index ${sql.ref(`${table}_by_confidence`)} on ${sql.table(table)}
      (${pair}, confidence desc, version_id, position)`,
  ]);
  return [
    sql`create unique index entities_by_key on entities (project_id, name_key, type)`,
    sql`create index entities_of_several on entities (${nodeOf("entity_id")}) where entity_id <> node_id`,
    sql`create index entity_joins_backwards on entity_joins (${nodeOf("node_b")}, node_a, origin)`,
    ...ofPlaces,
    sql`create index relationship_ends on relationship_places (${pair}, valid_to) where valid_to is not null`,
    sql`create index relationship_starts on relationship_places (${pair}, valid_from) where valid_from is not null`,
    sql`create index relationship_turns on relationship_places (${source}, type, turn_at) where turn_at is not null`,
    sql`create index relationship_knowledge on relationship_places (${pair}, known_until) where turn_at is not null`,
  ];
}

async function copy(db: Database, table: string, columns: string): Promise<void> {
  const node = sql.raw(`o.${columns.slice(0, columns.indexOf(","))}`);
  const { rows } = await sql<{ last: number | null }>`
    select max(${node}) as last from ${old(table)} as o`.execute(db);
  const last = rows[0]?.last ?? 0;
  const own = sql.raw(columns.replace(/\w+/g, "o.$&"));
  for (let first = 1; first <= last; first += nodesPerStep)
    await sql`insert into ${sql.table(table)} (project_id, ${sql.raw(columns)})
      select e.project_id, ${own} from ${old(table)} as o
      cross join ${old("entities")} as e
      where ${node} >= ${first} and ${node} < ${first + nodesPerStep} and e.node_id = ${node}`.execute(db);
}
