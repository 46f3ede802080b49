import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ProviderFault } from "./provider-fault.ts";
import { createReadEvents, type EventLimits } from "./read-events.ts";

const limits: EventLimits = { eventBytes: 100, eventValues: 10 };

/** What is passed on of a body that arrives in these parts. */
async function read(parts: readonly (string | Uint8Array)[], bounds = limits): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new Uint8Array(Buffer.from(part)));
      controller.close();
    },
  });
  return Buffer.concat(await Array.fromAsync(body.pipeThrough(createReadEvents(bounds)))).toString();
}

const isRefused = (message: RegExp) => (error: unknown) =>
  error instanceof ProviderFault && error.kind === "refused" && message.test(error.message);

test("the data of events is passed on, however they arrive and whatever ends their lines", async () => {
  const lines = [
    "\u{feff}data: {}",
    "",
    ": a comment",
    "",
    "id: 7",
    "event: more",
    "data: one",
    "data:two",
    "x",
    "",
  ];
  const expected = "data: {}\n\ndata: one\ndata:two\n\n";
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("\n", "\r", "\r\n"), fc.array(fc.nat(90)), async (end, cuts) => {
      const bytes = Buffer.from(`${lines.join(end)}${end}data: without an end`);
      const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
      const parts = places.slice(1).map((place, at) => bytes.subarray(places[at], place));
      assert.equal(await read(parts), expected);
    }),
  );
});

test("an event that is too long is refused before it has ended", async () => {
  const long = `data: "${"x".repeat(92)}"`;
  assert.equal(await read([long, "\n\n"]), `${long}\n\n`);
  await assert.rejects(read([`${long}x`]), isRefused(/longer than 100 bytes/));
  await assert.rejects(read(["data: x\n".repeat(15)]), isRefused(/longer than 100 bytes/));
});

test("an event that would take long to parse is refused, in whatever lines and comments it stands", async () => {
  const many = `[${"1,".repeat(10)}1]`;
  const isTooMany = isRefused(/too many values or levels/);
  await assert.rejects(read([`data: ${many}\n\n`]), isTooMany);
  await assert.rejects(read([`: a "comment\ndata:\ndata: ${many}\n\n`]), isTooMany);
  await assert.rejects(read([`data: ${"[".repeat(65)}\n\n`], { ...limits, eventValues: 100 }), isTooMany);
  const text = `data: ["${",[".repeat(20)}"]\n\n`;
  assert.equal(await read([text]), text);
});

test("comments and unknown members are of no account, however many", async () => {
  assert.equal(await read([": alive\n".repeat(1_000), "data: {}\n\n", "x\r".repeat(1_000)]), "data: {}\n\n");
});
