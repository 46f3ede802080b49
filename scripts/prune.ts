/**
 * `npm run prune [-- --dry-run]`: reduces an installation to what running the service needs. It removes the native libraries of
 * other platforms and, once the dashboard is built, the packages that only its build needs. `npm install` brings them back.
 */
import { spawnSync } from "node:child_process";
import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { planRemovals, type Removal, sizeOf } from "./prune/removal-plan.ts";
import { remove } from "./prune/remove.ts";

const root = resolve(import.meta.dirname, "..");
const bytesPerMb = 1024 * 1024;
const listedRemovals = 15;

const reasons: Readonly<Record<Removal["reason"], string>> = {
  dashboard: "only for building the dashboard",
  platform: "for other platforms",
  headers: "C headers",
  builds: "other builds of the same programs",
};

async function main(args: readonly string[]): Promise<number> {
  const isDryRun = args.includes("--dry-run");
  if (args.some((arg) => arg !== "--dry-run")) return refuse("Usage: npm run prune [-- --dry-run]");
  const modules = await lstat(join(root, "node_modules")).catch(() => null);
  if (modules === null) return refuse("Nothing is installed: run npm install first.");
  // The packages behind a link belong to another checkout.
  if (modules.isSymbolicLink())
    return refuse("node_modules is a link to another folder. Nothing was removed.");
  if (!isDryRun && !buildDashboard()) {
    return refuse(
      "The dashboard is not built and could not be: run npm install, then npm run prune. Nothing was removed.",
    );
  }
  const removals = await planRemovals(root, process);
  report(removals, isDryRun);
  if (isDryRun) return 0;
  await remove(root, removals);
  const left = await sizeOf(join(root, "node_modules"));
  process.stdout.write(`node_modules: ${inMb(left ?? 0)}. npm install brings everything back.\n`);
  return 0;
}

/** Whether the dashboard's files are current afterwards. */
function buildDashboard(): boolean {
  const script = join(root, "packages/dashboard/build.ts");
  return spawnSync(process.execPath, [script, "--if-stale"], { cwd: root, stdio: "inherit" }).status === 0;
}

function report(removals: readonly Removal[], isDryRun: boolean): void {
  for (const { path, bytes } of removals.slice(0, listedRemovals)) {
    process.stdout.write(`${inMb(bytes).padStart(9)}  ${path}\n`);
  }
  if (removals.length > listedRemovals) {
    const others = removals.slice(listedRemovals);
    process.stdout.write(`${inMb(sum(others)).padStart(9)}  ${others.length} smaller ones\n`);
  }
  const parts = Object.entries(reasons).map(
    ([reason, text]) => `${inMb(sum(removals.filter((removal) => removal.reason === reason)))} ${text}`,
  );
  const verb = isDryRun ? "Would remove" : "Removes";
  process.stdout.write(
    removals.length === 0 ? "Nothing to remove.\n" : `${verb} ${inMb(sum(removals))}: ${parts.join(", ")}.\n`,
  );
}

function sum(removals: readonly Removal[]): number {
  return removals.reduce((total, { bytes }) => total + bytes, 0);
}

function inMb(bytes: number): string {
  return `${(bytes / bytesPerMb).toFixed(1)} MB`;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
