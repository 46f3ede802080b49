import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { documentUri, parseDocumentUri } from "./document-uri.ts";
import { pieceOf } from "./resources.ts";
import { inline, quote } from "./text.ts";

const BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...BREAKS), fc.string({ unit: "binary", maxLength: 3 })),
});

test("no text of a document can begin a line that is not quoted", () => {
  fc.assert(
    fc.property(text, (given) => {
      for (const line of quote(given).split(/[\n\r\v\f\u0085\u2028\u2029]/)) assert.ok(line.startsWith("> "));
    }),
  );
});

test("a name from outside stays on its line and within its quotation marks", () => {
  fc.assert(
    fc.property(text, (given) => {
      assert.match(inline(given), /^"(?:[^"\\\p{Cc}\u2028\u2029]|\\.)*"$/u);
    }),
  );
});

test("an address leads back to its document, whatever the id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(999_999_999), (sourceDocId, start) => {
      const place = { projectId: "prj_1", sourceDocId, start };
      assert.deepEqual(parseDocumentUri(documentUri(place)), place);
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

test("the pieces of a text are the text, none too long and no pair of surrogates cut", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.constantFrom("a", "🙂", "a🙂"), (shift, unit) => {
      const whole = "x".repeat(shift) + unit.repeat(110_000);
      let [read, start]: [string, number | null] = ["", 0];
      while (start !== null) {
        const { piece, next } = pieceOf(whole, start);
        assert.ok(piece.length <= 100_000 && piece.isWellFormed());
        [read, start] = [read + piece, next];
      }
      assert.equal(read, whole);
    }),
    { numRuns: 6 },
  );
});
