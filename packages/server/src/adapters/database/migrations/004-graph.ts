import { sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What is read out of documents beside their chunks, and the graph that rests on it. */
export const graph: Migration = {
  number: 4,
  name: "graph",
  statements: (types) => [
    ...passageTables(types),
    ...factTables(types),
    ...entityTables(types),
    ...placeTables(types),
    ...typeTables(types),
    // What such a project takes from now on is in its graph; what it has already, once it is sent again with a change.
    sql`update projects set config = replace(config, '"extraction":"none"', '"extraction":"built_in"')
      where mode = 'kg_vector'`,
    sql`alter table jobs add column nodes_created ${types.integer} not null default 0`,
    sql`alter table jobs add column edges_created ${types.integer} not null default 0`,
  ],
};

function passageTables({ text, integer, bytes, end, clustered }: ColumnTypes) {
  return [
    sql`create table passage_graphs (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      bytes ${bytes} not null,
      primary key (project_id, version_id, position)
    ) ${end}`,

    // Each row says itself whether it is seen: a look at its version would take as long as the row.
    sql`create table passage_subjects (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      kind ${text} not null,
      name ${text} not null,
      ends ${text},
      is_live ${integer} not null,
      primary key (project_id, version_id, position, kind, name)
    ) ${clustered}`,
    // In the order in which passages about a name are read, so that the first few are found without the rest, and without
    // the table. The other way round, with this order as the primary key, SQLite reads a whole project to remove a version.
    sql`create index subjects_by_name on passage_subjects (project_id, name, position, version_id, kind)
      where is_live = 1`,
    sql`create index subjects_by_ends on passage_subjects (project_id, ends, name) where ends is not null and is_live = 1`,
  ];
}

/** Written and removed with their chunks, whether these are seen or not. */
function factTables({ text, integer, end }: ColumnTypes) {
  const place = sql`project_id ${text} not null, version_id ${integer} not null, position ${integer} not null`;
  return [
    sql`create table chunk_facts (
      ${place}, facts ${text} not null,
      primary key (project_id, version_id, position)
    ) ${end}`,

    sql`create table unfit_facts (
      ${place}, kind ${text} not null, source_type ${text} not null, name ${text} not null,
      target_type ${text} not null, count ${integer} not null, example ${text} not null,
      primary key (project_id, version_id, position, kind, source_type, name, target_type)
    ) ${end}`,
  ];
}

function entityTables({ text, integer, identity, end, clustered }: ColumnTypes) {
  return [
    sql`create table entities (
      node_id ${identity},
      project_id ${text} not null,
      type ${text} not null,
      name_key ${text} not null,
      entity_id ${integer}
    ) ${end}`,
    sql`create unique index entities_by_key on entities (project_id, name_key, type)`,
    // Most entities have one name: they need no place here.
    sql`create index entities_of_several on entities (entity_id) where entity_id <> node_id`,

    sql`create table entity_joins (
      node_a ${integer} not null, node_b ${integer} not null, origin ${text} not null, chunks ${integer} not null,
      primary key (node_a, node_b, origin)
    ) ${clustered}`,
    sql`create index entity_joins_backwards on entity_joins (node_b, node_a, origin)`,
  ];
}

/**
 * Where chunks of live versions say something, by node. The nodes' numbers ascend with time and the rows are short, so that a batch
 * writes few pages: new names lie together at the end, frequent ones together at the beginning.
 */
function placeTables({ text, integer, clustered }: ColumnTypes) {
  const place = sql`version_id ${integer} not null, position ${integer} not null`;
  return [
    sql`create table entity_places (
      node_id ${integer} not null, ${place}, forms ${text} not null,
      primary key (node_id, version_id, position)
    ) ${clustered}`,

    sql`create table entity_properties (
      node_id ${integer} not null, property ${text} not null, value ${text} not null, chunks ${integer} not null,
      primary key (node_id, property, value)
    ) ${clustered}`,

    sql`create table property_places (
      node_id ${integer} not null, property ${text} not null, value ${text} not null, ${place},
      primary key (node_id, property, value, version_id, position)
    ) ${clustered}`,

    sql`create table relationship_places (
      source_node ${integer} not null, target_node ${integer} not null, type ${text} not null, ${place},
      primary key (source_node, target_node, type, version_id, position)
    ) ${clustered}`,
    sql`create index relationship_places_backwards
      on relationship_places (target_node, source_node, type, version_id, position)`,
  ];
}

/** How many entities and relationships of each type a project has; a row is there while its count is above zero. */
function typeTables({ text, integer, clustered }: ColumnTypes) {
  return [
    sql`create table entity_types (
      project_id ${text} not null, type ${text} not null, count ${integer} not null,
      primary key (project_id, type)
    ) ${clustered}`,

    sql`create table relationship_types (
      project_id ${text} not null, type ${text} not null, source_type ${text} not null, target_type ${text} not null,
      count ${integer} not null,
      primary key (project_id, type, source_type, target_type)
    ) ${clustered}`,
  ];
}
