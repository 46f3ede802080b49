/**
 * The graph of a project: counts over the evidence of its live versions. What a version contributes is added when it comes
 * to be seen and taken away when it goes, by the same statements over its evidence, so that the graph is a function of what is
 * there and not of how it came about. The caller holds the project's lock.
 *
 * `cross join` in these files means: in this order. Without statistics SQLite would as soon begin with all rows of the project
 * in the table that is looked up; to PostgreSQL it is a join like any other.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../schema.ts";
import { evidenceTables } from "./graph-evidence.ts";
import { findJoined, resolveEntities } from "./graph-resolve.ts";

/** All led by `project_id`. */
export const graphTables = [
  "entities",
  "entity_names",
  "entity_properties",
  "entity_joins",
  "relationships",
] as const;

/** Chunks of one version, from a position on. */
export interface VersionPart {
  readonly projectId: string;
  readonly versionId: number;
  readonly from: number;
}

/** Entities and relationships that were not in the graph before. */
export interface Created {
  readonly nodes: number;
  readonly edges: number;
}

interface Count {
  /** Of the graph, and the table of evidence that it counts. */
  readonly table: (typeof graphTables)[number];
  readonly evidence: (typeof evidenceTables)[number];
  /** What is counted apart. */
  readonly key: readonly string[];
  /** Further columns that a key has always the same. */
  readonly rest: readonly string[];
  readonly count: "chunks" | "mentions";
  readonly isMade: boolean;
}

const counts: readonly Count[] = [
  {
    table: "entities",
    evidence: "chunk_entities",
    key: ["node_id"],
    rest: ["type", "name_key"],
    count: "chunks",
    isMade: true,
  },
  {
    table: "entity_names",
    evidence: "entity_evidence",
    key: ["node_id", "name"],
    rest: [],
    count: "mentions",
    isMade: false,
  },
  {
    table: "entity_properties",
    evidence: "property_evidence",
    key: ["node_id", "property", "value"],
    rest: [],
    count: "chunks",
    isMade: false,
  },
  {
    table: "entity_joins",
    evidence: "join_evidence",
    key: ["node_a", "node_b", "origin"],
    rest: [],
    count: "chunks",
    isMade: false,
  },
  {
    table: "relationships",
    evidence: "relationship_evidence",
    key: ["source_node", "target_node", "type"],
    rest: [],
    count: "chunks",
    isMade: true,
  },
];

/** Adds what the part contributes, and tells what is new by it. */
export async function addToGraph(db: Database, part: VersionPart): Promise<Created> {
  if (!(await hasEvidence(db, part))) return { nodes: 0, edges: 0 };
  for (const count of counts) await increase(db, part, count);
  await resolveEntities(db, part.projectId, await findJoined(db, part));
  return { nodes: await countNewEntities(db, part), edges: await countNewRelationships(db, part) };
}

/** Takes away what live versions contribute, before their evidence goes. */
export async function takeFromGraph(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<void> {
  for (const versionId of versionIds) {
    const part = { projectId, versionId, from: 0 };
    if (!(await hasEvidence(db, part))) continue;
    const joined = await findJoined(db, part);
    for (const count of counts) await decrease(db, part, count);
    await resolveEntities(db, projectId, joined);
  }
}

export async function removeEvidence(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<void> {
  for (const table of evidenceTables) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("version_id", "in", versionIds)
      .execute();
  }
}

/** Anything that counts has a row of `chunk_entities`. */
async function hasEvidence(db: Database, part: VersionPart): Promise<boolean> {
  const row = await db
    .selectFrom("chunk_entities")
    .select("position")
    .where("project_id", "=", part.projectId)
    .where("version_id", "=", part.versionId)
    .where("position", ">=", part.from)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function increase(db: Database, part: VersionPart, count: Count): Promise<void> {
  const { table, key, rest } = count;
  const columns = [...key, ...rest];
  const target = sql.ref(`${table}.${count.count}`);
  const more: RawBuilder<unknown>[] = [];
  const values: RawBuilder<unknown>[] = [];
  const add = (column: string, value: RawBuilder<unknown>) => {
    more.push(sql.ref(column));
    values.push(value);
  };
  if (table === "entities") add("entity_id", sql.ref("node_id"));
  if (count.isMade) {
    add("made_version", integer(part.versionId));
    add("made_position", integer(part.from));
  }
  add(count.count, sql`count(*)`);
  await sql`
    insert into ${sql.table(table)} (project_id, ${refs(columns)}, ${sql.join(more)})
    select project_id, ${refs(columns)}, ${sql.join(values)}
    from ${sql.table(count.evidence)}
    where ${within(part)}
    group by project_id, ${refs(columns)}
    on conflict (project_id, ${refs(key)})
    do update set ${sql.ref(count.count)} = ${target} + ${sql.ref(`excluded.${count.count}`)}`.execute(db);
}

/** Two statements: the counts, then the rows of the version that count nothing any more. */
async function decrease(db: Database, part: VersionPart, count: Count): Promise<void> {
  const { table, evidence, key } = count;
  const own = sql.table(table);
  const same = sql.join(
    key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`gone.${column}`)}`),
    sql` and `,
  );
  await sql`
    update ${own} set ${sql.ref(count.count)} = ${sql.ref(`${table}.${count.count}`)} - gone.times
    from (select project_id, ${refs(key)}, count(*) as times from ${sql.table(evidence)}
      where ${within(part)} group by project_id, ${refs(key)}) as gone
    where ${sql.ref(`${table}.project_id`)} = gone.project_id and ${same}`.execute(db);
  await sql`
    delete from ${own} where project_id = ${part.projectId} and ${sql.ref(count.count)} = 0
    and (${refs(key)}) in (select ${refs(key)} from ${sql.table(evidence)} where ${within(part)})`.execute(
    db,
  );
}

/** Entities all of whose nodes came with the part. */
async function countNewEntities(db: Database, part: VersionPart): Promise<number> {
  const { rows } = await sql<{ created: number }>`
    select count(*) as created from (
      select distinct e.entity_id from chunk_entities as c
      cross join entities as e
      where e.project_id = c.project_id and e.node_id = c.node_id
      and c.project_id = ${part.projectId} and c.version_id = ${part.versionId} and c.position >= ${part.from}
        and ${isMadeBy("e", part)}) as found
    where not exists (
      select 1 from entities as o
      where o.project_id = ${part.projectId} and o.entity_id = found.entity_id and not (${isMadeBy("o", part)}))`.execute(
    db,
  );
  return rows[0]?.created ?? 0;
}

/** Likewise: no older relationship of the type joins the same two entities. */
async function countNewRelationships(db: Database, part: VersionPart): Promise<number> {
  const { rows } = await sql<{ created: number }>`
    select count(*) as created from (
      select distinct s.entity_id as source, t.entity_id as target, r.type from relationship_evidence as c
      cross join relationships as r
      cross join entities as s
      cross join entities as t
      where r.project_id = c.project_id and r.source_node = c.source_node and r.target_node = c.target_node and r.type = c.type and s.project_id = r.project_id and s.node_id = r.source_node and t.project_id = r.project_id and t.node_id = r.target_node
      and c.project_id = ${part.projectId} and c.version_id = ${part.versionId} and c.position >= ${part.from}
        and ${isMadeBy("r", part)}) as found
    where not exists (
      select 1 from entities as s
      cross join entities as t
      cross join relationships as o
      where t.project_id = s.project_id and o.project_id = s.project_id and o.source_node = s.node_id and o.target_node = t.node_id and o.type = found.type
      and s.project_id = ${part.projectId} and s.entity_id = found.source and t.entity_id = found.target
        and not (${isMadeBy("o", part)}))`.execute(db);
  return rows[0]?.created ?? 0;
}

function within({ projectId, versionId, from }: VersionPart) {
  return sql`project_id = ${projectId} and version_id = ${versionId} and position >= ${from}`;
}

function isMadeBy(table: string, { versionId, from }: VersionPart) {
  return sql`${sql.ref(`${table}.made_version`)} = ${versionId} and ${sql.ref(`${table}.made_position`)} = ${from}`;
}

function refs(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** The cast tells PostgreSQL the type of a parameter in a list of results. */
function integer(value: number) {
  return sql`cast(${value} as bigint)`;
}
