import { sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** What is read out of documents beside their chunks, and the graph that rests on it. */
export const graph: Migration = {
  number: 4,
  name: "graph",
  statements: (types) => [
    ...passageTables(types),
    ...evidenceTables(types),
    ...graphTables(types),
    sql`alter table jobs add column nodes_created ${types.integer} not null default 0`,
    sql`alter table jobs add column edges_created ${types.integer} not null default 0`,
  ],
};

function passageTables({ text, integer, bytes, end }: ColumnTypes) {
  return [
    sql`create table passage_graphs (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      bytes ${bytes} not null,
      primary key (project_id, version_id, position)
    ) ${end}`,

    // In the order in which passages about a name are read, so that the first few are found without the rest.
    sql`create table passage_subjects (
      project_id ${text} not null,
      name ${text} not null,
      position ${integer} not null,
      version_id ${integer} not null,
      kind ${text} not null,
      ends ${text},
      primary key (project_id, name, position, version_id, kind)
    ) ${end}`,
    sql`create index subjects_by_version on passage_subjects (project_id, version_id)`,
    sql`create index subjects_by_ends on passage_subjects (project_id, ends, name, version_id) where ends is not null`,
  ];
}

/** Rows of chunks, written and removed with them, whether they are seen or not. */
function evidenceTables({ text, integer, end }: ColumnTypes) {
  const place = sql`project_id ${text} not null, version_id ${integer} not null, position ${integer} not null`;
  const span = sql`start_offset ${integer} not null, end_offset ${integer} not null`;
  return [
    sql`create table chunk_entities (
      ${place}, node_id ${text} not null, type ${text} not null, name_key ${text} not null,
      primary key (project_id, version_id, position, node_id)
    ) ${end}`,
    sql`create index chunk_entities_by_node on chunk_entities (project_id, node_id, version_id, position)`,

    sql`create table entity_evidence (
      ${place}, node_id ${text} not null, ${span}, name ${text} not null, confidence ${integer} not null,
      primary key (project_id, version_id, position, node_id, start_offset, end_offset)
    ) ${end}`,
    sql`create index entity_evidence_by_node 
      on entity_evidence (project_id, node_id, confidence desc, version_id, position, start_offset)`,

    sql`create table property_evidence (
      ${place}, node_id ${text} not null, property ${text} not null, value ${text} not null, ${span},
      primary key (project_id, version_id, position, node_id, property, value)
    ) ${end}`,
    sql`create index property_evidence_by_value 
      on property_evidence (project_id, node_id, property, value, version_id, position)`,

    sql`create table join_evidence (
      ${place}, node_a ${text} not null, node_b ${text} not null, origin ${text} not null, ${span},
      primary key (project_id, version_id, position, node_a, node_b, origin)
    ) ${end}`,

    sql`create table relationship_evidence (
      ${place}, source_node ${text} not null, target_node ${text} not null, type ${text} not null, ${span},
      confidence ${integer} not null, extractor ${text} not null, valid_from ${text}, valid_to ${text},
      primary key (project_id, version_id, position, source_node, target_node, type)
    ) ${end}`,
    sql`create index relationship_evidence_by_edge
      on relationship_evidence (project_id, source_node, target_node, type, confidence desc, version_id, position)`,

    sql`create table unfit_facts (
      ${place}, kind ${text} not null, source_type ${text} not null, name ${text} not null,
      target_type ${text} not null, count ${integer} not null, example ${text} not null,
      primary key (project_id, version_id, position, kind, source_type, name, target_type)
    ) ${end}`,
  ];
}

/** Counts over the evidence of live versions; a row is there while its count is above zero. */
function graphTables({ text, integer, end }: ColumnTypes) {
  const made = sql`chunks ${integer} not null, made_version ${integer} not null, made_position ${integer} not null`;
  return [
    sql`create table entities (
      project_id ${text} not null, node_id ${text} not null, type ${text} not null, name_key ${text} not null,
      entity_id ${text} not null, ${made},
      primary key (project_id, node_id)
    ) ${end}`,
    // Without the node: SQLite would take a covering index for a look-up by node, and read the whole project.
    sql`create index entities_by_entity on entities (project_id, entity_id)`,
    sql`create index entities_by_key on entities (project_id, name_key)`,

    sql`create table entity_names (
      project_id ${text} not null, node_id ${text} not null, name ${text} not null, mentions ${integer} not null,
      primary key (project_id, node_id, name)
    ) ${end}`,

    sql`create table entity_properties (
      project_id ${text} not null, node_id ${text} not null, property ${text} not null, value ${text} not null,
      chunks ${integer} not null,
      primary key (project_id, node_id, property, value)
    ) ${end}`,

    sql`create table entity_joins (
      project_id ${text} not null, node_a ${text} not null, node_b ${text} not null, origin ${text} not null,
      chunks ${integer} not null,
      primary key (project_id, node_a, node_b, origin)
    ) ${end}`,
    sql`create index entity_joins_backwards on entity_joins (project_id, node_b, node_a, origin)`,

    sql`create table relationships (
      project_id ${text} not null, source_node ${text} not null, target_node ${text} not null, type ${text} not null,
      ${made},
      primary key (project_id, source_node, target_node, type)
    ) ${end}`,
    // Covering, best supported first: a frequent name has thousands, of which a few are read.
    sql`create index relationships_from on relationships (project_id, source_node, chunks desc, target_node, type)`,
    sql`create index relationships_to on relationships (project_id, target_node, chunks desc, source_node, type)`,
  ];
}
