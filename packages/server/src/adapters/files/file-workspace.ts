import { mkdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileWorkspace } from "../../ports/file-workspace.ts";

/** Only for the service's user: it holds what users have sent. */
const MODE = 0o700;

/** Removes what an earlier process has left in `root`. */
export function openFileWorkspace(root: string): FileWorkspace {
  rmSync(root, { recursive: true, force: true });
  return {
    async withFolder(work) {
      mkdirSync(root, { recursive: true, mode: MODE });
      const folder = await mkdtemp(join(root, "file-"));
      try {
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async write(folder, name, pieces) {
      const path = join(folder, name);
      const file = await open(path, "wx", 0o600);
      try {
        for await (const piece of pieces) await file.writeFile(piece);
      } finally {
        await file.close();
      }
      return path;
    },

    async makeFolder(folder, name) {
      const path = join(folder, name);
      await mkdir(path, { mode: MODE });
      return path;
    },

    async *read(path, pieceBytes) {
      const file = await open(path, "r");
      try {
        for (;;) {
          const piece = new Uint8Array(pieceBytes);
          const length = await fill(file, piece);
          if (length > 0) yield piece.slice(0, length);
          if (length < pieceBytes) return;
        }
      } finally {
        await file.close();
      }
    },
  };
}

/** Reads until the buffer is full or the file ends. Returns the number of bytes. */
async function fill(file: Awaited<ReturnType<typeof open>>, buffer: Uint8Array): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
