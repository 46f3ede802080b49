import assert from "node:assert/strict";
import { test } from "node:test";
import { createReaderOpener } from "./reader-opener.ts";

const READER = { read: async () => ({ logit: 1, span: null }) };

test("the reader is opened once, also for questions at the same time", async () => {
  let opened = 0;
  const open = createReaderOpener(async () => {
    opened++;
    return READER;
  });
  assert.deepEqual(await Promise.all([open(), open()]), [READER, READER]);
  assert.equal(await open(), READER);
  assert.equal(opened, 1);
});

test("where it cannot be opened, it is tried again after half a minute", async () => {
  let [tried, now, isThere] = [0, 0, false];
  const open = createReaderOpener(
    async () => {
      tried++;
      if (!isThere) throw new Error("no space");
      return READER;
    },
    () => now,
  );
  assert.deepEqual([await open(), await open(), tried], [null, null, 1]);
  now = 29_999;
  assert.deepEqual([await open(), tried], [null, 1]);
  now = 30_001;
  assert.deepEqual([await open(), tried], [null, 2]);
  isThere = true;
  now = 70_000;
  assert.deepEqual([await open(), tried], [READER, 3]);
});
