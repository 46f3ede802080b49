import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ROOM } from "../../ports/file-converter.ts";
import { createRoom } from "./disk-room.ts";

const MIB = 1024 * 1024;

/** Takes a mebibyte at a time, up to `most`, and tells how many were taken and why no more. */
async function fill(disk: { freeBytes: number; totalBytes: number }, most = 1_024) {
  let taken = 0;
  const take = createRoom(async () => ({ ...disk }));
  try {
    for (; taken < most; taken++) {
      await take(MIB);
      disk.freeBytes -= MIB;
    }
    return { taken, code: null };
  } catch (error) {
    assert.ok(error instanceof Error && "code" in error);
    return { taken, code: error.code };
  }
}

test("half of what is free beyond the reserve is taken, and little more", async () => {
  const { taken, code } = await fill({ freeBytes: 1_256 * MIB, totalBytes: 100_000 * MIB });
  assert.equal(code, NO_ROOM);
  assert.ok(taken >= 500 && taken < 516, String(taken));
  const small = await fill({ freeBytes: 220 * MIB, totalBytes: 240 * MIB });
  assert.equal(small.code, NO_ROOM);
  assert.ok(small.taken >= 98 && small.taken < 100, String(small.taken));
});

test("what fits is taken whole", async () => {
  assert.deepEqual(await fill({ freeBytes: 4_000 * MIB, totalBytes: 100_000 * MIB }), {
    taken: 1_024,
    code: null,
  });
});

test("a disk that was full before is not the file's fault, and a small file may fit all the same", async () => {
  const full = { freeBytes: 200 * MIB, totalBytes: 100_000 * MIB };
  assert.deepEqual(await fill({ ...full }, 15), { taken: 15, code: null });
  assert.deepEqual(await fill({ ...full }), { taken: 15, code: "ENOSPC" });
});

test("a file system that does not tell its size is no limit", async () => {
  assert.deepEqual(await fill({ freeBytes: 0, totalBytes: 0 }, 100), { taken: 100, code: null });
});
