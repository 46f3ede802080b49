/** A database whose segments are in a folder, of which each use can be watched and made to fail. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { sql } from "kysely";
import type { ObjectStore } from "../../src/ports/segment-objects.ts";
import { type Store, StoreUnavailableError } from "../../src/ports/store.ts";
import { ingest, open, type Setting, wholeFromChunks, wholeIndex } from "../store/upkeep-setting.ts";
import { adopt, folderIn } from "../support/outside.ts";

export const KEPT_MS = 60 * 60_000;

type Use = (method: string, key: string) => void | Promise<void>;

export interface Scene {
  readonly setting: Setting;
  readonly projectId: string;
  /** Without the segment store. */
  readonly rows: Store;
  readonly folder: string;
  /** Called before each use of the folder, each transaction that makes segments visible, and each step of upkeep; may throw. */
  before: Use;
  blobs(): Promise<number>;
}

export const ignore: Use = () => undefined;

export async function openScene(context: TestContext, databaseUrl: string | null): Promise<Scene> {
  let before = ignore;
  let found: { readonly rows: Store; readonly folder: string } | null = null;
  const setting: Setting = await open(context, {
    databaseUrl,
    async wrap(rows, dataDir) {
      const { path, objects } = folderIn(dataDir);
      found = { rows, folder: path };
      const watched: ObjectStore = {
        async get(key, limit) {
          await before("get", key);
          return objects.get(key, limit);
        },
        async put(key, bytes, options) {
          await before("put", key);
          return objects.put(key, bytes, options);
        },
        async remove(key, options) {
          await before("remove", key);
          return objects.remove(key, options);
        },
      };
      const commits: Store = {
        ...rows,
        async commitBatch(input) {
          await before("commit", input.projectId);
          return rows.commitBatch(input);
        },
        async replaceSegments(input) {
          await before("commit", input.projectId);
          return rows.replaceSegments(input);
        },
        async reclaim(input) {
          await before("reclaim", "");
          return rows.reclaim(input);
        },
      };
      return adopt(commits, watched, { keptMs: KEPT_MS, now: () => nowOf(setting) });
    },
  });
  assert.ok(found);
  const { rows, folder } = found as { readonly rows: Store; readonly folder: string };
  return {
    ...{ setting, rows, folder },
    projectId: (await setting.scenario.project()).projectId,
    get before() {
      return before;
    },
    set before(use) {
      before = use;
    },
    async blobs() {
      const { db } = setting.opened.authDatabase();
      const counted = await sql<{ n: number }>`select count(*) as n from segment_blobs`.execute(db);
      return Number(counted.rows[0]?.n);
    },
  };
}

/** The store is adopted before there is a setting. */
function nowOf(setting: Setting | undefined): number {
  return setting?.now ?? 1_000;
}

export const TEXTS: readonly (readonly [string, string])[] = Array.from({ length: 12 }, (_, at) => [
  `document ${at}`,
  `one two three${at} four${at}`,
]);

export async function ingestAll({ setting, projectId }: Scene, texts = TEXTS): Promise<void> {
  for (const text of texts) await ingest(setting, projectId, text);
}

/** Everything that is stored is shown, as a fresh index of it would. */
export async function assertWhole({ setting, projectId }: Scene): Promise<void> {
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
}

export const isOutage = (error: unknown) =>
  error instanceof StoreUnavailableError && error.reason === "segment_store";

/** Rounds of upkeep until all that is due was removed, an hour and more after the last change. */
export async function settleLater({ setting }: Scene): Promise<void> {
  await setting.settle(); // Chooses the times.
  setting.now += KEPT_MS + 1;
  await setting.settle();
}
