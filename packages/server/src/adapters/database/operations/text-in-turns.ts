/**
 * Reads a stored text from PostgreSQL, whose rows arrive in the thread that asks for them, as a rule the main thread: a few
 * milliseconds of it in each turn of the event loop, however long the text is. The threads of SQLite decode a text at once.
 */
import { pipeline } from "node:stream/promises";
import { setImmediate as turn } from "node:timers/promises";
import { createZstdDecompress } from "node:zlib";
import { sql } from "kysely";
import type { EncodedText } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { decodeUtf8 } from "./encoding.ts";
import { utf8Pieces } from "./utf8-pieces.ts";

/** The stored bytes of one statement. They arrive as text of twice their length. */
const PART_BYTES = 512 * 1024;
/** The bytes of the text that are decoded in a turn. */
const PIECE_BYTES = 512 * 1024;

export interface VersionKey {
  readonly projectId: string;
  readonly versionId: number;
}

type Encoding = EncodedText["encoding"];

/** null where the version has no text. Called in a transaction with one snapshot, so that the parts belong together. */
export async function readTextInTurns(db: Database, key: VersionKey): Promise<string | null> {
  const first = await textOf(db, key)
    .select(["encoding", sql<number>`octet_length(bytes)`.as("length"), partAt(0).as("part")])
    .executeTakeFirst();
  if (first === undefined) return null;
  return decodeInTurns(first.encoding, readParts(db, { key, first: first.part, length: first.length }));
}

async function* readParts(
  db: Database,
  { key, first, length }: { key: VersionKey; first: Uint8Array; length: number },
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let at = PART_BYTES; at < length; at += PART_BYTES) {
    const { part } = await textOf(db, key).select(partAt(at).as("part")).executeTakeFirstOrThrow();
    yield part;
  }
}

function textOf(db: Database, { projectId, versionId }: VersionKey) {
  return db
    .selectFrom("version_texts")
    .where("project_id", "=", projectId)
    .where("version_id", "=", versionId);
}

/** PostgreSQL counts bytes from 1, and reads no more of a long value than the part. */
function partAt(start: number) {
  return sql<Uint8Array>`substring(bytes from ${sql.lit(start + 1)} for ${sql.lit(PART_BYTES)})`;
}

/** The text that `decodeText` makes of the same bytes. Decompression runs in the thread pool. */
export function decodeInTurns(encoding: Encoding, parts: AsyncIterable<Uint8Array>): Promise<string> {
  if (encoding === "utf8") return joinDecoded(parts);
  return pipeline(parts, createZstdDecompress({ chunkSize: PIECE_BYTES }), joinDecoded);
}

async function joinDecoded(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const texts: string[] = [];
  for await (const piece of utf8Pieces(parts)) {
    // Several parts may be there at once; their number in a turn must not depend on who has them.
    if (texts.length > 0) await turn();
    texts.push(decodeUtf8(piece));
  }
  if (texts.length > 1) await turn();
  return texts.join("");
}
