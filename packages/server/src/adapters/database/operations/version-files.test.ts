import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodePages, findPage, readPages } from "./version-files.ts";

test("the page of any place is the last one that begins there or before", () => {
  const sorted = fc
    .uniqueArray(fc.nat({ max: 300 }), { maxLength: 40 })
    .map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(sorted, fc.nat({ max: 310 }), (starts, offset) => {
      const pages = starts.map((start, at) => ({ page: 2 * at + 1, start }));
      // Some bytes into a larger buffer, as databases return them.
      const bytes = new Uint8Array([1, 2, 3, ...(encodePages(pages) ?? [])]).subarray(3);
      const expected = pages.findLast(({ start }) => start <= offset)?.page ?? null;
      assert.equal(findPage(readPages(bytes), offset), expected);
    }),
  );
});

test("of four times the pages, a look-up reads two more", () => {
  const countReads = (count: number) => {
    const pages = readPages(
      encodePages(Array.from({ length: count }, (_, at) => ({ page: at + 1, start: at }))) ??
        new Uint8Array(),
    );
    let reads = 0;
    const counted = {
      ...pages,
      startAt(index: number) {
        reads++;
        return pages.startAt(index);
      },
    };
    assert.equal(findPage(counted, count), count);
    return reads;
  };
  assert.ok(countReads(80_000) <= countReads(20_000) + 2);
});
