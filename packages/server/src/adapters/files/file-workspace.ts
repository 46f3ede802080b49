import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { FileWorkspace } from "../../ports/file-workspace.ts";

/** Only for the service's user: it holds what users have sent. */
const MODE = 0o700;

/** Much longer than the work on a file takes. */
const MAX_AGE_MS = 60 * 60_000;
/** Containers that share a data directory may have the same number of the process, but not the same host name. */
const HOST = hostname().replaceAll(/[^\w.-]/g, "_");

/** Keeps its files in `root`, in a folder of this process. Removes what processes that have ended left there. */
export function openFileWorkspace(root: string): FileWorkspace {
  const own = join(root, `${process.pid}@${HOST}`);
  // The files are those of an earlier ingest thread of this process.
  rmSync(own, { recursive: true, force: true });
  removeLeftovers(root);
  return {
    async withFolder(work) {
      mkdirSync(own, { recursive: true, mode: MODE });
      const folder = await mkdtemp(join(own, "file-"));
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

function removeLeftovers(root: string): void {
  for (const name of existsSync(root) ? readdirSync(root) : []) {
    const folder = join(root, name);
    // Each work on a file changes the folder; another process may remove it meanwhile.
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (hasEnded(name) || Date.now() - changedAt > MAX_AGE_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether the folder is that of a process of this host that runs no more. */
function hasEnded(name: string): boolean {
  const [pid, host] = name.split("@");
  if (host !== HOST) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Another user's process may not be asked, but it runs.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
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
