import type { FileStore } from "../ports/file-store.ts";

/**
 * The bytes of a content in pieces.
 * @throws Error when some of it is missing, as when its document is deleted meanwhile
 */
export async function* readPieces(
  store: Pick<FileStore, "readFilePiece">,
  content: { readonly projectId: string; readonly contentId: string; readonly byteLength: number },
): AsyncGenerator<Uint8Array> {
  const { projectId, contentId, byteLength } = content;
  let read = 0;
  for (let position = 0; read < byteLength; position++) {
    const piece = await store.readFilePiece({ projectId, contentId, position });
    if (piece === null) throw new Error(`The file ends after ${read} of ${byteLength} bytes`);
    read += piece.length;
    yield piece;
  }
}

/** How many contents one step looks at. */
const CONTENTS_AT_ONCE = 64;

/** Removes those of the contents that no document has. Where the database fails, upkeep does it after an hour. */
export async function discardUnused(
  store: Pick<FileStore, "discardContents">,
  { projectId, contentIds }: { readonly projectId: string; readonly contentIds: readonly string[] },
): Promise<void> {
  try {
    for (let start = 0; start < contentIds.length; start += CONTENTS_AT_ONCE) {
      const step = { projectId, contentIds: contentIds.slice(start, start + CONTENTS_AT_ONCE) };
      while (await store.discardContents(step));
    }
  } catch {
    // An accepted upload stays accepted.
  }
}
