/** Whatever the bytes are, a conversion ends in a text, in an archive or in an UnreadableFile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UnreadableFile } from "../../src/domain/unreadable-file.ts";
import { convertBytes } from "./convert.ts";
import { docx, makeDocx, makeEpub, makeOdf, makePptx, makeXlsx, shape } from "./make-documents.ts";
import { makePdf } from "./make-pdf.ts";
import { makeZip } from "./make-zip.ts";

const RUNS = 20;

const valid: Readonly<Record<string, Buffer>> = {
  "a.pdf": makePdf([
    [{ text: "The boats are old.", at: [50, 700] }],
    [{ text: "Oars", at: [50, 700], size: 20 }],
  ]),
  "a.docx": makeDocx(docx.heading("Boats") + docx.item("Oars") + docx.table([["a", "b"]])),
  "a.pptx": makePptx([shape("title", "Boats") + shape("body", "Oars")], "Notes"),
  "a.xlsx": makeXlsx({ A: '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>' }, ["Boats"]),
  "a.odt": makeOdf(
    "text",
    "<text:h>Boats</text:h><text:list><text:list-item><text:p>Oars</text:p></text:list-item></text:list>",
  ),
  "a.epub": makeEpub(["<h1>Boats</h1><p>Oars</p>"]),
  "a.zip": makeZip({ "a.txt": "Boats", "b/c.txt": "Oars" }),
  "a.html": Buffer.from(
    "<!DOCTYPE html><html><body><table><tr><td>a<td>b</table><ul><li>c</ul></body></html>",
  ),
  "a.eml": Buffer.from(
    "From: a@b.c\r\nDate: Thu, 4 Mar 2021 12:00:00 +0000\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nBoats\r\n--x--\r\n",
  ),
  "a.csv": Buffer.from('a,b\n"c ""d""",e\n'),
  "a.json": Buffer.from('{"boats":[{"name":"Nixe","seats":4}]}'),
  "a.jsonl": Buffer.from('{"a":1}\n{"a":2}\n'),
  "a.md": Buffer.from("# Boats\n\n- Oars\n"),
};

async function endsWell(bytes: Uint8Array, name: string): Promise<void> {
  try {
    const converted = await convertBytes(bytes, name);
    if (converted.kind === "archive") return;
    assert.notEqual(converted.text, "");
    assert.ok(converted.text.isWellFormed() && !converted.text.includes("\0"));
    const starts = converted.pages.map(({ start }) => start);
    assert.deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
    );
    assert.ok(starts.every((start) => start >= 0 && start <= converted.text.length));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    assert.match(error.reason, /^(?:The|Reading) [^\n]{5,300}\.$/);
  }
}

test("random bytes", async () => {
  const starts = ["", "%PDF-1.4\n", "PK\x03\x04", "{", "<html>", "\ufeff"].map((start) =>
    Buffer.from(start, "latin1"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 2_000 }),
      fc.constantFrom(...Object.keys(valid)),
      (start, bytes, name) => endsWell(Buffer.concat([start, bytes]), name),
    ),
    { numRuns: RUNS * 5 },
  );
});

for (const [name, bytes] of Object.entries(valid)) {
  test(`${name}, damaged at random`, async () => {
    await endsWell(bytes, name);
    const place = fc.nat({ max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.nat({ max: 255 })), { maxLength: 20 }),
        fc.option(place),
        (changes, end) => {
          const damaged = Buffer.from(bytes);
          for (const [at, byte] of changes) damaged[at] = byte;
          return endsWell(damaged.subarray(0, end ?? bytes.length), name);
        },
      ),
      { numRuns: RUNS },
    );
  });
}
