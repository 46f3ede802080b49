/**
 * Reads bytes from PostgreSQL by a copy in binary format. In the answer of a statement each byte is two hex digits, and `pg` reads all values as
 * UTF-8, so that large values take ten times the processor time, on both sides.
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
  const rows = readRows(Buffer.concat(copying.parts));
  return { command: "SELECT", rowCount: rows.length, rows };
}

class CopyQuery extends Query {
  readonly parts: Buffer[] = [];

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.parts.push(Buffer.from(chunk)); // The connection uses the memory again.
  }
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". */
function readRows(copied: Buffer): readonly CopiedRow[] {
  if (!copied.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Error("PostgreSQL has answered a binary copy in another format.");
  let at = SIGNATURE.length + FLAGS_BYTES;
  at += 4 + copied.readInt32BE(at);
  const rows: CopiedRow[] = [];
  for (;;) {
    const count = copied.readInt16BE(at);
    at += 2;
    if (count < 0) return rows;
    const values: (Uint8Array<ArrayBuffer> | null)[] = [];
    for (let column = 0; column < count; column++) {
      const length = copied.readInt32BE(at);
      at += 4;
      values.push(length < 0 ? null : new Uint8Array(copied.subarray(at, at + length)));
      at += Math.max(0, length);
    }
    rows.push({ values });
  }
}
