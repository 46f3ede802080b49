import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress, duration, grouped } from "./progress.ts";
import { CLEAR_LINE } from "./style.ts";

function watch(columns: number | null) {
  let said = "";
  let ms = 0;
  const io = {
    err: (text: string) => {
      said += text;
    },
    errTerminal: columns === null ? null : { columns, hasColour: false },
  };
  const progress = createProgress(io, { unit: "documents", now: () => ms });
  return {
    progress,
    at(time: number, done: number, total = 2_000, note = "") {
      ms = time;
      progress.update({ done, total, note });
    },
    said: () => said,
  };
}

test("a terminal shows a bar on one line, no wider than the terminal, with rate and time left", () => {
  const shown = watch(60);
  shown.at(0, 0);
  shown.at(10_000, 500, 2_000, "3 failed, and a note that is longer than the line has room for");
  const said = shown.said();
  const frames = said.split(CLEAR_LINE).slice(1);
  assert.equal(frames.length, 2);
  assert.ok(frames.every((frame) => [...frame].length < 60));
  assert.equal(frames[1], `${"█".repeat(6)}${"░".repeat(18)} 500 of 2,000 documents · 25 %`);
  const narrow = watch(80);
  narrow.at(0, 0);
  narrow.at(10_000, 500, 2_000, "12 accepted, 128 chunks");
  assert.ok(narrow.said().endsWith("50/s · 30 s left"), narrow.said());
  const wide = watch(200);
  wide.at(0, 0);
  wide.at(10_000, 500, 2_000, "3 failed");
  assert.match(wide.said(), /25 % · 50\/s · 30 s left · 3 failed$/);
});

test("a pipe gets a plain line every few seconds, and the last state once", () => {
  const shown = watch(null);
  for (let at = 0; at <= 20; at++) shown.at(at * 500, at * 100, 2_000);
  shown.progress.say("failed: a.md: it says why");
  shown.progress.end();
  const lines = shown.said().trimEnd().split("\n");
  assert.deepEqual(lines, [
    "0 of 2,000 documents · 0 %",
    "1,000 of 2,000 documents · 50 % · 200/s · 5 s left",
    "2,000 of 2,000 documents · 100 % · 10 s",
    "failed: a.md: it says why",
  ]);
});

test("no rate is shown at first, and the rate falls while nothing is processed", () => {
  const shown = watch(200);
  shown.at(0, 0);
  shown.at(200, 10);
  assert.ok(!shown.said().includes("/s"));
  shown.at(10_000, 10);
  assert.match(shown.said(), /1\.0\/s · 33 min 10 s left$/);
});

test("numbers and times are formatted for people", () => {
  assert.deepEqual([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([0.4, 59, 61, 7_260].map(duration), ["0 s", "59 s", "1 min 1 s", "2 h 1 min"]);
});
