import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { limitChunks } from "./limit-chunks.ts";

type Receive = (request: IncomingMessage, onChunk: (chunk: Buffer) => void) => void;

const receiveAtOnce: Receive = (request, onChunk) => request.on("data", onChunk);

/** Sends a body in chunks of so many bytes. Returns how many bytes arrived, most chunks in one turn of the event loop, and the response. */
async function sendInChunks(bytesPerChunk: number, chunks: number, receive: Receive = receiveAtOnce) {
  let [chunksInTurn, most, received] = [0, 0, 0];
  const server = createServer((request, response) => {
    const countTurn = () => {
      most = Math.max(most, chunksInTurn);
      chunksInTurn = 0;
      if (!response.writableEnded && !response.destroyed) setImmediate(countTurn);
    };
    countTurn();
    request.on("end", () => response.end());
    request.on("error", () => undefined); // It is refused.
    receive(request, ({ length }) => {
      chunksInTurn++;
      received += length;
    });
  });
  server.prependListener("request", limitChunks).listen(0, "127.0.0.1");
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
  const { received, text } = await sendInChunks(1, 400_000);
  assert.ok(received > 900 && received < 1_200, `${received} bytes`);
  assert.match(text, /^HTTP\/1\.1 400 .*few bytes"\}$/s);
});

test("a body of chunks of a byte that nobody reads yet is refused likewise", async () => {
  let kept = 0;
  const receiveLater: Receive = (request, onChunk) => {
    request.once("close", () => {
      kept = request.readableLength;
      request.on("data", onChunk);
    });
  };
  await sendInChunks(1, 400_000, receiveLater);
  assert.ok(kept > 900 && kept < 1_200, `${kept} bytes kept`);
});
