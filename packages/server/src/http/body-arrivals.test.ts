import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { mock, test } from "node:test";
import { bodyArrivals } from "./body-arrivals.ts";

const PERIOD_MS = 10_000;
const slowest = { bytes: 1_000, periodMs: PERIOD_MS, completeMs: 12 * PERIOD_MS };

/** A body whose chunks the test writes. */
function openBody(options: { readonly announced?: number; readonly limitBytes?: number } = {}) {
  const stream = new PassThrough();
  const { announced, limitBytes = 1_000_000 } = options;
  const headers = announced === undefined ? {} : { "content-length": String(announced) };
  // Of a request, the reader uses its stream and its headers.
  const request = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  return { stream, arrivals: bodyArrivals(request, { limitBytes, slowest }) };
}

async function readAll(arrivals: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of arrivals) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test("A body comes as it arrives, with a length or without one.", async () => {
  const plain = openBody();
  plain.stream.write("one ");
  plain.stream.end("two");
  assert.equal(await readAll(plain.arrivals), "one two");
  const announced = openBody({ announced: 3 });
  announced.stream.end("six");
  assert.equal(await readAll(announced.arrivals), "six");
});

test("A body over the limit, or of another length than announced, is refused.", async () => {
  const tooLarge = { code: "FST_ERR_CTP_BODY_TOO_LARGE" };
  await assert.rejects(readAll(openBody({ announced: 11, limitBytes: 10 }).arrivals), tooLarge);
  const grown = openBody({ limitBytes: 10 });
  grown.stream.end("x".repeat(11));
  await assert.rejects(readAll(grown.arrivals), tooLarge);
  const short = openBody({ announced: 5 });
  short.stream.end("four");
  await assert.rejects(readAll(short.arrivals), { code: "FST_ERR_CTP_INVALID_CONTENT_LENGTH" });
});

test("A client that leaves ends the reading.", async () => {
  const { stream, arrivals } = openBody();
  stream.write("one");
  const reading = readAll(arrivals);
  stream.destroy();
  await assert.rejects(reading, { kind: "abandoned" });
  const aborted = openBody();
  const other = readAll(aborted.arrivals);
  aborted.stream.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
  await assert.rejects(other, { kind: "abandoned" });
});

test("A sender that is slow while the reader waits is refused; one that had to wait is not.", async (context) => {
  mock.timers.enable({ apis: ["setInterval"] });
  context.after(() => mock.timers.reset());
  const slow = openBody({ announced: 500_000 });
  const reading = readAll(slow.arrivals);
  slow.stream.write("x".repeat(2_000));
  await new Promise(setImmediate);
  mock.timers.tick(PERIOD_MS);
  slow.stream.write("x".repeat(500));
  await new Promise(setImmediate);
  mock.timers.tick(PERIOD_MS);
  await assert.rejects(reading, { kind: "too_slow" });

  const held = openBody({ announced: 600_000 });
  held.stream.write("x".repeat(300_000));
  // Takes the first chunk, then stores it for a long time.
  assert.equal((await held.arrivals.next()).done, false);
  held.stream.write("x".repeat(290_000));
  await new Promise(setImmediate);
  mock.timers.tick(5 * PERIOD_MS);
  held.stream.end("x".repeat(10_000));
  for await (const _ of held.arrivals);
});

test("A body that has arrived whole is not too slow, however long the reader takes.", async (context) => {
  mock.timers.enable({ apis: ["setInterval"] });
  context.after(() => mock.timers.reset());
  const { stream, arrivals } = openBody({ announced: 20_000 });
  stream.write("x".repeat(10_000));
  assert.equal((await arrivals.next()).done, false);
  stream.end("x".repeat(10_000));
  await new Promise(setImmediate);
  mock.timers.tick(5 * PERIOD_MS);
  assert.equal((await readAll(arrivals)).length, 10_000);
});
