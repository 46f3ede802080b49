import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
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

/** Sends a body in chunks of so many bytes. Returns how many bytes arrived, most chunks in one turn of the event loop, and the response. */
async function sendInChunks(bytesPerChunk: number, chunks: number) {
  let [chunksInTurn, most, received] = [0, 0, 0];
  const server = createServer(async (request, response) => {
    const countTurn = () => {
      most = Math.max(most, chunksInTurn);
      chunksInTurn = 0;
      if (!response.writableEnded && !response.destroyed) setImmediate(countTurn);
    };
    countTurn();
    const onPiece = ({ length }: Uint8Array) => {
      chunksInTurn++;
      received += length;
    };
    await receiveBody(request, { ...unlimited, onPiece }).catch(() => undefined);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (part) => {
    text += String(part);
  });
  socket.on("error", () => undefined);
  socket.write("POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n");
  const chunk = `${bytesPerChunk.toString(16)}\r\n${"7".repeat(bytesPerChunk)}\r\n`;
  socket.write(`${chunk.repeat(chunks)}0\r\n\r\n`);
  // `once` would reject with the error of a connection that is cut.
  await new Promise((resolve) => socket.once("close", resolve));
  server.close();
  return { received, most, text };
}

test("a body of short HTTP chunks is received over many turns of the event loop", async () => {
  const { received, most, text } = await sendInChunks(20, 100_000);
  assert.equal(received, 2_000_000);
  assert.match(text, /^HTTP\/1\.1 200/);
  // Two reads of the socket: 64 KiB, 26 bytes for each chunk.
  assert.ok(most <= 7_000, `${most} chunks in one turn`);
});

test("a body of chunks of a byte is refused soon", async () => {
  const { received } = await sendInChunks(1, 400_000);
  assert.ok(received > 900 && received < 1_200, `${received} bytes`);
});
