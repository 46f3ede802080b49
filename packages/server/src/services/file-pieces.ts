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
