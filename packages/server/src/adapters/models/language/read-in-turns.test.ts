import assert from "node:assert/strict";
import { test } from "node:test";
import { createReadTurns, TURN_BYTES } from "./read-in-turns.ts";

function bodyOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

test("of replies that arrive at once, a turn of the event loop reads one piece of one of them", async () => {
  let turn = 0;
  let isReading = true;
  const count = () => {
    turn += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const bytes = Uint8Array.from({ length: 20 * TURN_BYTES }, (_, at) => at % 251);
  const pieces: { turn: number; length: number }[] = [];
  const readInTurns = createReadTurns(bytes.length);
  const read = async () => {
    const parts: Uint8Array[] = [];
    for await (const part of bodyOf(bytes).pipeThrough(readInTurns())) {
      pieces.push({ turn, length: part.length });
      parts.push(part);
    }
    assert.deepEqual(Buffer.concat(parts), Buffer.from(bytes));
  };
  await Promise.all([read(), read(), read()]);
  isReading = false;
  assert.equal(pieces.length, 60);
  assert.ok(pieces.every(({ length }) => length <= TURN_BYTES));
  const perTurn = Map.groupBy(pieces, (piece) => piece.turn);
  assert.ok(perTurn.size >= 55, `60 pieces were read in ${perTurn.size} turns`);
});

test("a reply that is longer than the limit fails", async () => {
  const read = Array.fromAsync(bodyOf(new Uint8Array(11)).pipeThrough(createReadTurns(10)()));
  await assert.rejects(read, /its reply is longer than 10 bytes/);
});

test("a reply in parts of a byte fails after the first thousand", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Uint8Array.of(sent++ % 251)),
  });
  const read = Array.fromAsync(endless.pipeThrough(createReadTurns(1_000_000)()));
  await assert.rejects(read, /its reply comes in parts of a few bytes/);
  assert.ok(sent > 900 && sent < 1_200, `${sent} parts`);
});
