/** What a release changes, and why it may be impossible. Reads only. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { changelogSection, hasSection, withSection } from "./changelog.ts";
import { type FileEdit, readVersion, versionEdits } from "./versions.ts";

const branch = "main";
const changelogPath = "CHANGELOG.md";
const outputLimitBytes = 16 * 1024 * 1024;

export interface ReleasePlan {
  readonly version: string;
  readonly previousVersion: string;
  readonly tag: string;
  /** The tag that the changelog begins after; null on the first release. */
  readonly previousTag: string | null;
  /** Of the changelog; "" where it already has one for this version, or nothing was committed. */
  readonly section: string;
  readonly edits: readonly FileEdit[];
  /** Sentences, for people. A release with any must not be carried out. */
  readonly faults: readonly string[];
}

export async function planRelease(root: string, version: string): Promise<ReleasePlan> {
  const previousVersion = await readVersion(root);
  const tag = `v${version}`;
  const previousTag =
    (await git(root, "describe", "--tags", "--abbrev=0", "--match", "v*").catch(() => "")) || null;
  const range = previousTag === null ? [] : [`${previousTag}..HEAD`];
  const subjects = await git(root, "log", "--no-merges", "--reverse", "--format=%s", ...range);
  const changelog = await readFile(join(root, changelogPath), "utf8");
  // A section that somebody wrote before the release replaces the list of commits.
  const section = hasSection(changelog, version)
    ? ""
    : changelogSection(version, subjects.split("\n").filter(Boolean));
  const faults = [
    ...versionFaults(version, previousVersion),
    ...(await repositoryFaults(root, tag)),
    ...(section === "" && !hasSection(changelog, version)
      ? [`Nothing was committed since ${previousTag}.`]
      : []),
  ];
  const edits = [...(await versionEdits(root, previousVersion, version))];
  if (section !== "") edits.push({ path: changelogPath, text: withSection(changelog, section) });
  return { version, previousVersion, tag, previousTag, section, edits, faults };
}

function versionFaults(version: string, previousVersion: string): readonly string[] {
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/.test(version)) {
    return [`"${version}" is not a version: expected 1.2.3 or 1.2.3-beta.1, without v.`];
  }
  const isLower = compareNumbers(version, previousVersion) < 0;
  return isLower ? [`${version} is lower than the version that the repository has, ${previousVersion}.`] : [];
}

function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split("-")[0]?.split(".").map(Number) ?? []);
  for (const [at, number] of (left ?? []).entries()) {
    const difference = number - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

async function repositoryFaults(root: string, tag: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const current = await git(root, "rev-parse", "--abbrev-ref", "HEAD");
  if (current !== branch) faults.push(`The branch is ${current}: releases are made on ${branch}.`);
  const changes = await git(root, "status", "--porcelain");
  if (changes !== "") faults.push(`The working tree has changes that are not committed:\n${changes}`);
  const existing = await git(root, "tag", "--list", tag);
  if (existing !== "") faults.push(`The tag ${tag} exists already.`);
  return faults;
}

/** Standard output, trimmed. */
export async function git(root: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: outputLimitBytes });
  return stdout.trim();
}
