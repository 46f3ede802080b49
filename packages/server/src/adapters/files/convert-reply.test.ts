import assert from "node:assert/strict";
import { test } from "node:test";
import { readReply } from "./convert-reply.ts";

const TEXT = {
  ...{ kind: "text", mediaType: "application/pdf", title: "Tides", date: "2021-03-04" },
  ocr: null,
} as const;
const PAGES = [
  { page: 1, start: 0 },
  { page: 4, start: 9 },
];

test("replies are taken as they are, without what they should not have", () => {
  const archive = { kind: "archive", mediaType: "application/zip", members: [{ path: "a/b.txt", bytes: 3 }] };
  for (const reply of [
    { kind: "ready" },
    { ...TEXT, pages: PAGES },
    { ...TEXT, title: null, date: null, pages: [] },
    { ...TEXT, pages: [], ocr: { read: 3, unread: [2, 5] } },
    { kind: "recognising" },
    archive,
    { kind: "unreadable", reason: "The file is empty." },
    { kind: "fault", message: "disk", code: "EIO" },
    { kind: "fault", message: "disk", code: null },
  ])
    assert.deepEqual(readReply({ ...reply, other: "x" }), reply);
});

test("every text of a reply is cut, and has no control characters", () => {
  const long = `a\0b${"x".repeat(5_000_000)}`;
  const text = readReply({ ...TEXT, mediaType: long, title: long, date: long, pages: [] });
  const fault = readReply({ kind: "fault", message: long, code: long });
  const unreadable = readReply({ kind: "unreadable", reason: long });
  for (const [key, value] of [text, fault, unreadable].flatMap((reply) => Object.entries(reply))) {
    if (["kind", "pages", "ocr"].includes(key)) continue;
    assert.match(value, /^a bx{30,}…$/, key);
    assert.ok(value.length <= 1_000, key);
  }
});

test("a reply of another form is the fault of the file", () => {
  const many = Array.from({ length: 20_001 }, (_, at) => ({ page: at + 1, start: at }));
  for (const reply of [
    null,
    "ready",
    {},
    { kind: "other" },
    { ...TEXT, title: 7, pages: [] },
    { ...TEXT, mediaType: null, pages: [] },
    { ...TEXT, pages: {} },
    { ...TEXT, pages: many },
    { ...TEXT, pages: PAGES.toReversed() },
    { ...TEXT, pages: [PAGES[0], { page: 2, start: 0 }] },
    { ...TEXT, pages: [{ page: 1, start: 0.5 }] },
    { ...TEXT, pages: [{ page: 0, start: 0 }] },
    { ...TEXT, pages: [], ocr: {} },
    { ...TEXT, pages: [], ocr: { read: -1, unread: [] } },
    { ...TEXT, pages: [], ocr: { read: 1, unread: [2, 2] } },
    { ...TEXT, pages: [], ocr: { read: 1, unread: many.map(({ page }) => page) } },
    { kind: "archive", mediaType: "application/zip", members: [{ path: ["a"], bytes: 1 }] },
    { kind: "archive", mediaType: "application/zip", members: [null] },
    { kind: "unreadable" },
    { kind: "fault", message: {} },
  ]) {
    const read = readReply(reply);
    assert.deepEqual(
      read,
      { kind: "unreadable", reason: "The file is damaged: the program that read it sent no text." },
      JSON.stringify(reply).slice(0, 200),
    );
  }
  assert.equal(readReply({ ...TEXT, pages: many.slice(1) }).kind, "text");
});
