import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { openDiskCache } from "../../src/adapters/segments/disk-cache.ts";
import { openBucketObjects } from "../../src/adapters/segments/s3-objects.ts";
import { loadConfig } from "../../src/config.ts";
import { describeOutside } from "../store/store-suite.ts";
import { type BucketServer, startBucketServer } from "../support/bucket-server.ts";
import { adopt, folderIn, keysIn, MARKER } from "../support/outside.ts";

/** Call it at the top of a test file. */
export function describeOutsideStores(
  kind: "sqlite" | "postgres",
  createUrl: () => Promise<string | null>,
): void {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-outside-"));
  const { path, objects } = folderIn(dataDir);
  let server: BucketServer;
  before(async () => {
    server = await startBucketServer();
  });
  after(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  describeOutside(kind, createUrl, {
    name: "folder",
    wrap: (store) => adopt(store, objects),
    isEmpty: () => keysIn(path).length === 0,
  });
  describeOutside(kind, createUrl, {
    name: "bucket",
    async wrap(store) {
      const place = loadConfig(server.environment()).segmentStore?.place;
      assert.equal(place?.kind, "s3");
      const cache = openDiskCache({ folder: join(dataDir, "cache"), maxBytes: 1_000_000 });
      return adopt(store, openBucketObjects(place), { cache });
    },
    isEmpty: () => [...server.objects.keys()].join() === MARKER,
  });
}
