/** The rows of an export as they would be without a segment store: the file holds all bytes of segments, so it can be imported anywhere. */
import { sql } from "kysely";
import { SEGMENT_STORE_SETTING, type SegmentObject } from "../../../ports/segment-objects.ts";
import type { Database } from "../schema.ts";
import type { Row } from "./row-codec.ts";
import type { TableShape } from "./table-shapes.ts";
import type { TransferDatabase } from "./transfer-database.ts";
import { TransferError } from "./transfer-error.ts";

/** Reads what was written; null where there is nothing, or something else. */
export type ReadOutside = (object: SegmentObject) => Promise<Uint8Array | null>;

export interface OutsideRows {
  rows(db: Database, table: TableShape): AsyncIterable<Row>;
  /** Segments whose bytes were not in the store. They are marked, so that they are built again after an import. */
  readonly lost: number;
}

const PAGE_ROWS = 500;
/** At once. */
const repairNow = 0;

/** The tables must be read in the order of their names: bytes before the rows that refer to them. `read`: null without a segment store. */
export function createOutsideRows(
  source: TransferDatabase,
  { read, tables }: { readonly read: ReadOutside | null; readonly tables: readonly TableShape[] },
): OutsideRows {
  const lost = new Set<string>();
  const isLost = (projectId: unknown, segmentId: unknown) => lost.has(`${segmentId} ${projectId}`);
  // Not of a database of an earlier release.
  const mayBeOutside = tables.some(
    ({ name, columns }) => name === "segments" && columns.some((column) => column.name === "object_key"),
  );

  async function* bytesOutside(db: Database, { columns }: TableShape): AsyncGenerator<Row> {
    for await (const { projectId, ...object } of listOutside(db)) {
      const bytes = await (read ?? refuse)(object);
      const { segmentId } = object;
      if (bytes === null) lost.add(`${segmentId} ${projectId}`);
      else
        yield columns.map(({ name }) =>
          columnOf({ project_id: projectId, segment_id: segmentId, bytes }, name),
        );
    }
  }

  return {
    get lost() {
      return lost.size;
    },
    async *rows(db, table) {
      const { name: tableName, columns } = table;
      const valueIn = (row: Row, name: string) => row[columns.findIndex((column) => column.name === name)];
      for await (const row of source.rows(db, table)) {
        if (tableName === "settings" && valueIn(row, "name") === SEGMENT_STORE_SETTING) continue;
        if (tableName !== "segments") {
          yield row;
          continue;
        }
        const isGone = isLost(valueIn(row, "project_id"), valueIn(row, "segment_id"));
        const changed = new Map<string, unknown>([
          ["object_key", null],
          ["object_hash", null],
        ]);
        if (isGone) changed.set("repair_at", repairNow);
        yield columns.map(({ name }, place) => (changed.has(name) ? changed.get(name) : row[place]));
      }
      if (mayBeOutside && table.name === "segment_blobs") yield* bytesOutside(db, table);
    },
  };
}

async function refuse(): Promise<null> {
  throw new TransferError(UNSET);
}

function columnOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (name in values) return values[name];
  throw new Error(`The table segment_blobs has a column ${name}, of which an export knows no value.`);
}

async function* listOutside(db: Database): AsyncGenerator<SegmentObject & { readonly projectId: string }> {
  let after = { projectId: "", segmentId: 0 };
  for (;;) {
    const rows = await db
      .selectFrom("segments")
      .select(["project_id", "segment_id", "object_key", "object_hash", "byte_length"])
      .where("object_key", "is not", null)
      .where(
        sql<boolean>`(project_id, segment_id) > (${after.projectId}, cast(${after.segmentId} as bigint))`,
      )
      .orderBy("project_id")
      .orderBy("segment_id")
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) {
      const { project_id: projectId, segment_id: segmentId, byte_length: byteLength } = row;
      yield { projectId, segmentId, byteLength, key: row.object_key ?? "", hash: row.object_hash ?? "" };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = { projectId: last.project_id, segmentId: last.segment_id };
  }
}

const UNSET =
  "Segments of this database are in a segment store. Set KCS_SEGMENT_STORE as the service has it, so that they can be exported.";
