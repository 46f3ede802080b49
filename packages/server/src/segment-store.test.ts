import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import { openSegmentStore } from "./segment-store.ts";

test("a folder that cannot be made is told with the name of its setting", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "kcs-store-"));
  try {
    await writeFile(join(dataDir, "file"), "");
    // All that is asked of it before the folder is made.
    const store = { readSetting: async () => null } as unknown as Store;
    for (const path of [join(dataDir, "file"), join(dataDir, "file", "below")]) {
      const config = { dataDir, segmentStore: { place: { kind: "folder", path } as const, cache: null } };
      await assert.rejects(
        openSegmentStore(config, store, {} as Log),
        /^SegmentStoreError: KCS_SEGMENT_STORE: .*(?:EEXIST|ENOTDIR)/,
      );
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
