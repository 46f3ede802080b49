import { sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** The facts that are extracted from chunks, and the graph that is derived from them. */
export const graph: Migration = {
  number: 4,
  name: "graph",
  statements: (types) => [
    ...passageTables(types),
    ...factTables(types),
    ...entityTables(types),
    ...placeTables(types),
    ...typeTables(types),
    // The graph of such a project contains documents ingested from now on; earlier documents only after they
    // are sent again with a change.
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

    // Each row has its own visibility flag: reading the flag from its version would cost as much as reading
    // the row.
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
    // In the order in which passages about a name are read, so that the first few are read without the rest
    // and without the table. If this order were the primary key instead, SQLite would read a whole project to
    // delete a version.
    sql`create index subjects_by_name on passage_subjects (project_id, name, position, version_id, kind)
      where is_live = 1`,
    sql`create index subjects_by_ends on passage_subjects (project_id, ends, name) where ends is not null and is_live = 1`,
  ];
}

/** Written and deleted together with their chunks, whether these are visible or not. */
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
    // Partial: most entities have one name and need no entry.
    sql`create index entities_of_several on entities (entity_id) where entity_id <> node_id`,

    sql`create table entity_joins (
      node_a ${integer} not null, node_b ${integer} not null, origin ${text} not null, chunks ${integer} not null,
      primary key (node_a, node_b, origin)
    ) ${clustered}`,
    sql`create index entity_joins_backwards on entity_joins (node_b, node_a, origin)`,
  ];
}

/**
 * The chunks of live versions that support each node. Node numbers ascend with time and rows are short, so
 * that a batch writes few pages: new names are together at the end, frequent ones together at the beginning.
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

/** Counts of entities and relationships of a project by type. Rows with a count of zero are deleted. */
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
