import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../server/test/support/growth.ts";
import { readEvents, type ServerSentEvent } from "./server-sent-events.ts";

function streamOf(
  parts: readonly Uint8Array[],
  onCancel: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const waiting = [...parts];
  return new ReadableStream({
    pull(controller) {
      const part = waiting.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
    cancel: onCancel,
  });
}

const read = (parts: readonly Uint8Array[]) => Array.fromAsync(readEvents(streamOf(parts)));
const bytes = (text: string) => new TextEncoder().encode(text);

test("events, comments, ids and multi-line data are read as the standard says", async () => {
  const text = [
    ": a comment",
    "event: progress",
    "id: 7",
    'data: {"a":',
    "data:1}",
    "",
    "data",
    "unknown: field",
    "",
    "event: without data",
    "",
    "id: bad\0id",
    "data:  two spaces",
    "",
    "data: never ended",
  ].join("\n");
  assert.deepEqual(await read([bytes(text)]), [
    { type: "progress", data: '{"a":\n1}', lastEventId: "7" },
    { type: "message", data: "", lastEventId: "7" },
    { type: "message", data: " two spaces", lastEventId: "7" },
  ]);
});

test("an id without data is yielded, because a client resumes after it", async () => {
  assert.deepEqual(await read([bytes("retry: 9\n\nid: 7\n\nid: 7\n\nevent: x\ndata: 1\n\nid: 8\n\n")]), [
    { type: "", data: "", lastEventId: "7" },
    { type: "x", data: "1", lastEventId: "7" },
    { type: "", data: "", lastEventId: "8" },
  ]);
});

test("the events do not depend on how the bytes are split and how the lines end", async () => {
  const events: readonly ServerSentEvent[] = [
    { type: "progress", data: "fjörd 🚢", lastEventId: "1" },
    { type: "completed", data: "two\nlines", lastEventId: "2" },
  ];
  const end = fc.constantFrom("\n", "\r", "\r\n");
  await fc.assert(
    fc.asyncProperty(
      end,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (newline, sizes) => {
        const lines = [
          "event: progress",
          "id: 1",
          "data: fjörd 🚢",
          "",
          "event: completed",
          "id: 2",
          "data: two",
          "data: lines",
          "",
          "",
        ];
        const stream = bytes(lines.join(newline));
        const parts: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          parts.push(stream.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(await read(parts), events);
      },
    ),
    { seed: 20_310_401, numRuns: 200 },
  );
});

test("leaving the loop cancels the stream", async () => {
  let cancelled = false;
  const stream = streamOf([bytes("data: 1\n\ndata: 2\n\n"), bytes("data: 3\n\n")], () => {
    cancelled = true;
  });
  for await (const event of readEvents(stream)) {
    assert.equal(event.data, "1");
    break;
  }
  assert.ok(cancelled);
});

test("a long line that comes in many parts is read in linear time", async () => {
  await assertLinear("parts", 60, async (count) => {
    const part = bytes("x".repeat(16_384));
    const [event] = await read([bytes("data: "), ...Array<Uint8Array>(count).fill(part), bytes("\n\n")]);
    assert.equal(event?.data.length, count * part.length);
  });
});
