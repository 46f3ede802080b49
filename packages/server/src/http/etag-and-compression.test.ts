import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseCoding } from "./etag-and-compression.ts";

test("the client's preferred coding is chosen, and none without an Accept-Encoding that allows one", () => {
  assert.equal(chooseCoding(undefined), null);
  assert.equal(chooseCoding(""), null);
  assert.equal(chooseCoding("identity"), null);
  assert.equal(chooseCoding("deflate, compress"), null);
  assert.equal(chooseCoding("gzip"), "gzip");
  assert.equal(chooseCoding("gzip, deflate, br"), "br");
  assert.equal(chooseCoding("gzip, deflate, br, zstd"), "zstd");
  assert.equal(chooseCoding("gzip;q=1.0, br;q=0.5"), "gzip");
  assert.equal(chooseCoding("GZIP; q=0.2 , zstd;q=0"), "gzip");
  assert.equal(chooseCoding("*"), "zstd");
  assert.equal(chooseCoding("*;q=0.1, zstd;q=0, br;q=0"), "gzip");
  assert.equal(chooseCoding("gzip;q=nonsense"), null);
});
