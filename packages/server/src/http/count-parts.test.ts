import assert from "node:assert/strict";
import { test } from "node:test";
import { createPartCounter } from "./count-parts.ts";

test("the parts of a form are counted, however its bytes are cut", () => {
  const form = Buffer.from(
    "--edge\r\nA: b\r\n\r\none --edge\r\n\r\n--edge\r\n\r\n --edge two\r\n--edge--\r\n",
  );
  for (let size = 1; size <= form.length; size++) {
    const counter = createPartCounter("edge");
    for (let at = 0; at < form.length; at += size) counter.add(form.subarray(at, at + size));
    assert.equal(counter.parts(), 2, `in pieces of ${size}`);
  }
  assert.equal(createPartCounter("edge").parts(), 0);
});
