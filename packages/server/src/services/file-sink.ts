/** Receives one file in pieces, and stores each before it takes more. */
import { createHash } from "node:crypto";
import { errors } from "../domain/errors.ts";
import { FILE_PIECE_BYTES } from "../domain/file.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { FileStore, ReceivedContent } from "../ports/file-store.ts";
import { storageFull } from "./caps.ts";

/** One file that is being received. */
export interface FileSink {
  /** Resolves when there is room for more. The bytes are in a buffer that changes no more. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<ReceivedContent>;
}

/** Many small files may arrive at once, so a piece grows with what it has. */
function withRoom(piece: Uint8Array<ArrayBuffer>, bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes <= piece.length) return piece;
  const larger = new Uint8Array(Math.min(FILE_PIECE_BYTES, 2 * bytes));
  larger.set(piece);
  return larger;
}

export interface SentFile {
  readonly content: ReceivedContent;
  readonly sourceDocId: string;
  /** Without folders. */
  readonly name: string;
  /** `{}` = none. */
  readonly metadata: Metadata;
  /** The content is the address of a page. */
  readonly isAddress?: boolean;
}

interface SinkDeps {
  readonly store: Pick<FileStore, "appendFilePiece">;
  /** Of the account; null = no limit. */
  readonly storedBytes: number | null;
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/**
 * Gathers pieces of their full length.
 * @throws ServiceError `too_large`, or `too_many_requests` where the account's storage is full
 */
export function createFileSink(
  ids: { readonly projectId: string; readonly accountId: string; readonly contentId: string },
  { store, storedBytes, maxFileBytes, now }: SinkDeps,
): FileSink {
  const hash = createHash("sha256");
  let [piece, used, position, byteLength] = [new Uint8Array(0), 0, 0, 0];

  async function flush(): Promise<void> {
    const bytes = used === piece.length ? piece : piece.slice(0, used);
    used = 0;
    const input = { ...ids, position: position++, bytes, maxStoredBytes: storedBytes, now: now() };
    const outcome = await store.appendFilePiece(input);
    if (outcome === "project_gone") throw errors.projectNotFound(ids.projectId);
    if (outcome === "too_many_bytes") throw storageFull();
  }

  return {
    async write(bytes) {
      byteLength += bytes.length;
      if (byteLength > maxFileBytes)
        throw errors.tooLarge(
          `files: a file has more than ${maxFileBytes} bytes, the most that KCS_MAX_FILE_BYTES allows`,
        );
      hash.update(bytes);
      for (let start = 0; start < bytes.length; ) {
        const part = bytes.subarray(start, start + FILE_PIECE_BYTES - used);
        piece = withRoom(piece, used + part.length);
        piece.set(part, used);
        used += part.length;
        start += part.length;
        if (used === FILE_PIECE_BYTES) await flush();
      }
    },

    async end() {
      if (used > 0 || position === 0) await flush();
      return { contentId: ids.contentId, sha256: hash.digest("hex"), byteLength };
    },
  };
}
