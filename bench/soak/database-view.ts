/** Reads state from the embedded database that is not visible over HTTP. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Counts {
  readonly liveChunks: number;
  readonly chunks: number;
  readonly segments: number;
  readonly freePages: number;
  readonly jobs: number;
}

/** null while there is no database file. */
export function readCounts(dataDir: string): Counts | null {
  return withDatabase(dataDir, (db) => ({
    liveChunks: numberOf(
      db,
      "select coalesce(sum(chunk_count), 0) from document_versions where state = 'live'",
    ),
    chunks: numberOf(db, "select count(*) from chunks"),
    segments: numberOf(db, "select count(*) from segments"),
    freePages: numberOf(db, "select freelist_count from pragma_freelist_count"),
    jobs: numberOf(db, "select count(*) from jobs"),
  }));
}

const projectTables = [
  "jobs",
  "chunks",
  "version_texts",
  "document_versions",
  "segment_documents",
  "segment_blobs",
  "segments",
] as const;

/** Checks the invariants of a database without running jobs. Returns a description of each violation. */
export function findDatabaseFaults(dataDir: string): readonly string[] {
  const faults = withDatabase(dataDir, (db) => {
    const checks: (readonly [string, string])[] = projectTables.map((table) => [
      `rows of deleted projects in ${table}`,
      `select count(*) from ${table} where project_id not in (select project_id from projects)`,
    ]);
    checks.push(
      [
        "versions that are not live",
        "select count(*) from document_versions where state <> 'live' or complete <> 1",
      ],
      [
        "chunks without a version",
        `select count(*) from chunks c where ${noVersion("c")} and ${isKept("c")}`,
      ],
      [
        "texts without a version",
        `select count(*) from version_texts c where ${noVersion("c")} and ${isKept("c")}`,
      ],
      [
        "versions whose chunks are not as many as counted",
        `select count(*) from document_versions v where chunk_count <>
        (select count(*) from chunks c where c.project_id = v.project_id and c.version_id = v.version_id)`,
      ],
      [
        "versions whose chunks are not all in live segments",
        `select count(*) from document_versions v where chunk_count <>
        (select coalesce(sum(d.chunk_count), 0) from segment_documents d where d.project_id = v.project_id
          and d.version_id = v.version_id and d.state = 'live')`,
      ],
      [
        "live segment entries without a version",
        `select count(*) from segment_documents c where state <> 'dead' and ${noVersion("c")}`,
      ],
      [
        "projects whose counts are wrong",
        `select count(*) from projects p where
        segment_count <> (select count(*) from segments s where s.project_id = p.project_id)`,
      ],
      [
        "segments whose dead chunks are miscounted",
        `select count(*) from segments s where dead_chunk_count <>
        (select coalesce(sum(d.chunk_count), 0) from segment_documents d where d.project_id = s.project_id
          and d.segment_id = s.segment_id and d.state = 'dead')`,
      ],
      [
        "accounts whose counts are wrong",
        `select count(*) from account_state a where pending_jobs <> 0
        or project_count <> (select count(*) from projects p where p.account_id = a.account_id)
        or stored_bytes <> ${bytesOf("document_versions")} + ${bytesOf("documents")}`,
      ],
      [
        "jobs that are leased or not done",
        "select count(*) from jobs where lease_token is not null or queue_state <> 'done'",
      ],
    );
    const found = checks.flatMap(([name, statement]) => {
      const count = numberOf(db, statement);
      return count === 0 ? [] : [`${count} ${name}`];
    });
    const integrity = db.prepare("pragma integrity_check").get() as { integrity_check: string };
    return integrity.integrity_check === "ok" ? found : [...found, `integrity: ${integrity.integrity_check}`];
  });
  return faults ?? ["there is no database"];
}

/** Of an account that keeps nothing but documents. */
function bytesOf(table: "documents" | "document_versions"): string {
  return `(select coalesce(sum(t.byte_length), 0) from ${table} t join projects p on p.project_id = t.project_id where p.account_id = a.account_id)`;
}

function noVersion(alias: string): string {
  return `not exists (select 1 from document_versions v where v.project_id = ${alias}.project_id and v.version_id = ${alias}.version_id)`;
}

/** What upkeep has still to remove after a kill is listed. */
function isKept(alias: string): string {
  return `not exists (select 1 from version_changes x where x.project_id = ${alias}.project_id and x.version_id = ${alias}.version_id)`;
}

/** For each document of a project: its number of chunks, and a hash of everything that is stored of them, including vectors. */
export function readDocumentDigests(dataDir: string, projectId: string): ReadonlyMap<string, string> {
  const digests = withDatabase(dataDir, (db) => {
    const rows = db
      .prepare(
        `select v.source_doc_id as id, c.position, c.start_offset, c.end_offset, c.token_count, c.content_hash, c.vector, c.header, c.text
         from document_versions v left join chunks c on c.project_id = v.project_id and c.version_id = v.version_id
         where v.project_id = ? order by v.source_doc_id, c.position`,
      )
      .all(projectId) as unknown as readonly (Readonly<
      Record<string, string | number | Uint8Array | null>
    > & { id: string })[];
    return new Map(
      [...Map.groupBy(rows, (row) => row.id)].map(([id, chunks]) => {
        const hash = createHash("sha256");
        for (const chunk of chunks)
          for (const value of Object.values(chunk))
            hash.update(value instanceof Uint8Array ? value : `${value}\0`);
        const count = chunks.filter((chunk) => chunk["position"] !== null).length;
        return [id, `${count} chunks, ${hash.digest("hex").slice(0, 16)}`];
      }),
    );
  });
  return digests ?? new Map();
}

function withDatabase<T>(dataDir: string, read: (db: DatabaseSync) => T): T | null {
  const path = join(dataDir, "knowledge.sqlite");
  if (!existsSync(path)) return null;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    db.exec("begin");
    return read(db);
  } finally {
    db.close();
  }
}

function numberOf(db: DatabaseSync, statement: string): number {
  const row = db.prepare(statement).get() ?? {};
  return Number(Object.values(row)[0] ?? 0);
}
