/** The code of another commit of this repository, ready to run with today's installed packages. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");
/** The workspaces, which are linked. */
const SCOPE = "@kcs";

export interface ReleasedCode {
  /** The file that starts the service. */
  readonly main: string;
  remove(): void;
}

/** Fails where the history of the checkout does not reach back to the commit, and where packages were changed since. */
export function checkOutReleased(commit: string): ReleasedCode {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: ROOT, maxBuffer: 1 << 30 });
  const changed = git("diff", "--name-only", commit, "--", "package-lock.json").toString();
  assert.equal(changed, "", `package-lock.json was changed since ${commit}: name a later commit.`);
  const folder = mkdtempSync(join(tmpdir(), "kcs-released-"));
  try {
    execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit) });
    linkPackages("node_modules", folder);
    for (const name of readdirSync(join(folder, "packages")))
      linkPackages(join("packages", name, "node_modules"), folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    main: join(folder, "packages/server/src/main.ts"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Workspaces are linked to those of the folder, all else to what is installed here. */
function linkPackages(place: string, folder: string): void {
  const installed = join(ROOT, place);
  if (!existsSync(installed)) return;
  const own = join(folder, place);
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== SCOPE) {
      symlinkSync(join(installed, name), join(own, name));
      continue;
    }
    mkdirSync(join(own, SCOPE));
    for (const workspace of readdirSync(join(installed, SCOPE)))
      symlinkSync(readlinkSync(join(installed, SCOPE, workspace)), join(own, SCOPE, workspace));
  }
}
