/** Writes a file that has its name only once it is complete. */
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** For its user only: an export holds everything that the database does. */
const FILE_MODE = 0o600;

/**
 * Until it is complete, the content has a name of this process and this machine, so that no other process writes into it. What
 * killed processes of this machine left of the file is removed.
 */
export async function writeWholeFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await removeLeftovers(path);
  const partial = `${startOfPartials(path)}${process.pid}.partial`;
  const file = await open(partial, "wx", FILE_MODE);
  try {
    const result = await write(file);
    await file.sync();
    await file.close();
    await rename(partial, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

/** Containers that share a folder have the same numbers of processes. */
function startOfPartials(path: string): string {
  return `${path}.${hostname()}-`;
}

async function removeLeftovers(path: string): Promise<void> {
  const start = basename(startOfPartials(path));
  const folder = dirname(path);
  // A folder that cannot be read is no fault yet.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, number] = name.startsWith(start)
      ? (/^(\d{1,10})\.partial$/.exec(name.slice(start.length)) ?? [])
      : [];
    if (number !== undefined && !isOfAnother(Number(number))) await rm(join(folder, name), { force: true });
  }
}

/** Of another process that runs. This one has not begun the file. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
