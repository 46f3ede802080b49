/** Objects as files of a folder, which may be on another machine's disk. Written whole or not at all. */
import { type FileHandle, mkdir, open, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ObjectStore } from "../../ports/segment-objects.ts";

/** The folder itself is never made here: where its disk is not mounted, nothing may be written in its place. */
export function openFolderObjects(root: string): ObjectStore {
  return {
    async get(key, { maxBytes }) {
      const file = await orNull("ENOENT", () => open(join(root, key), "r"));
      if (file === null) return null;
      return closing(file, async () => {
        const { size } = await file.stat();
        const bytes = new Uint8Array(Math.min(size, maxBytes + 1));
        const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, 0);
        return bytes.subarray(0, bytesRead);
      });
    },
    async put(key, bytes) {
      const path = join(root, key);
      const folder = dirname(path);
      if (folder !== root) await orNull("EEXIST", () => mkdir(folder, { mode: 0o700 }));
      const unfinished = unfinishedOf(path);
      const file = await open(unfinished, "w", 0o600);
      try {
        await closing(file, async () => {
          await file.writeFile(bytes);
          await file.sync();
        });
        await rename(unfinished, path);
      } catch (error) {
        // On a full disk it would take the room that is left.
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(folder);
    },
    async remove(key) {
      const path = join(root, key);
      for (const each of [path, unfinishedOf(path)]) await orNull("ENOENT", () => unlink(each));
      const folder = dirname(path);
      // The last one of a project takes the folder along. A write that finds it gone is tried again.
      if (folder !== root) await rmdir(folder).catch(() => undefined);
    },
  };
}

/** A key is written once, so this name is nobody else's; it is removed with the key where a process died while it wrote. */
function unfinishedOf(path: string): string {
  return `${path}.part`;
}

/** Without it the file could lose its name when the machine fails. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // There a folder cannot be opened.
  const handle = await open(folder, "r");
  await closing(handle, () => handle.sync());
}

async function closing<T>(file: FileHandle, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await file.close();
  }
}

async function orNull<T>(code: string, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === code) return null;
    throw error;
  }
}
