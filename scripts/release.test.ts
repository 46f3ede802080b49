/** The release script in a scratch repository that has this repository's manifests and versions. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cp, glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { changelogSection, hasSection, withSection } from "./release/changelog.ts";
import { planRelease } from "./release/plan.ts";
import { readVersion, versionEdits } from "./release/versions.ts";

const root = resolve(import.meta.dirname, "..");
const scratch = await mkdtemp(join(tmpdir(), "kcs-release-"));
after(() => rm(scratch, { recursive: true, force: true }));

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@mail.example", ...args], {
    cwd: scratch,
    encoding: "utf8",
  }).trim();

async function commit(file: string, subject: string): Promise<void> {
  await writeFile(join(scratch, file), subject);
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "-m", subject);
}

const version = await readVersion(root);
const next = `${Number(version.split(".")[0]) + 1}.0.0`;

async function createRepository(): Promise<void> {
  const edits = await versionEdits(root, version, next);
  const scripts = await Array.fromAsync(glob("scripts/release/*.ts", { cwd: root }));
  const copied = [...edits.map(({ path }) => path), ...scripts, "scripts/release.ts", "CHANGELOG.md"];
  for (const path of copied) await cp(join(root, path), join(scratch, path), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  await commit("a.txt", "Before the last release");
  git("tag", `v${version}`);
  await commit("b.txt", "Skip tombstoned versions when merging");
  await commit("c.txt", "Say why a lease is lost.");
}

function runScript(...args: readonly string[]) {
  const script = join(scratch, "scripts/release.ts");
  return spawnSync(process.execPath, [script, ...args], { cwd: scratch, encoding: "utf8" });
}

await createRepository();

test("a dry run prints versions, changelog, packages, commit and tag, and changes nothing", () => {
  const before = git("rev-parse", "HEAD");
  const { status, stdout, stderr } = runScript(next, "--dry-run");
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.ok(
    stdout.includes(`## ${next}

- Skip tombstoned versions when merging.
- Say why a lease is lost.
`),
  );
  assert.doesNotMatch(stdout, /Before the last release/);
  for (const line of [
    `Tag: v${next}`,
    `Commit: Release ${next}`,
    `dist/kcs-cli-${next}.tgz`,
    "examples/package.json",
  ]) {
    assert.ok(stdout.includes(line), line);
  }
  assert.equal(git("rev-parse", "HEAD"), before);
  assert.equal(git("status", "--porcelain"), "");
  assert.equal(git("tag", "--list"), `v${version}`);
});

test("the plan sets the version in every workspace, in the pins between them and in the lock file", async () => {
  const { edits } = await planRelease(scratch, next);
  const textOf = (path: string) => edits.find((edit) => edit.path === path)?.text ?? "";
  const server = JSON.parse(textOf("packages/server/package.json"));
  assert.equal(server.version, next);
  assert.equal(server.dependencies["@kcs/contract"], next);
  const lock = JSON.parse(textOf("package-lock.json"));
  assert.deepEqual(
    [lock.version, lock.packages[""].version, lock.packages["packages/sdk/src"].version],
    [next, next, next],
  );
  assert.equal(lock.packages["packages/sdk/src"].devDependencies["@kcs/contract"], next);
  assert.ok(textOf("packages/cli/src/run.ts").includes(`CLI_VERSION = "${next}"`));
  assert.ok(textOf("CHANGELOG.md").startsWith(`# Changelog\n\n## ${next}\n\n- Skip`));
  const manifests = await Array.fromAsync(glob("packages/*/package.json", { cwd: root }));
  for (const path of manifests)
    assert.match(textOf(path.replaceAll("\\", "/")), new RegExp(`"version": "${next}"`));
  // What the files say apart from the version stays.
  const original = await readFile(join(root, "packages/server/package.json"), "utf8");
  const own = new RegExp(`("(?:version|@kcs/[\\w-]+)": )"${RegExp.escape(next)}"`, "g");
  assert.equal(textOf("packages/server/package.json").replace(own, `$1"${version}"`), original);
});

test("a release is refused on another branch, over changes, under a tag that exists, and with a wrong version", async () => {
  const refusal = (requested: string) => {
    const { status, stderr } = runScript(requested);
    assert.equal(status, 1);
    return stderr;
  };
  assert.match(refusal("v9"), /"v9" is not a version/);
  assert.match(refusal("0.0.1"), /lower than/);
  assert.match(refusal(version), /tag v\S+ exists already/);
  git("checkout", "--quiet", "-b", "feature");
  assert.match(refusal(next), /The branch is feature/);
  git("checkout", "--quiet", "main");
  await writeFile(join(scratch, "a.txt"), "changed");
  assert.match(refusal(next), /not committed:\n *M a\.txt/);
  git("checkout", "--quiet", "--", ".");
  assert.equal(git("status", "--porcelain"), "");
  assert.equal(runScript().status, 2);
});

test("a changelog keeps the section that was written by hand; a new section comes first", () => {
  const changelog = "# Changelog\n\n## 0.1.0\n\n- First.\n";
  assert.ok(hasSection(changelog, "0.1.0"));
  assert.ok(!hasSection(changelog, "0.1"));
  const section = changelogSection("0.2.0", ["Add a thing"]);
  assert.equal(
    withSection(changelog, section),
    "# Changelog\n\n## 0.2.0\n\n- Add a thing.\n\n## 0.1.0\n\n- First.\n",
  );
  assert.equal(withSection("# Changelog\n", section), "# Changelog\n\n## 0.2.0\n\n- Add a thing.\n");
  assert.equal(changelogSection("0.2.0", []), "");
});
