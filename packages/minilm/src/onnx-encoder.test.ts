import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeOnnxModel } from "./onnx-encoder.ts";
import { bytesField, floatField, integerField, messageField, stringField } from "./protobuf-encoder.ts";

process.env["ORT_DISABLE_TELEMETRY"] = "1";
const { InferenceSession, Tensor } = await import("onnxruntime-node");

const hex = (message: readonly Uint8Array[]) => Buffer.concat(message).toString("hex");

describe("the protobuf encoder", () => {
  it("writes the examples of the format's documentation", () => {
    assert.equal(hex(integerField(1, 150)), "089601");
    assert.equal(hex(stringField(2, "testing")), "120774657374696e67");
    assert.equal(hex(messageField(3, integerField(1, 150))), "1a03089601");
  });

  it("writes floats little-endian, fields above 15 in two bytes and lengths above 127 in two", () => {
    assert.equal(hex(floatField(2, 1)), "150000803f");
    assert.equal(hex(integerField(20, 2)), "a00102");
    assert.equal(hex(bytesField(9, new Uint8Array(300))).slice(0, 6), "4aac02");
  });

  it("writes integers of more than 31 bits and refuses other numbers than unsigned integers", () => {
    assert.equal(hex(integerField(1, 2 ** 35)), "08808080808001");
    assert.throws(() => integerField(1, -1), RangeError);
    assert.throws(() => integerField(1, 0.5), RangeError);
  });
});

describe("the ONNX encoder", () => {
  it("writes a model that ONNX Runtime loads and runs", async () => {
    const chunks = encodeOnnxModel({
      name: "sum",
      nodes: [{ operator: "Add", inputs: ["input", "two"], outputs: ["output"] }],
      constants: new Map([["two", { shape: [1], values: Float32Array.of(2) }]]),
      inputs: [{ name: "input", type: "float32", shape: ["count"] }],
      outputs: [{ name: "output", type: "float32", shape: ["count"] }],
    });
    const session = await InferenceSession.create(Buffer.concat(chunks));
    const { output } = await session.run({ input: new Tensor("float32", Float32Array.of(1, 5), [2]) });
    assert.deepEqual(output?.data, Float32Array.of(3, 7));
    await session.release();
  });
});
