import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelFault } from "./model-fault.ts";

test("a fault shows what a hub calls its files without obeying it, and no more than a page of it", () => {
  const { message } = new ModelFault("choose one of: \u001b]0;x\u0007\u202eevil\u0085.onnx,\n\tother.onnx");
  assert.equal(message, "choose one of: \ufffd]0;x\ufffd\ufffdevil\ufffd.onnx,\n\tother.onnx");
  assert.equal(new ModelFault("x".repeat(5_000)).message.length, 2_001);
});
