/** The dashboard's files, which the start of the service builds if they are missing or older than their sources. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import type { Dashboard } from "./http/routes/dashboard.ts";
import type { Log } from "./ports/log.ts";

const home = resolve(import.meta.dirname, "../../dashboard");
const outputKept = 2_000;
/** Lower priority than questions and ingestion. */
const niceness = 10;

export interface DashboardFiles extends Dashboard {
  /** Starts the build if it is needed, and does not wait for it. */
  refresh(): void;
  /** Aborts a running build. */
  close(): void;
}

export function openDashboardFiles({ log }: { readonly log: Log }): DashboardFiles {
  const folder = join(home, "dist");
  const assets = join(folder, "assets");
  // The file server requires the folder at its start.
  mkdirSync(assets, { recursive: true });
  const stop = new AbortController();
  let fault: string | null = null;
  return {
    refresh() {
      buildIfStale(stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted) return;
        fault =
          "The dashboard could not be built; the log says why. Run npm install and start the service again.";
        log.error("dashboard_not_built", { error });
      });
    },
    assets,
    readPage: () => readFile(join(folder, "index.html"), "utf8").catch(() => null),
    fault: () => fault,
    close: () => stop.abort(),
  };
}

async function buildIfStale(signal: AbortSignal): Promise<void> {
  const { isStale }: { isStale(): Promise<boolean> } = await import(join(home, "stale.ts"));
  if (await isStale()) await build(signal);
}

/** In a process of its own, so that the bundler's memory is freed when it ends. */
function build(signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(home, "build.ts")], {
      stdio: ["ignore", "ignore", "pipe"],
      signal,
    });
    if (child.pid !== undefined) setPriority(child.pid, niceness);
    let output = "";
    child.stderr.on("data", (part: Buffer) => {
      output = (output + part.toString()).slice(-outputKept);
    });
    child.on("error", fail);
    child.on("exit", (code) => (code === 0 ? done() : fail(new Error(output.trim() || `status ${code}`))));
  });
}
