/** The files of versions: found, carried over to another version, removed. */
import { type SqlBool, sql } from "kysely";
import type { FilePlace } from "../../../domain/file.ts";
import type { PageStart } from "../../../ports/file-converter.ts";
import type { FileStore } from "../../../ports/file-store.ts";
import type { ChunkRow, Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { decodeUtf8 } from "./encoding.ts";
import { dropContents } from "./file-contents.ts";

const NUMBER_BYTES = 4;
/** The number of a page and its start. */
const PAGE_BYTES = 2 * NUMBER_BYTES;

type Input<Name extends keyof FileStore> = Parameters<FileStore[Name]>[0];

export async function findFile(db: Database, input: Input<"findFile">): ReturnType<FileStore["findFile"]> {
  const row = await db
    .selectFrom("documents as d")
    .leftJoin("jobs as j", (join) =>
      join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
    )
    .leftJoin("document_versions as v", (join) =>
      join
        .onRef("v.project_id", "=", "d.project_id")
        .onRef("v.source_doc_id", "=", "d.source_doc_id")
        .on(sql<SqlBool>`v.state = 'live'`),
    )
    .innerJoin("version_files as f", (join) =>
      join
        .onRef("f.project_id", "=", "d.project_id")
        .on(sql<SqlBool>`f.version_id = coalesce(v.version_id, j.version_id)`),
    )
    .select(["f.content_id", "f.name", "f.media_type", "f.byte_length"])
    .where("d.project_id", "=", input.projectId)
    .where("d.source_doc_id", "=", input.sourceDocId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    contentId: row.content_id,
    name: row.name,
    mediaType: row.media_type,
    byteLength: row.byte_length,
  };
}

/**
 * Two versions with the same content change their files, before one of them is removed; either may have none. Their bytes differ by
 * those of the pages, which go with the files.
 */
export async function swapFiles(
  db: Database,
  projectId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  // By way of numbers that no version has.
  for (const ids of [
    [from, to],
    [-from, -to],
  ]) {
    const version = ids[0] === from ? sql<number>`-version_id` : sql<number>`${from + to} + version_id`;
    await db
      .updateTable("version_files")
      .set({ version_id: version })
      .where("project_id", "=", projectId)
      .where("version_id", "in", ids)
      .execute();
  }
  const versions = await db
    .selectFrom("document_versions")
    .select(["version_id", "byte_length"])
    .where("project_id", "=", projectId)
    .where("version_id", "in", [from, to])
    .execute();
  for (const { version_id: id, byte_length } of versions)
    await db
      .updateTable("document_versions")
      .set({ byte_length })
      .where("project_id", "=", projectId)
      .where("version_id", "=", id === from ? to : from)
      .execute();
}

/** For a version that is made of another one. */
export async function copyFile(
  db: Database,
  projectId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await sql`insert into version_files
      (project_id, version_id, content_id, name, media_type, byte_length, is_member, pages)
    select project_id, cast(${to} as bigint), content_id, name, media_type, byte_length, is_member, pages
    from version_files where project_id = ${projectId} and version_id = ${from}`.execute(db);
}

/** Returns how many bytes the account no longer stores. The caller holds the project's lock. */
export async function dropFiles(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<number> {
  const dropped = await db
    .deleteFrom("version_files")
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .returning("content_id")
    .execute();
  return dropContents(
    db,
    projectId,
    dropped.map((row) => row.content_id),
  );
}

/** Where a chunk is in its file. */
export function toPlace({ header, page }: Pick<ChunkRow, "header" | "page">): FilePlace {
  const [section = ""] = decodeUtf8(header).split("\n", 1);
  return { page, section: section === "" ? null : section };
}

export function encodePages(pages: readonly PageStart[]): Uint8Array | null {
  if (pages.length === 0) return null;
  const bytes = new Uint8Array(PAGE_BYTES * pages.length);
  const view = new DataView(bytes.buffer);
  for (const [index, { page, start }] of pages.entries()) {
    view.setUint32(PAGE_BYTES * index, page, true);
    view.setUint32(PAGE_BYTES * index + NUMBER_BYTES, start, true);
  }
  return bytes;
}

/**
 * Finds the page of an offset in the texts of these versions; null where there is none. Only what a search by halves meets is
 * decoded: a transaction waits for it, and a file may have thousands of pages.
 */
export async function openPages(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<(versionId: number, offset: number) => number | null> {
  if (versionIds.length === 0) return () => null;
  const rows = await db
    .selectFrom("version_files")
    .select(["version_id", "pages"])
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .where("pages", "is not", null)
    .execute();
  const pages = new Map(rows.map((row) => [row.version_id, readPages(row.pages ?? new Uint8Array())]));
  return (versionId, offset) => {
    const stored = pages.get(versionId);
    return stored === undefined ? null : findPage(stored, offset);
  };
}

interface StoredPages {
  readonly count: number;
  pageAt(index: number): number;
  /** Ascends with the index. */
  startAt(index: number): number;
}

/** Nothing is decoded before it is asked for. */
export function readPages(bytes: Uint8Array): StoredPages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    count: Math.floor(bytes.byteLength / PAGE_BYTES),
    pageAt: (index) => view.getUint32(PAGE_BYTES * index, true),
    startAt: (index) => view.getUint32(PAGE_BYTES * index + NUMBER_BYTES, true),
  };
}

/** The last page that begins at the offset or before it. */
export function findPage({ count, pageAt, startAt }: StoredPages, offset: number): number | null {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (startAt(middle) <= offset) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? null : pageAt(from - 1);
}
