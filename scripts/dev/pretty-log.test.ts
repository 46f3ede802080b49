import assert from "node:assert/strict";
import { test } from "node:test";
import { createLineSplitter, prettyLine } from "./pretty-log.ts";

const plain = { hasColours: false };
const time = new Date(2031, 3, 9, 10, 11, 12, 131).toISOString();

test("an entry is the local time, the level, the event and its fields", () => {
  const line = JSON.stringify({
    level: "info",
    time,
    port: 8080,
    path: "a b",
    host: "::1",
    msg: "listening",
  });
  assert.equal(prettyLine(line, plain), '10:11:12.131 INFO  listening port=8080 path="a b" host=::1');
});

test("an error has its stack, and those of its causes, on lines of their own", () => {
  const error = {
    type: "Error",
    message: "no",
    stack: "Error: no\n    at a",
    cause: { stack: "Error: full" },
  };
  const line = JSON.stringify({ level: "error", time, error, job: "job_1", msg: "job_failed" });
  assert.equal(
    prettyLine(line, plain),
    [
      "10:11:12.131 ERROR job_failed job=job_1",
      "  error: Error: no",
      "      at a",
      "  caused by: Error: full",
    ].join("\n"),
  );
});

test("anything but an entry stays as it is", () => {
  for (const line of ["", "(node:1) Warning: x", "{not json", '{"other":1}']) {
    assert.equal(prettyLine(line, plain), line);
  }
});

test("colours are written only where they are asked for", () => {
  const line = JSON.stringify({ level: "warn", time, msg: "slow" });
  assert.ok(prettyLine(line, { hasColours: true }).includes("\u001b["));
  assert.ok(!prettyLine(line, plain).includes("\u001b["));
});

test("lines are put together from parts, also where a part ends inside a character", () => {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  const bytes = Buffer.from("one\ntwö\nrest");
  splitter.write(bytes.subarray(0, 7));
  splitter.write(bytes.subarray(7));
  assert.deepEqual(lines, ["one", "twö"]);
  splitter.end();
  assert.deepEqual(lines, ["one", "twö", "rest"]);
});
