/** A filled data directory that is kept, so that a later run can begin with the questions. */
import { constants, cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ingested } from "./ingesting.ts";
import type { IndexView } from "./segments.ts";

export interface Scale {
  readonly projectId: string;
  readonly documents: number;
  readonly chunks: number;
  readonly ingested: Ingested;
  /** When all merges were over. */
  readonly index: IndexView;
  readonly mergesSettledSeconds: number;
}

/** What is known of a filled data directory. */
export interface Filled {
  readonly key: string;
  /** Of the largest scale's documents. */
  readonly sha256: string;
  /** The smallest first. */
  readonly scales: readonly Scale[];
  readonly rssAfterLoadBytes: number | null;
  /** The service's own metrics; merges among them, where it counts these. */
  readonly countersAfterLoad: Readonly<Record<string, number>>;
}

const RECORD = "bench-scale.json";

/** Copies the directory of a stopped service to `target`. */
export async function keepData(dataDir: string, filled: Filled, target: string): Promise<void> {
  await copy(dataDir, target);
  await writeFile(join(target, RECORD), `${JSON.stringify(filled, null, 2)}\n`);
}

/** A copy to work on, and what is known of it; the kept directory stays as it is. */
export async function reuseData(
  kept: string,
): Promise<{ readonly dataDir: string; readonly filled: Filled }> {
  const filled = JSON.parse(await readFile(join(kept, RECORD), "utf8")) as Filled; // Written by `keepData`.
  const dataDir = await mkdtemp(join(tmpdir(), "kcs-scale-"));
  await copy(kept, dataDir);
  return { dataDir, filled };
}

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
