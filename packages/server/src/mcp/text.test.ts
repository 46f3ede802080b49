import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { documentUri, parseDocumentUri } from "./document-uri.ts";
import { partOf } from "./resources.ts";
import { inline, nextOffsetOf, nextPageNote, quote, quotedLines } from "./text.ts";

const BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\u001c", "\u001d", "\u001e", "\u0085", "\u2028", "\u2029"];
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...BREAKS), fc.string({ unit: "binary", maxLength: 3 })),
});

test("every line of a document's text is quoted, with any line break characters", () => {
  fc.assert(
    fc.property(text, (given) => {
      for (const line of quote(given).split(/[^\P{Cc}\t]|[\u2028\u2029]/u)) assert.ok(line.startsWith("> "));
    }),
  );
});

test("each item of a list stays on one quoted line, whatever the names in it", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (items) => {
      const lines = quotedLines(items).split(/[^\P{Cc}\t]|[\u2028\u2029]/u);
      assert.equal(lines.length, items.length);
      for (const line of lines) assert.ok(line.startsWith("> "));
    }),
  );
});

test("an untrusted name stays on one line and within its quotation marks", () => {
  fc.assert(
    fc.property(text, (given) => {
      assert.match(inline(given), /^"(?:[^"\\\p{Cc}\u2028\u2029]|\\.)*"$/u);
      assert.doesNotMatch(inline({ [given]: given }), /[\p{Cc}\u2028\u2029]/u);
    }),
  );
});

test("a document URI survives a round trip for any id, and other URIs are refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(999_999_999), (sourceDocId, start) => {
      const address = { projectId: "prj_1", sourceDocId, start };
      assert.deepEqual(parseDocumentUri(documentUri(address)), address);
    }),
  );
  for (const uri of [
    "",
    "kcs://projects/a/documents/",
    "kcs://projects/a/documents/b/c",
    "kcs://projects/a/documents/%E0",
  ]) {
    assert.equal(parseDocumentUri(uri), null);
  }
});

test("the parts of a text join to the text, none is too long and none splits a surrogate pair", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.constantFrom("a", "🙂", "a🙂"), (shift, unit) => {
      const whole = "x".repeat(shift) + unit.repeat(110_000);
      let [read, start]: [string, number | null] = ["", 0];
      while (start !== null) {
        const { part, next } = partOf(whole, start);
        assert.ok(part.length <= 100_000 && part.isWellFormed());
        [read, start] = [read + part, next];
      }
      assert.equal(read, whole);
    }),
    { numRuns: 6 },
  );
});

test("a page whose items were all deleted meanwhile is not the last one", () => {
  const page = { offset: 10, total: 30 };
  assert.equal(nextOffsetOf(page, 5), 15);
  assert.equal(nextOffsetOf(page, 0), 10);
  assert.match(nextPageNote(page, 0) ?? "", /is empty.*offset 10/);
  assert.equal(nextOffsetOf(page, 20), null);
  assert.equal(nextPageNote(page, 20), null);
});
