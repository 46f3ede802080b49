/**
 * `npm run release -- <version> [--dry-run]`: sets the version everywhere, writes the changelog's section from the commits
 * since the last tag, packs what is published, commits and tags. It pushes and publishes nothing.
 */
import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { archiveName, packAll, publishedPackages } from "./release/pack.ts";
import { git, planRelease, type ReleasePlan } from "./release/plan.ts";

const root = resolve(import.meta.dirname, "..");
const archives = join(root, "dist");

async function main(args: readonly string[]): Promise<number> {
  const [version, ...rest] = args.filter((arg) => arg !== "--dry-run");
  if (version === undefined || version.startsWith("-") || rest.length > 0) {
    process.stderr.write("Usage: npm run release -- <version> [--dry-run]\n");
    return 2;
  }
  const plan = await planRelease(root, version);
  const isDryRun = args.includes("--dry-run");
  process.stdout.write(describePlan(plan));
  for (const fault of plan.faults) process.stderr.write(`Not possible: ${fault}\n`);
  if (plan.faults.length > 0) return 1;
  if (isDryRun) process.stdout.write("Dry run: nothing was changed.\n");
  else await release(plan);
  return 0;
}

function describePlan({ version, previousVersion, tag, previousTag, section, edits }: ReleasePlan): string {
  const changes = edits.map(({ path }) => `  ${path}\n`).join("");
  const packed = publishedPackages.map((name) => `  ${name} → dist/${archiveName(name, version)}\n`).join("");
  return [
    `Release ${version} (the repository has ${previousVersion}; the last tag is ${previousTag ?? "none"})\n`,
    edits.length === 0 ? "Files: none changes\n" : `Files:\n${changes}`,
    section === "" ? "CHANGELOG.md: its section is written already\n" : `CHANGELOG.md:\n${section}`,
    `Packages:\n${packed}`,
    `Commit: ${edits.length === 0 ? "none" : commitSubject(version)}\nTag: ${tag}\n`,
  ].join("\n");
}

function commitSubject(version: string): string {
  return `Release ${version}`;
}

async function release({ version, tag, edits }: ReleasePlan): Promise<void> {
  const paths = edits.map(({ path }) => path);
  try {
    for (const { path, text } of edits) await writeFile(join(root, path), text);
    const packed = await packAll(root, archives, version);
    for (const path of packed) process.stdout.write(`packed ${relative(root, path)}\n`);
    if (paths.length > 0) {
      await git(root, "add", "--", ...paths);
      await git(root, "commit", "--quiet", "-m", commitSubject(version));
    }
  } catch (error) {
    if (paths.length > 0) await git(root, "checkout", "--quiet", "HEAD", "--", ...paths);
    process.stderr.write("The release failed; its changes to files were taken back.\n");
    throw error;
  }
  await git(root, "tag", "--annotate", tag, "-m", commitSubject(version));
  process.stdout.write(
    `Released ${version}. Next:\n  git push origin main ${tag}\n` +
      publishedPackages.map((name) => `  npm publish dist/${archiveName(name, version)}\n`).join(""),
  );
}

process.exitCode = await main(process.argv.slice(2));
