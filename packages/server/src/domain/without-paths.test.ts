import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutPaths } from "./without-paths.ts";

test("paths are shown by their last part, in quotes and brackets too, and all else as it is", () => {
  for (const [text, shown] of [
    ["/srv/data/models/a/model.onnx is missing.", "model.onnx is missing."],
    ["ENOSPC, write '/srv/data/x.tmp' (/srv/y)", "ENOSPC, write 'x.tmp' (y)"],
    ["C:\\data\\models\\a.onnx is missing", "a.onnx is missing"],
    ["half and/or all / none of https://host/a/b", "half and/or all / none of https://host/a/b"],
    ["", ""],
  ] as const)
    assert.equal(withoutPaths(text), shown);
});
