/** The life of segments outside of the database: what is written, read, merged, removed, lost and found again. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { openFolderObjects } from "../../src/adapters/segments/folder-objects.ts";
import { RECLAIM_PARTS, StoreUnavailableError } from "../../src/ports/store.ts";
import { ingest, segmentIds, wholeIndex } from "../store/upkeep-setting.ts";
import { adopt, keysIn, MARKER } from "../support/outside.ts";
import {
  assertWhole,
  ignore,
  ingestAll,
  isOutage,
  KEPT_MS,
  openScene,
  type Scene,
  settleLater,
  TEXTS,
} from "./outside-scene.ts";

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

    tell("that cannot be read keep their own project waiting, and no other", async (scene) => {
      const { setting, projectId } = scene;
      const { projectId: other } = await setting.scenario.project();
      const theirs = { ...scene, projectId: other };
      await ingestAll(scene);
      await ingestAll(theirs);
      const ids = await segmentIds(setting, projectId);
      scene.before = (method, key) => {
        if (method === "get" && key.startsWith(projectId))
          throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      };
      await assert.rejects(wholeIndex(setting, projectId), (error) => {
        assert.match(String(error), new RegExp(`The object ${projectId}/\\d+-`));
        return error instanceof StoreUnavailableError && error.reason === "segment_object";
      });
      await setting.settle();
      const logged = setting.logged.map(({ event, fields }) => `${event} ${fields["projectId"]}`);
      assert.deepEqual(new Set(logged), new Set([`merge_failed ${projectId}`]));
      assert.ok((await segmentIds(setting, other)).length < ids.length);
      assert.deepEqual(await segmentIds(setting, projectId), ids);
      assert.deepEqual(await setting.opened.store.listDamagedSegments({ projectId }), []);
      for (const each of [scene, theirs]) await ingestAll(each, [["late", "one two"]]);
      scene.before = ignore;
      await settleLater(scene);
      assert.ok((await segmentIds(setting, projectId)).length < ids.length);
      for (const each of [scene, theirs]) await assertWhole(each);
    });

    tell("that cannot be removed are tried again, and keep no other", async (scene) => {
      const { setting, projectId, folder } = scene;
      await ingestAll(scene, [...TEXTS, ...TEXTS.map(([id, text]) => [`${id} b`, text] as const)]);
      const written = keysIn(folder);
      assert.ok(written.length > 32);
      const held = written.slice(0, 2);
      scene.before = (method, key) => {
        if (method === "remove" && held.includes(key))
          throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      };
      await setting.opened.store.deleteProject({ projectId });
      await settleLater(scene);
      assert.deepEqual(keysIn(folder), held);
      assert.deepEqual(new Set(setting.logged.map(({ event }) => event)), new Set(["object_removal_failed"]));
      scene.before = ignore;
      await setting.settle();
      assert.deepEqual(keysIn(folder), held, "not at once");
      setting.now += 5 * 60_000;
      await setting.settle();
      assert.deepEqual(keysIn(folder), []);
      assert.equal(await scene.rows.nextObjects({ now: setting.now + KEPT_MS }), false);
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
