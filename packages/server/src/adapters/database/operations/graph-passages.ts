/**
 * Storage for retrieval over the graph: the subjects of chunks, and a record per chunk that links documents.
 */
import { type RawBuilder, sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import { endsOfName, type SubjectKind } from "../../../domain/graph.ts";
import type { AboutPassage, PassagesAbout } from "../../../ports/graph-store.ts";
import type { CommitBatch } from "../../../ports/store.ts";
import type { PassageGraphRow } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows, padded, partsOf } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { isPresent } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";

/**
 * Limit of rows read per name; documents and names with the same ends in later rows are not counted or found.
 */
const maxScanned = 2_000;
const maxListed = 500;
/** Lists are padded to multiples of this, so that only few statements have to be prepared. */
const listStep = 32;
/** Separators of rows and columns in an aggregated list; `isStorableName` excludes both from names. */
const rowEnd = "\n";
const columnEnd = "\t";
const { lit } = sql;

/** Every row belongs to one chunk: `project_id`, `version_id`, `position`. */
export const passageTables = ["passage_graphs", "passage_subjects"] as const;

/**
 * Writes the subjects of the batch's chunks. They are visible at once for the versions for which `isLive` is
 * true. The caller has checked that the versions belong to its jobs.
 */
export async function writePassages(
  db: Database,
  { projectId, parts }: CommitBatch,
  isLive: (versionId: number) => boolean,
): Promise<void> {
  const chunks = parts.flatMap(({ versionId, graph = [] }) =>
    graph.map((chunk) => ({
      chunk,
      key: { project_id: projectId, version_id: versionId, position: chunk.position },
    })),
  );
  const records = chunks.flatMap(({ chunk, key }) =>
    chunk.passage === null ? [] : [{ ...key, bytes: chunk.passage }],
  );
  await insertRows(db, "passage_graphs", records);
  const subjects = chunks.flatMap(({ chunk, key }) => {
    const is_live = isLive(key.version_id) ? 1 : 0;
    const row = (name: string, kind: SubjectKind) => ({
      ...key,
      name,
      kind,
      ends: endsOfName(name),
      is_live,
    });
    const rows = chunk.subjects
      .filter(({ name }) => isStorableName(name))
      .map(({ name, kind }) => [`${kind} ${name}`, row(name, kind)] as const);
    return [...new Map(rows).values()];
  });
  await insertRows(db, "passage_subjects", subjects);
}

/** Makes the subjects of these chunks visible. */
export async function showPassages(
  db: Database,
  projectId: string,
  keys: readonly ChunkKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`update passage_subjects set is_live = 1
    where project_id = ${projectId} and is_live = 0 and ${matchesKey("passage_subjects", padded(keys))}`.execute(
    db,
  );
}

/**
 * One index look-up per name (`subjects_by_name`), which stops after its first rows. The rows are aggregated
 * into a list, because SQLite has no lateral join and a window function would read all rows of a name.
 * Documents are counted separately only for names with more rows than the list holds.
 */
export async function findAbout(
  db: Database,
  { projectId, names, maxPerName }: { projectId: string; names: readonly string[]; maxPerName: number },
): Promise<ReadonlyMap<string, PassagesAbout>> {
  const found = new Map<string, PassagesAbout>();
  for (const part of partsOf([...new Set(names)].filter(isStorableName), maxListed)) {
    const best = firstRows(projectId, { columns: sql`s.version_id, s.position, s.kind`, limit: maxPerName });
    const columns = sql`version_id || ${lit(columnEnd)} || position || ${lit(columnEnd)} || kind`;
    const lists = await aggregate(
      db,
      part,
      sql`select string_agg(${columns}, ${lit(rowEnd)}) from (${best}) as best`,
    );
    for (const [name, list] of lists) {
      const passages = parsePassages(name, String(list));
      found.set(name, { documents: new Set(passages.map(({ versionId }) => versionId)).size, passages });
    }
  }
  const full = [...found].filter(([, { passages }]) => passages.length >= maxPerName).map(([name]) => name);
  for (const part of partsOf(full, maxListed)) {
    const scanned = firstRows(projectId, { columns: sql`s.version_id`, limit: maxScanned });
    const counts = await aggregate(
      db,
      part,
      sql`select count(distinct version_id) from (${scanned}) as scanned`,
    );
    for (const [name, count] of counts) {
      found.set(name, { documents: Number(count), passages: found.get(name)?.passages ?? [] });
    }
  }
  return found;
}

/** The first live rows about `n.name`. The limit is a literal: with a parameter SQLite takes 50 % longer. */
function firstRows(projectId: string, input: { columns: RawBuilder<unknown>; limit: number }) {
  return sql`select ${input.columns} from passage_subjects as s
    where s.project_id = ${projectId} and s.name = n.name and s.is_live = 1
      and ${isPresent(projectId, "s.version_id")}
    order by s.position, s.version_id, s.kind
    limit ${lit(input.limit)}`;
}

/**
 * Runs the query once per name, which it refers to as `n.name`. Names for which it returns null are omitted.
 */
async function aggregate(
  db: Database,
  names: readonly string[],
  query: RawBuilder<unknown>,
): Promise<readonly (readonly [string, string | number])[]> {
  const { rows } = await sql<{ name: string | null; result: string | number | null }>`
    with names (name) as (values ${listValues(names)})
    select n.name, (${query}) as result from names as n`.execute(db);
  return rows.flatMap(({ name, result }) =>
    name === null || result === null ? [] : [[name, result] as const],
  );
}

function parsePassages(name: string, list: string): readonly AboutPassage[] {
  const passages = list.split(rowEnd).map((row) => {
    const [versionId, position, kind] = row.split(columnEnd);
    // Only `writePassages` writes kinds, from this union.
    return { name, versionId: Number(versionId), position: Number(position), kind: kind as SubjectKind };
  });
  // Neither database guarantees the order within an aggregate.
  return passages.sort(
    (a, b) => a.position - b.position || a.versionId - b.versionId || (a.kind < b.kind ? -1 : 1),
  );
}

export async function findByEnds(
  db: Database,
  { projectId, ends, maxPerEnd }: { projectId: string; ends: readonly string[]; maxPerEnd: number },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const part of partsOf([...new Set(ends)].filter(isStorableName), maxListed)) {
    const lists = await aggregate(
      db,
      part,
      sql`select string_agg(name, ${lit(rowEnd)}) from (
        select distinct name from (
          select s.name from passage_subjects as s
          where s.project_id = ${projectId} and s.ends = n.name and s.is_live = 1
            and ${isPresent(projectId, "s.version_id")}
          order by s.name limit ${lit(maxScanned)}) as scanned
        order by name limit ${lit(maxPerEnd)}) as best`,
    );
    for (const [name, list] of lists) found.set(name, String(list).split(rowEnd).sort());
  }
  return found;
}

export async function readPassages(
  db: Database,
  { projectId, keys }: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (Uint8Array | null)[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<Pick<PassageGraphRow, "version_id" | "position" | "bytes">>`
    select g.version_id, g.position, g.bytes
    from passage_graphs as g
    cross join document_versions as v
    where v.project_id = g.project_id and v.version_id = g.version_id and v.state = 'live'
      and g.project_id = ${projectId} and ${matchesKey("g", keys)}`.execute(db);
  const found = new Map(rows.map((row) => [`${row.version_id}:${row.position}`, row.bytes]));
  return keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null);
}

/**
 * One flat fragment, like `matchesKey`. Padded with null, which equals no value. PostgreSQL infers the type
 * from the cast.
 */
function listValues(list: readonly string[]) {
  const size = Math.ceil(list.length / listStep) * listStep;
  const values = Array.from({ length: size }, (_, at) => list[at] ?? null);
  const fragments: string[] = values.map((_, at) => (at === 0 ? "(cast(" : " as text)), (cast("));
  fragments.push(" as text))");
  // `sql` reads it only as an array of strings.
  return sql(fragments as unknown as TemplateStringsArray, ...values);
}
