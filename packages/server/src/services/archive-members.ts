/** Stores the members of an archive as contents that no document has yet. */
import { createHash } from "node:crypto";
import { isSourceDocId, MAX_SOURCE_DOC_ID } from "../domain/document.ts";
import { FILE_PIECE_BYTES, MAX_ARCHIVE_FILES, MAX_ARCHIVE_ID_BYTES } from "../domain/file.ts";
import { newId } from "../domain/ids.ts";
import type { Metadata } from "../domain/metadata.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import type { UnpackedArchive } from "../ports/file-converter.ts";
import type { ClaimedConversion, FileStore, NewFile } from "../ports/file-store.ts";
import type { FileWorkspace } from "../ports/file-workspace.ts";

interface Deps {
  readonly store: Pick<FileStore, "appendFilePiece">;
  readonly workspace: Pick<FileWorkspace, "read">;
  readonly limits: { readonly storedBytes: number | null };
  readonly now: () => number;
}

/**
 * `contentIds` gets the id of each content before its first piece is stored, so that the caller can remove them. null when they
 * do not fit into the account's storage.
 * @throws UnreadableFile for too many members, or too long ids and too much metadata for so many, and for one that cannot have a document
 */
export async function receiveMembers(
  input: {
    readonly job: ClaimedConversion;
    readonly archive: UnpackedArchive;
    readonly signal: AbortSignal;
    readonly contentIds: string[];
  },
  deps: Deps,
): Promise<readonly NewFile[] | null> {
  const { job, archive, signal, contentIds } = input;
  if (archive.members.length === 0) throw new UnreadableFile("The archive has no files.");
  if (archive.members.length > MAX_ARCHIVE_FILES)
    throw new UnreadableFile(`The archive has more than ${MAX_ARCHIVE_FILES} files.`);
  const ids = archive.members.map(({ path }) => memberId(job.sourceDocId, path));
  requireFitting(ids, job.metadata);
  const members: NewFile[] = [];
  for (const [at, { path, file }] of archive.members.entries()) {
    const sourceDocId = ids[at] ?? "";
    const contentId = newId("fil");
    contentIds.push(contentId);
    const content = await storeContent({ job, file, contentId, signal }, deps);
    if (content === null) return null;
    const name = path.slice(path.lastIndexOf("/") + 1);
    members.push({ ...content, jobId: newId("job"), sourceDocId, name });
  }
  return members;
}

/** @throws UnreadableFile where one transaction would write too much */
function requireFitting(ids: readonly string[], metadata: Metadata): void {
  const bytesOfIds = ids.reduce((sum, id) => sum + Buffer.byteLength(id), 0);
  if (bytesOfIds + ids.length * Buffer.byteLength(JSON.stringify(metadata)) <= MAX_ARCHIVE_ID_BYTES) return;
  throw new UnreadableFile(
    `The ids of the ${ids.length} files of the archive, and its metadata, which each of them gets, have more than ${MAX_ARCHIVE_ID_BYTES} bytes together. Send the archive with less, or in parts.`,
  );
}

/** The path of the archive without ".zip", as the folder of its members. "backup.2023" and "backup.2024" are two. */
function memberId(archiveId: string, path: string): string {
  const id = `${archiveId.replace(/\.zip$/i, "")}/${path}`;
  if (path !== "" && isSourceDocId(id)) return id;
  throw new UnreadableFile(
    `The path of a file in the archive cannot be the id of a document: it is empty, has other characters than text, or has more than ${MAX_SOURCE_DOC_ID} characters.`,
  );
}

async function storeContent(
  input: {
    readonly job: ClaimedConversion;
    readonly file: string;
    readonly contentId: string;
    readonly signal: AbortSignal;
  },
  { store, workspace, limits, now }: Deps,
): Promise<Pick<NewFile, "contentId" | "sha256" | "byteLength"> | null> {
  const { job, contentId, signal } = input;
  const { projectId, accountId } = job;
  const hash = createHash("sha256");
  let [position, byteLength] = [0, 0];
  const append = async (bytes: Uint8Array) => {
    signal.throwIfAborted();
    hash.update(bytes);
    byteLength += bytes.length;
    const piece = { projectId, accountId, contentId, position: position++, bytes, now: now() };
    return store.appendFilePiece({ ...piece, maxStoredBytes: limits.storedBytes });
  };
  for await (const bytes of workspace.read(input.file, FILE_PIECE_BYTES))
    if ((await append(bytes)) === "too_many_bytes") return null;
  if (position === 0) await append(new Uint8Array());
  return { contentId, sha256: hash.digest("hex"), byteLength };
}
