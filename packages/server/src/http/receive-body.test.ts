import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { joinBytes, receiveBody } from "./receive-body.ts";

const KIB = 1024;
const unlimited = { limitBytes: Number.POSITIVE_INFINITY, announcedBytes: Number.NaN };

/** A chunk with its own buffer, as from a socket, or as a view of a larger buffer. */
const chunk = fc
  .record({
    length: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 70 * KIB })),
    fill: fc.nat(255),
    isPart: fc.boolean(),
  })
  .map(({ length, fill, isPart }) => {
    const buffer = Buffer.from(new ArrayBuffer(length + (isPart ? 8 : 0))).fill(fill);
    return isPart ? buffer.subarray(8) : buffer;
  });

test("the pieces join to the body, each in its own buffer, and are few even for short chunks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 40 }), async (chunks) => {
      const body = Buffer.concat(chunks);
      const pieces = await receiveBody(Readable.from(chunks), unlimited);
      assert.deepEqual(Buffer.from(joinBytes(pieces)), body);
      for (const piece of pieces) assert.equal(piece.byteLength, piece.buffer.byteLength);
      assert.equal(new Set(pieces.map(({ buffer }) => buffer)).size, pieces.length);
    }),
    { numRuns: 50 },
  );
  const single = Array.from({ length: 200 * KIB }, () => Buffer.from(new ArrayBuffer(1)));
  assert.equal((await receiveBody(Readable.from(single), unlimited)).length, 4);
});

test("a body over the limit, or with another length than announced, is refused with Fastify's errors", async () => {
  const receive = (limitBytes: number, announcedBytes: number) =>
    receiveBody(Readable.from([Buffer.from("12345"), Buffer.from("678")]), { limitBytes, announcedBytes });
  assert.equal((await receive(8, 8)).length, 1);
  assert.equal((await receive(8, Number.NaN)).length, 1);
  await assert.rejects(receive(7, Number.NaN), { code: "FST_ERR_CTP_BODY_TOO_LARGE" });
  await assert.rejects(receive(7, 8), { code: "FST_ERR_CTP_BODY_TOO_LARGE" });
  await assert.rejects(receive(8, 7), { code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" });
  await assert.rejects(receive(9, 9), { code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" });
});

test("a body that is cut off is an error of the client", async () => {
  const stream = new Readable({ read() {} });
  const received = receiveBody(stream, unlimited);
  stream.push("{");
  stream.destroy(new Error("aborted"));
  await assert.rejects(received, { message: "aborted", statusCode: 400 });
});
