/**
 * Reads bytes from PostgreSQL by a copy in binary format. In the answer of a statement each byte is two hex digits, and `pg` reads all values as
 * UTF-8, so that a segment takes three times the processor time of this process.
 */
import { type ClientBase, Query } from "pg";

const COPY = "copy (";
/** What a binary copy begins with: its signature and four bytes of flags. The length of an extension follows. */
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const FLAGS_BYTES = 4;

export interface CopiedRow {
  /** In the order of the copied query; each has a buffer of its own. */
  readonly values: readonly (Uint8Array<ArrayBuffer> | null)[];
}

/** From now on, a copy to the client has the result of a statement, whose rows are `CopiedRow`. It is awaited: there is no form with a callback. */
export function answerCopies(client: ClientBase): void {
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  const answered = (...given: readonly unknown[]) => {
    const [text] = given;
    return typeof text === "string" && text.startsWith(COPY) ? copy(query, text) : query(...given);
  };
  client.query = answered as typeof client.query; // The same function, of all its forms.
}

async function copy(query: (copying: Query) => unknown, text: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const copying = new CopyQuery(text, (error) => (error ? reject(error) : resolve()));
  query(copying);
  await promise;
  const { copied: rows, fault } = copying;
  if (fault !== null) throw fault;
  return { command: "SELECT", rowCount: rows.length, rows };
}

/** The server sends a message for each row (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY), the first one behind what the copy begins with. */
class CopyQuery extends Query {
  readonly copied: CopiedRow[] = [];
  fault: unknown = null;
  #hasBegun = false;

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    try {
      const at = this.#hasBegun ? 0 : beginningOf(chunk);
      this.#hasBegun = true;
      const row = at < chunk.length ? readRow(chunk, at) : null;
      if (row !== null) this.copied.push(row);
    } catch (error) {
      this.fault ??= error; // Thrown here, it would end the process.
    }
  }
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". */
function beginningOf(message: Buffer): number {
  if (!message.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Error("PostgreSQL has answered a binary copy in another format.");
  const at = SIGNATURE.length + FLAGS_BYTES;
  return at + 4 + message.readInt32BE(at);
}

/** null: the end. The connection uses the memory of the message again. */
function readRow(message: Buffer, start: number): CopiedRow | null {
  const count = message.readInt16BE(start);
  if (count < 0) return null;
  let at = start + 2;
  const values = Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = new Uint8Array(message.subarray(at, at + length));
    at += length;
    return value;
  });
  if (at !== message.length) throw new Error("PostgreSQL has sent a row of a copy in parts.");
  return { values };
}
