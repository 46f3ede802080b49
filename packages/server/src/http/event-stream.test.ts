import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createEventStream } from "./event-stream.ts";

const allowed = () => Promise.resolve(true);

test("events are written in the format of the specification", async () => {
  const stream = createEventStream(() => undefined, allowed);
  stream.send({ id: null, name: "progress", data: '{"a":1}' });
  stream.send({ id: "8", name: "completed", data: "{}" });
  stream.end();
  const text = Buffer.concat(await stream.body.toArray()).toString();
  assert.equal(text, 'retry: 2000\nevent: progress\ndata: {"a":1}\n\nid: 8\nevent: completed\ndata: {}\n\n');
});

test("no blank line ends a block without data, which some readers take for an event", () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  try {
    const stream = createEventStream(() => undefined, allowed);
    mock.timers.tick(15_000);
    stream.send({ id: "8", name: "completed", data: "{}" });
    mock.timers.tick(30_000);
    let text = "";
    for (let part = stream.body.read(); part !== null; part = stream.body.read()) text += String(part);
    assert.deepEqual(text.split("\n\n"), [
      "retry: 2000\n: heartbeat\nid: 8\nevent: completed\ndata: {}",
      ": heartbeat\n: heartbeat\n",
    ]);
    stream.end();
  } finally {
    mock.timers.reset();
  }
});

test("a stream is not ready while its reader reads nothing, and ready again after reading", () => {
  const stream = createEventStream(() => undefined, allowed);
  const data = "x".repeat(1_000);
  let sent = 0;
  while (stream.isReady() && sent < 1_000) {
    stream.send({ id: null, name: "progress", data });
    sent++;
  }
  assert.ok(sent < 100, `${sent} events`);
  while (stream.body.read() !== null);
  assert.equal(stream.isReady(), true);
  stream.body.destroy();
});

test("a destroyed stream calls onClose once and accepts no more events", async () => {
  let closed = 0;
  const stream = createEventStream(() => closed++, allowed);
  stream.body.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(stream.isReady(), false);
  stream.send({ id: "1", name: "completed", data: "{}" });
  stream.end();
  assert.equal(closed, 1);
});

test("an idle stream sends a heartbeat every 15 seconds and ends after 30 minutes", () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  try {
    let closed = 0;
    const stream = createEventStream(() => closed++, allowed);
    stream.body.read();
    mock.timers.tick(15_000);
    assert.equal(String(stream.body.read()), ": heartbeat\n");
    mock.timers.tick(30 * 60_000);
    assert.equal(closed, 1);
  } finally {
    mock.timers.reset();
  }
});

test("a stream ends within seconds after access is lost; a failure of the check does not end it", async () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  try {
    const checks = [
      () => allowed(),
      () => Promise.reject(new Error("no database")),
      () => Promise.resolve(false),
    ];
    let closed = 0;
    const stream = createEventStream(
      () => closed++,
      () => (checks.shift() ?? allowed)(),
    );
    stream.body.resume();
    const closedAfter: number[] = [];
    for (let round = 0; round < 3; round++) {
      mock.timers.tick(5_000);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      closedAfter.push(closed);
    }
    assert.deepEqual(closedAfter, [0, 0, 1]);
    mock.timers.tick(60_000);
    assert.deepEqual([closed, checks.length], [1, 0]);
  } finally {
    mock.timers.reset();
  }
});
