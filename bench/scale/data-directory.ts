/** Keeps a filled data directory, so that a later run can skip the ingestion. */
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
  /** After all merges. */
  readonly index: IndexView;
  readonly mergesSettledSeconds: number;
}

/** The description of a filled data directory. */
export interface Filled {
  readonly key: string;
  /** Hash of the documents of the largest scale. */
  readonly sha256: string;
  /** Ascending by size. */
  readonly scales: readonly Scale[];
  readonly rssAfterLoadBytes: number | null;
  /** The service's own metrics, such as the number of merges. */
  readonly countersAfterLoad: Readonly<Record<string, number>>;
}

const RECORD = "bench-scale.json";

/** Copies the directory of a stopped service to `target`. */
export async function keepData(dataDir: string, filled: Filled, target: string): Promise<void> {
  await copy(dataDir, target);
  await writeFile(join(target, RECORD), `${JSON.stringify(filled, null, 2)}\n`);
}

/** Copies the kept directory, which stays unchanged, and reads its description. */
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
