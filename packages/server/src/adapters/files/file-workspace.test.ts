import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { openFileWorkspace } from "./file-workspace.ts";

const data = mkdtempSync(join(tmpdir(), "kcs-workspace-"));
after(() => rmSync(data, { recursive: true, force: true }));

const HOUR_MS = 60 * 60_000;

/** A folder in `root` that was last changed so long ago. */
function makeFolder(root: string, name: string, ageMs = 0): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "file-abc"), { recursive: true });
  const at = new Date(Date.now() - ageMs);
  utimesSync(folder, at, at);
  return folder;
}

test("What this process has left is removed, and a file's folder when its work has ended", async () => {
  const root = join(data, "own");
  const left: string[] = [];
  const first = openFileWorkspace(root).withFolder((folder) => {
    left.push(folder);
    openFileWorkspace(root);
    return Promise.resolve(existsSync(folder));
  });
  assert.equal(await first, false);
  const own = dirname(left[0] ?? "");
  await openFileWorkspace(root).withFolder(async (folder) => assert.equal(dirname(folder), own));
  assert.deepEqual(readdirSync(own), []);
});

test("Files of another process that runs are kept; of those that have ended, nothing is", () => {
  const root = join(data, "others");
  const { pid: endedPid } = spawnSync(process.execPath, ["--version"]);
  const kept = [makeFolder(root, `${process.ppid}@${hostname()}`), makeFolder(root, "1@another-host")];
  const gone = [
    makeFolder(root, `${endedPid}@${hostname()}`),
    makeFolder(root, "2@another-host", 2 * HOUR_MS),
    makeFolder(root, "file-of-an-older-version", 2 * HOUR_MS),
  ];
  openFileWorkspace(root);
  assert.deepEqual(kept.map(existsSync), [true, true]);
  assert.deepEqual(gone.map(existsSync), [false, false, false]);
});
