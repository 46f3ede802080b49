/** Files that take time or memory without end: the process is ended, and nothing else is harmed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { openFileConverter } from "../../src/adapters/files/file-converter.ts";
import { convertBytes, isUnreadable } from "./convert.ts";
import { converting } from "./converting.ts";
import { makeXlsx } from "./make-documents.ts";
import { makePdf, makePdfOfStreams, writePdf } from "./make-pdf.ts";

const MIB = 1024 * 1024;

test("a PDF that takes too long is given up, and the next file is read", async () => {
  const converter = openFileConverter({ processorMs: 4_000, processes: 1 });
  // A million pieces of text take minutes.
  const page = Buffer.from("BT /F 9 Tf 1 0 0 1 5 5 Tm (x) Tj ET\n".repeat(4_000_000));
  const began = performance.now();
  const [slow, next] = await Promise.allSettled([
    converting(converter, makePdfOfStreams([page])),
    converting(converter, "Boats", "a.txt"),
  ]);
  await converter.close();
  assert.ok(slow.status === "rejected");
  isUnreadable(/took more than 4 seconds of processor time/)(slow.reason);
  assert.equal(next.status, "fulfilled");
  assert.ok(performance.now() - began < 30_000);
});

test("a PDF whose page unpacks to gigabytes is given up for its memory, without harm to this process", async () => {
  const converter = openFileConverter({ residentBytes: 400 * MIB });
  // Packed twice, so that a small file becomes large.
  const bytes = deflateSync(deflateSync(Buffer.alloc(1_500 * MIB, " ")));
  assert.ok(bytes.length < MIB);
  const before = process.memoryUsage.rss();
  const hog = converting(converter, writePdf([{ bytes, filters: "/FlateDecode /FlateDecode" }]));
  await assert.rejects(hog, isUnreadable(/needs more memory/));
  assert.ok(process.memoryUsage.rss() - before < 100 * MIB);
  await converter.close();
});

test("a sheet that fills the heap is given up", async () => {
  const converter = openFileConverter({ heapBytes: 64 * MIB });
  const row = '<row><c t="str"><v>boats and oars</v></c><c><v>1</v></c></row>';
  await assert.rejects(
    converting(converter, makeXlsx({ A: row.repeat(1_000_000) })),
    isUnreadable(/needs more memory/),
  );
  await converter.close();
});

test("a PDF of too many pages is refused before they are read", async () => {
  const pdf = makePdf(Array.from({ length: 20_001 }, () => []));
  // Read, they would be pictures.
  await assert.rejects(convertBytes(pdf), isUnreadable(/^The file has more than 20000 pages\.$/));
});

test("an honest PDF of 3,000 pages is read whole", async () => {
  const converter = openFileConverter();
  const pages = Array.from({ length: 3_000 }, (_, page) =>
    Array.from({ length: 40 }, (__, line) => ({
      text: `Line ${line} of page ${page} tells of the boats, the oars and the lake.`,
      at: [50, 700 - line * 14] as const,
    })),
  );
  const converted = await converting(converter, makePdf(pages));
  await converter.close();
  assert.ok(converted.kind === "text");
  assert.equal(converted.pages.length, 3_000);
  assert.match(converted.text.slice(converted.pages[2_999]?.start), /Line 39 of page 2999/);
});
