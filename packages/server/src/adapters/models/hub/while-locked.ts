/** Keeps two commands from writing the same files: a file with the number of the process that works. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { ModelFault } from "../local/model-fault.ts";

/** The lock of a process that was killed is taken over. @throws ModelFault while another process works on the model */
export async function whileLocked<T>(path: string, id: string, work: () => Promise<T>): Promise<T> {
  await lock(path, id);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function lock(path: string, id: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      const owner = await readFile(path, "utf8").catch(() => "");
      // An empty one is being written.
      if (owner === "" || isRunning(Number(owner)) || attempt > 0)
        throw new ModelFault(
          `Another command is adding ${id}. Wait until it has ended; if none runs, delete ${path}.`,
          { cause: error },
        );
      await rm(path, { force: true });
    }
  }
}

/** One of another account counts as running. */
function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
