/** Reads the documents of a batch for sending: once, so that each attempt sends what the hash covers, whatever becomes of the files. */
import { openAsBlob } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DocumentBody,
  type FoundDocument,
  type FoundFile,
  fileHash,
  hashOfBody,
  type RejectedDocument,
} from "./find-documents.ts";
import { MAX_FILE_BYTES, readPieces } from "./read-pieces.ts";
import { codeOfFault, reasonOf, UnreadableDocument } from "./unreadable.ts";

interface Read {
  readonly id: string;
  /** Of what is sent. The file may have changed since it was found. */
  readonly hash: string;
}

export interface ReadText extends Read {
  readonly body: DocumentBody;
}

export interface ReadFile extends Read {
  readonly content: Blob;
  readonly metadata: FoundFile["metadata"];
}

export type ReadDocument = ReadText | ReadFile;

/** Of the files of a batch no more is held in memory. What is beyond it is copied to a temporary file. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/**
 * Calls `use` with the documents that can be read, which are there until its promise is settled.
 * @param refuse called for each of the others
 */
export async function withBatch<Result>(
  batch: readonly FoundDocument[],
  refuse: (document: RejectedDocument) => void,
  use: (documents: readonly ReadDocument[]) => Promise<Result>,
): Promise<Result> {
  const copies = createCopies(MAX_HELD_BYTES);
  const documents: ReadDocument[] = [];
  try {
    for (const document of batch) {
      try {
        documents.push("path" in document ? await copies.add(document) : await readText(document));
      } catch (error) {
        refuse({ id: document.id, reason: reasonOf(error) });
      }
    }
    return await use(documents);
  } finally {
    await copies.remove();
  }
}

async function readText({ id, read }: Exclude<FoundDocument, FoundFile>): Promise<ReadText> {
  const body = await read();
  return { id, body, hash: hashOfBody(body) };
}

function createCopies(maxHeldBytes: number) {
  let heldBytes = 0;
  let folder: string | null = null;
  let files = 0;

  async function openCopy(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    folder ??= await mkdtemp(join(tmpdir(), "kcs-upload-"));
    const path = join(folder, String(files++));
    return { path, file: await open(path, "wx", 0o600) };
  }

  return {
    async add({ id, path, metadata }: FoundFile): Promise<ReadFile> {
      const hash = fileHash(metadata);
      let held: Blob[] = [];
      let bytes = 0;
      let copy: Awaited<ReturnType<typeof openCopy>> | null = null;
      try {
        for await (const piece of readPieces(path, MAX_FILE_BYTES)) {
          hash.update(piece);
          bytes += piece.length;
          if (copy === null && heldBytes + bytes <= maxHeldBytes) {
            // A Blob copies bytes, but not those of other Blobs: those of the file would be there twice.
            held.push(new Blob([piece]));
            continue;
          }
          const pieces = held;
          held = [];
          copy ??= await orNoRoom(openCopy());
          for (const each of pieces)
            await orNoRoom(copy.file.appendFile(new Uint8Array(await each.arrayBuffer())));
          await orNoRoom(copy.file.appendFile(piece));
        }
      } finally {
        await copy?.file.close();
      }
      if (copy === null) heldBytes += bytes;
      const content = copy === null ? new Blob(held) : await openAsBlob(copy.path);
      return { id, metadata, content, hash: hash.digest("base64url") };
    },

    async remove(): Promise<void> {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @throws UnreadableDocument, since what cannot be written is not the file that is read */
async function orNoRoom<Result>(writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    const code = codeOfFault(error);
    if (code === null) throw error;
    throw new UnreadableDocument(`cannot be copied to ${tmpdir()} before it is sent (${code})`, {
      cause: error,
    });
  }
}
