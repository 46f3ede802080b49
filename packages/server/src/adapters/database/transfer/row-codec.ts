/** Rows as lines of JSON, equal for equal rows of both databases, and the checksum of a table. */
import { createHash } from "node:crypto";
import type { Table, TableShape, ValueType } from "./table-shapes.ts";
import { TransferError } from "./transfer-error.ts";

/** As the database has it, in the order of the columns. */
export type Row = readonly unknown[];

export function encodeRow({ columns }: TableShape, row: Row): string {
  return JSON.stringify(columns.map(({ type }, place) => encodeValue(type, row[place])));
}

function encodeValue(type: ValueType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === "bytes" && value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  if (type === "time" && (value instanceof Date || typeof value === "string" || typeof value === "number"))
    return new Date(value).toISOString();
  if (type === "integer" && typeof value === "boolean") return value ? 1 : 0;
  return value;
}

/** The row for the table at hand, which may lack columns of a file of another release. @throws TransferError */
export function decodeRow(line: string, from: TableShape, to: Table): Row {
  const values = parseRow(line);
  if (!Array.isArray(values) || values.length !== from.columns.length) throw damaged(from.name);
  return from.columns.map(({ name, type }, place) => {
    const value = decodeValue(type, values[place], from.name);
    return to.booleans.has(name) && value !== null ? value === 1 : value;
  });
}

/** The parser's own error quotes the row. */
function parseRow(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function decodeValue(type: ValueType, value: unknown, table: string): unknown {
  if (value === null) return null;
  if (type === "integer" && Number.isSafeInteger(value)) return value;
  if (type === "integer" || typeof value !== "string") throw damaged(table);
  return type === "bytes" ? Buffer.from(value, "base64") : value;
}

function damaged(table: string): TransferError {
  return new TransferError(`The file is damaged in the table ${table}. Nothing was imported.`);
}

export interface Tally {
  readonly rows: number;
  /** Of 128 bits, in hexadecimal. */
  readonly checksum: string;
}

const BITS = 128;

/** Sums the hashes of lines: no order of rows is the same on both databases, and none is needed. */
export function createTally() {
  let rows = 0;
  let sum = 0n;
  return {
    add(line: string): void {
      const hash = createHash("sha256").update(line).digest("hex");
      sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash.slice(0, BITS / 4)}`));
      rows++;
    },
    read: (): Tally => ({ rows, checksum: sum.toString(16).padStart(BITS / 4, "0") }),
  };
}
