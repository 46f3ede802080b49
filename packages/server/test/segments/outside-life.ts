/** The life of segments outside of the database: what is written, read, merged, removed, lost and found again. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openFolderObjects } from "../../src/adapters/segments/folder-objects.ts";
import type { ObjectStore } from "../../src/ports/segment-objects.ts";
import { RECLAIM_PARTS, type Store, StoreUnavailableError } from "../../src/ports/store.ts";
import {
  ingest,
  open,
  type Setting,
  segmentIds,
  wholeFromChunks,
  wholeIndex,
} from "../store/upkeep-setting.ts";
import { adopt, folderIn, keysIn, MARKER } from "../support/outside.ts";

const KEPT_MS = 60 * 60_000;

type Use = (method: string, key: string) => void | Promise<void>;

interface Scene {
  readonly setting: Setting;
  readonly projectId: string;
  /** Without the segment store. */
  readonly rows: Store;
  readonly folder: string;
  /** Called before each use of the folder, each transaction that makes segments visible, and each step of upkeep; may throw. */
  before: Use;
  blobs(): Promise<number>;
}

const ignore: Use = () => undefined;

async function openScene(context: TestContext, databaseUrl: string | null): Promise<Scene> {
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

const TEXTS: readonly (readonly [string, string])[] = Array.from({ length: 12 }, (_, at) => [
  `document ${at}`,
  `one two three${at} four${at}`,
]);

async function ingestAll({ setting, projectId }: Scene, texts = TEXTS): Promise<void> {
  for (const text of texts) await ingest(setting, projectId, text);
}

/** Everything that is stored is shown, as a fresh index of it would. */
async function assertWhole({ setting, projectId }: Scene): Promise<void> {
  assert.deepEqual(await wholeIndex(setting, projectId), await wholeFromChunks(setting, projectId));
}

const isOutage = (error: unknown) =>
  error instanceof StoreUnavailableError && error.reason === "segment_store";

/** Rounds of upkeep until all that is due was removed, an hour and more after the last change. */
async function settleLater({ setting }: Scene): Promise<void> {
  await setting.settle(); // Chooses the times.
  setting.now += KEPT_MS + 1;
  await setting.settle();
}

/** Call it at the top of a test file. `createUrl`: as of the store's suites. */
export function describeOutsideLife(name: string, createUrl: () => Promise<string | null>): void {
  const tell = (title: string, run: (scene: Scene, context: TestContext) => Promise<void>) =>
    test(title, async (context) => run(await openScene(context, await createUrl()), context));

  describe(`segments outside of ${name}`, () => {
    tell("are written under their project and number, merged, and removed an hour later", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingestAll(scene);
      assert.equal(await scene.blobs(), 0);
      const written = keysIn(folder);
      assert.equal(written.length, 24);
      for (const [at, id] of (await segmentIds(setting, projectId)).entries())
        assert.ok(
          written.some((key) => key.startsWith(`${projectId}/${id}-`)),
          `${at}`,
        );
      await assertWhole(scene);
      await setting.settle();
      assert.ok((await segmentIds(setting, projectId)).length < 24);
      // An export, or a question that has just begun, may still read those that were merged.
      for (const key of written) assert.ok(keysIn(folder).includes(key));
      await settleLater(scene);
      assert.equal(keysIn(folder).length, (await segmentIds(setting, projectId)).length);
      await assertWhole(scene);
      await setting.opened.store.deleteProject({ projectId });
      await settleLater(scene);
      assert.deepEqual(keysIn(folder), []);
    });

    tell("are beside those in the database, which move when they are merged", async (scene) => {
      const { setting, rows, folder } = scene;
      await ingestAll(
        { ...scene, setting: { ...setting, opened: { ...setting.opened, store: rows } } },
        TEXTS.slice(0, 6),
      );
      assert.equal(await scene.blobs(), 12);
      await ingestAll(scene, TEXTS.slice(6));
      await assertWhole(scene);
      await settleLater(scene);
      await assertWhole(scene);
      assert.ok((await scene.blobs()) < 12);
      assert.ok(keysIn(folder).length > 0);
    });

    tell(
      "are never damage to a process without the setting, which names it",
      async ({ setting, rows, ...scene }) => {
        const { projectId } = scene;
        await ingest(setting, projectId, ["a", "one two"]);
        const [segmentId = 0] = await segmentIds(setting, projectId);
        await assert.rejects(rows.readSegment({ projectId, segmentId }), (error) => {
          assert.ok(isOutage(error));
          return /Set KCS_SEGMENT_STORE/.test(String(error));
        });
        assert.deepEqual(await rows.listDamagedSegments({ projectId }), []);
        assert.equal(await rows.nextObjects({ now: 1 }), false);
        // It can remove them; their objects are left to a process with the setting.
        await rows.deleteProject({ projectId });
        assert.equal(await rows.nextObjects({ now: 1 }), true);
        assert.deepEqual(await rows.nextUpkeep({ now: 1, minSegments: 8 }), { readyNow: false });
      },
    );

    tell("that were written and never committed are removed after an hour, and not before", async (scene) => {
      const { setting, projectId, folder } = scene;
      scene.before = (method) => {
        if (method === "commit") throw new Error("the process was killed");
      };
      await assert.rejects(ingest(setting, projectId, ["a", "one two"]), /killed/);
      scene.before = ignore;
      assert.equal(keysIn(folder).length, 1);
      assert.deepEqual(await segmentIds(setting, projectId), []);
      setting.now += KEPT_MS - 1;
      await setting.settle();
      assert.equal(keysIn(folder).length, 1);
      setting.now += 2;
      assert.deepEqual(await setting.opened.store.nextUpkeep({ now: setting.now, minSegments: 8 }), {
        readyNow: true,
      });
      await setting.settle();
      assert.deepEqual(keysIn(folder), []);
      assert.equal(await scene.rows.nextObjects({ now: setting.now + 9 * KEPT_MS }), false);
    });

    tell("are not committed once upkeep has begun to remove them", async (scene) => {
      const { setting, projectId } = scene;
      scene.before = async (method) => {
        if (method !== "commit") return;
        scene.before = ignore;
        // More than an hour has passed since the upload began.
        setting.now += KEPT_MS + 1;
        await setting.settle();
      };
      await assert.rejects(
        ingest(setting, projectId, ["a", "one two"]),
        (error) => error instanceof StoreUnavailableError && error.reason === "busy",
      );
      assert.deepEqual(await segmentIds(setting, projectId), []);
      assert.deepEqual(keysIn(scene.folder), []);
    });

    tell("are not committed while upkeep removes them", async (scene) => {
      const { setting, projectId, folder } = scene;
      const removing = Promise.withResolvers<void>();
      const refused = Promise.withResolvers<void>();
      let upkeep: Promise<void> | null = null;
      scene.before = async (method) => {
        if (method === "remove") {
          removing.resolve();
          await refused.promise;
        }
        if (method !== "commit" || upkeep !== null) return;
        setting.now += KEPT_MS + 1;
        upkeep = setting.settle();
        await removing.promise;
      };
      await assert.rejects(
        ingest(setting, projectId, ["a", "one two"]),
        (error) => error instanceof StoreUnavailableError && error.reason === "busy",
      );
      refused.resolve();
      await upkeep;
      assert.deepEqual([keysIn(folder), await segmentIds(setting, projectId)], [[], []]);
    });

    tell("are not removed once they are committed, however late", async (scene) => {
      const { setting, projectId } = scene;
      scene.before = (method) => {
        if (method === "commit") setting.now += 2 * KEPT_MS;
      };
      await ingest(setting, projectId, ["a", "one two"]);
      scene.before = ignore;
      await settleLater(scene);
      await assertWhole(scene);
    });

    tell("wait for a store that is out of reach, and nothing of it is damage", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingestAll(scene);
      const ids = await segmentIds(setting, projectId);
      const written = keysIn(folder);
      let reclaims = 0;
      scene.before = (method) => {
        if (method === "reclaim") reclaims += 1;
        else if (method !== "commit")
          throw Object.assign(new Error("connect 10.0.0.1:9"), { code: "ECONNREFUSED" });
      };
      await assert.rejects(wholeIndex(setting, projectId), isOutage);
      await assert.rejects(ingest(setting, projectId, ["late", "one two"]), isOutage);
      // More often than a merge that fails is tried.
      for (let round = 0; round < 5; round++) await assert.rejects(setting.settle(), isOutage);
      assert.deepEqual(setting.logged, []);
      assert.deepEqual(await setting.opened.store.listDamagedSegments({ projectId }), []);
      assert.deepEqual(await segmentIds(setting, projectId), ids);
      // What needs the database alone went on.
      assert.equal(reclaims, 5 * RECLAIM_PARTS.length);
      scene.before = ignore;
      await settleLater(scene);
      assert.ok((await segmentIds(setting, projectId)).length < ids.length);
      assert.ok(keysIn(folder).length < written.length);
      await assertWhole(scene);
    });

    tell("that are missing or changed are damage, and are built again", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingestAll(scene, TEXTS.slice(0, 4));
      const before = await wholeIndex(setting, projectId);
      const [first = "", second = "", third = ""] = keysIn(folder);
      rmSync(join(folder, first));
      const bytes = readFileSync(join(folder, second));
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
      writeFileSync(join(folder, second), bytes);
      // Another segment in its place, which is one by itself.
      const [other = ""] = keysIn(folder).slice(-1);
      writeFileSync(join(folder, third), readFileSync(join(folder, other)));
      const ids = [first, second, third].map((key) => Number(/\/(\d+)-/.exec(key)?.[1]));
      for (const segmentId of ids.slice(1)) {
        await assert.rejects(
          setting.opened.store.readSegment({ projectId, segmentId }),
          /DamagedIndexError: .*its object in the segment store is not what was written/,
        );
      }
      for (const segmentId of ids) await setting.opened.store.reportDamagedSegment({ projectId, segmentId });
      await settleLater(scene);
      assert.deepEqual(await wholeIndex(setting, projectId), before);
      assert.deepEqual(await setting.opened.store.listDamagedSegments({ projectId }), []);
      assert.equal(await scene.blobs(), 0);
    });

    tell("belong into one store, which can be changed while it has none", async (scene) => {
      const { setting, rows, projectId, folder } = scene;
      const other = openFolderObjects(join(folder, "..", "other"));
      mkdirSync(join(folder, "..", "other"));
      const moved = await adopt(rows, other);
      // The process that still has the store from before writes nothing that another one would look for elsewhere.
      await assert.rejects(ingest(setting, projectId, ["a", "one two"]), (error) => {
        assert.ok(isOutage(error));
        return /belong into another store than this process's KCS_SEGMENT_STORE/.test(String(error));
      });
      const there = { ...setting, opened: { ...setting.opened, store: moved } };
      await ingest(there, (await setting.scenario.project()).projectId, ["a", "one two"]);
      await assert.rejects(
        adopt(rows, openFolderObjects(folder)),
        /is not the store that has the segments of this database/,
      );
      // Two that start at once agree.
      await Promise.all([adopt(rows, other), adopt(rows, other)]);
    });

    tell("of a deleted project stay known while the folder is not mounted", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingest(setting, projectId, ["a", "one two"]);
      await setting.opened.store.deleteProject({ projectId });
      await setting.settle();
      const away = `${folder}.away`;
      renameSync(folder, away);
      setting.now += KEPT_MS + 1;
      await assert.rejects(setting.settle(), isOutage);
      renameSync(away, folder);
      assert.notDeepEqual(keysIn(folder), []);
      await settleLater(scene);
      assert.deepEqual(keysIn(folder), []);
    });

    tell("in a folder that is not mounted are out of reach, and not missing", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingest(setting, projectId, ["a", "one two"]);
      const marker = readFileSync(join(folder, MARKER));
      for (const key of [...keysIn(folder), MARKER]) rmSync(join(folder, key));
      await assert.rejects(wholeIndex(setting, projectId), (error) => {
        assert.ok(isOutage(error));
        return /is not the one that the service started with/.test(String(error));
      });
      await assert.rejects(ingest(setting, projectId, ["b", "three"]), isOutage);
      assert.deepEqual(keysIn(folder), [], "nothing is written in its place");
      writeFileSync(join(folder, MARKER), marker);
      await assert.rejects(wholeIndex(setting, projectId), { name: "AssertionError" }); // There are no bytes.
    });
  });
}
