/**
 * The file of an export: lines of JSON, compressed with zstd. A header, then for each of its tables the rows and a line with their count
 * and checksum.
 */
import type { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { Tally } from "./row-codec.ts";
import type { TableShape, ValueType } from "./table-shapes.ts";
import { TransferError } from "./transfer-error.ts";

const FORMAT = "kcs-export-1";
/** The largest row is that of a text of 64 MiB in base64. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;

export interface Header {
  /** The number of the last migration of the database that was exported. */
  readonly migration: number;
  readonly tables: readonly TableShape[];
}

export function writeHeader({ migration, tables }: Header): string {
  const shapes = tables.map(({ name, columns }) => ({ name, columns }));
  return JSON.stringify({ format: FORMAT, migration, tables: shapes });
}

/** @throws TransferError when the line is none */
export function readHeader(line: string | undefined): Header {
  const header = parse(line);
  const { format, migration, tables } = header;
  if (
    format !== FORMAT ||
    !Number.isSafeInteger(migration) ||
    !Array.isArray(tables) ||
    tables.length === 0 ||
    !tables.every(isShape)
  )
    throw new TransferError("The file is not an export of this service, or has a later format.");
  return { migration: Number(migration), tables };
}

const TYPES: readonly ValueType[] = ["text", "integer", "bytes", "time"];

function isShape(value: unknown): value is TableShape {
  const { name, columns } = Object(value);
  const isColumn = (column: unknown) =>
    typeof Object(column).name === "string" && TYPES.includes(Object(column).type);
  return typeof name === "string" && Array.isArray(columns) && columns.every(isColumn);
}

export function writeTally(table: string, tally: Tally): string {
  return JSON.stringify({ table, ...tally });
}

/** null for a row. */
export function readTally(line: string): (Tally & { readonly table: string }) | null {
  if (line.startsWith("[")) return null;
  const { table, rows, checksum } = parse(line);
  return { table: String(table), rows: Number(rows), checksum: String(checksum) };
}

function parse(line: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line ?? ""));
  } catch (error) {
    throw new TransferError("The file is not an export of this service, or is damaged.", { cause: error });
  }
}

/** The lines of a compressed file. @throws TransferError when it is cut off or not compressed */
export async function* readLines(file: Readable): AsyncGenerator<string> {
  const unpacked = createZstdDecompress();
  file.once("error", (error) => unpacked.destroy(error));
  let pieces: Buffer[] = [];
  let bytes = 0;
  const iterator: AsyncIterator<Buffer> = file.pipe(unpacked)[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw new TransferError("The file cannot be read to its end: it is cut off, damaged or no export.", {
        cause: error,
      });
    });
    if (next.done === true) return;
    let rest = next.value;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)]).toString();
      rest = rest.subarray(end + 1);
      pieces = [];
      bytes = 0;
    }
    pieces.push(rest);
    bytes += rest.byteLength;
    if (bytes > MAX_LINE_BYTES) throw new TransferError("The file has a line that no export has.");
  }
}
