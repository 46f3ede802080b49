import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { refuseShortChunks } from "./short-chunks.ts";

test("an answer in chunks of a byte is refused once, and what comes after it is not looked at", () => {
  const incoming = new IncomingMessage(new Socket());
  incoming.on("error", () => undefined);
  const handedOn: number[] = [];
  incoming.push = (chunk: Buffer) => handedOn.push(chunk.length) > 0;
  let refusals = 0;
  refuseShortChunks(incoming, () => new Error(`refused ${++refusals} times`));
  for (let at = 0; at < 10_000; at++) incoming.push(Buffer.alloc(1));
  assert.ok(handedOn.length < 1_200, `${handedOn.length}`);
  assert.equal(refusals, 1);
  assert.ok(incoming.destroyed);
});

test("an answer in large chunks is handed on whole", () => {
  const incoming = new IncomingMessage(new Socket());
  let bytes = 0;
  incoming.push = (chunk: Buffer) => {
    bytes += chunk.length;
    return true;
  };
  refuseShortChunks(incoming, () => assert.fail("it is refused"));
  for (let at = 0; at < 10_000; at++) assert.ok(incoming.push(Buffer.alloc(1_000)));
  assert.equal(bytes, 10_000_000);
});
