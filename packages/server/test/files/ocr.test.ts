/** Text in pictures: pictures of pages, and PDF files that consist of them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openFileConverter } from "../../src/adapters/files/file-converter.ts";
import { findOcrLanguage } from "../../src/adapters/files/ocr/languages.ts";
import type { OcrLanguage } from "../../src/adapters/files/ocr/recogniser.ts";
import { tiffPages } from "../../src/adapters/files/ocr/tiff-pages.ts";
import { recogniseScans } from "../../src/adapters/files/pdf/recognise-scans.ts";
import { isUnreadable, recogniseBytes } from "./convert.ts";
import { converting } from "./converting.ts";
import { makeScan, type PdfPicture } from "./make-pdf.ts";

const SENTENCE = "Members row on Sundays, and nobody rows in winter.";

const picture = (name: string) => readFile(join(import.meta.dirname, "pictures", name));

test("a scan of two pages keeps its heading, paragraphs, list, table and pages", async () => {
  const { text, mediaType, pages, ocr } = await recogniseBytes(await picture("pages.tiff"));
  const first =
    "# The rowing club\n\nThe club owns two wooden boats, which are kept in the boathouse by the lake all year and are varnished in spring." +
    "\n\nThey are taken out with\n\n- oars of ash and\n- ropes of hemp." +
    "\n\n| Boat | Seats | Built |\n| --- | --- | --- |\n| Nixe | four | 1921 |\n| Undine | eight | 1935 |";
  assert.equal(text, `${first}\n\n${SENTENCE}`);
  assert.deepEqual([mediaType, ocr], ["image/tiff", { read: 2, unread: [] }]);
  assert.deepEqual(
    pages.map(({ page, start }) => [page, text.slice(start, start + 8)]),
    [
      [1, "# The ro"],
      [2, "Members "],
    ],
  );
});

test("a picture that lies on its side is turned, and one of noise has no text", async () => {
  assert.equal((await recogniseBytes(await picture("turned.png"))).text, SENTENCE);
  await assert.rejects(
    recogniseBytes(makeScan([noise()])),
    isUnreadable(/its page is a picture, in which none was recognised \(eng\)/),
  );
});

test("pages of a PDF without text are read, and those that cannot be are told", async () => {
  const pages = [[{ text: "Minutes of the club", at: [50, 700] as const }], await faxPicture(), [], noise()];
  const { text, ocr, pages: starts } = await recogniseBytes(makeScan(pages));
  assert.equal(text, `Minutes of the club\n\n${SENTENCE}`);
  assert.deepEqual(ocr, { read: 1, unread: [4] });
  assert.deepEqual(
    starts.map(({ page }) => page),
    [1, 2],
  );
});

test("too many pages are refused with the number that can be read; beside pages of text, they are told", async () => {
  const blank = { lines: [], bottom: 0, top: 800 };
  const line = { text: "Minutes", left: 0, right: 9, base: 700, isBold: false, size: 10, cells: [] };
  let [time, step] = [0, 6 * 60_000];
  const ocr = { languages: [english()], onBegin: () => undefined, usedMs: () => (time += step) };
  const fax = await faxPicture();
  const scan = { bytes: makeScan([fax, fax, fax, fax]), ocr };
  await assert.rejects(
    recogniseScans({ ...scan, pages: [blank, blank, blank, blank] }),
    isUnreadable(/scan of 4 pages, of which 1 could be recognised/),
  );
  step = 50_000;
  const mixed = await recogniseScans({ ...scan, pages: [{ ...blank, lines: [line] }, blank, blank, blank] });
  assert.deepEqual(mixed.ocr, { read: 2, unread: [4] });
});

test("a process recognises with the data of its languages, and a broken picture has a reason", async () => {
  const converter = openFileConverter({ ocrLanguages: [english()] });
  const [page, broken] = await Promise.allSettled([
    picture("page.jpg").then((bytes) => converting(converter, bytes)),
    picture("page.jpg").then((bytes) => converting(converter, bytes.subarray(0, 200))),
  ]);
  await converter.close();
  assert.ok(page.status === "fulfilled" && page.value.kind === "text");
  assert.deepEqual([page.value.text, page.value.ocr], [SENTENCE, { read: 1, unread: [] }]);
  assert.ok(broken.status === "rejected");
  isUnreadable(/picture is damaged|No text was recognised/)(broken.reason);
});

test("a TIFF of which the pages go round in a circle, or lie behind its end, is damaged", async () => {
  const bytes = await picture("pages.tiff");
  const [first = 0] = [...tiffPages(Buffer.from(bytes))].map((page) => page.readUInt32LE(4));
  const next = first + 2 + bytes.readUInt16LE(first) * 12;
  for (const target of [first, bytes.length]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt32LE(target, next);
    assert.throws(() => [...tiffPages(changed)], isUnreadable(/its list of pages is broken/));
  }
});

function english(): OcrLanguage {
  const language = findOcrLanguage("eng", null);
  assert.ok(language !== null);
  return language;
}

/** Without order, the same each time. */
function noise(): PdfPicture {
  const bytes = Buffer.alloc(40 * 40);
  let state = 1;
  for (const index of bytes.keys()) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 24;
  }
  return {
    ...{ width: 40, height: 40, bytes, shownWidth: 60 },
    entries: "/ColorSpace /DeviceGray /BitsPerComponent 8",
  };
}

/** The second page of the TIFF as fax machines and copiers pack it. */
async function faxPicture(): Promise<PdfPicture> {
  const bytes = await picture("pages.tiff");
  const [, start = 0] = [...tiffPages(Buffer.from(bytes))].map((page) => page.readUInt32LE(4));
  const tags = new Map<number, number>();
  for (let entry = 0; entry < bytes.readUInt16LE(start); entry++) {
    const at = start + 2 + entry * 12;
    const isShort = bytes.readUInt16LE(at + 2) === 3;
    tags.set(bytes.readUInt16LE(at), isShort ? bytes.readUInt16LE(at + 8) : bytes.readUInt32LE(at + 8));
  }
  const [width = 0, height = 0, offset = 0, length = 0] = [256, 257, 273, 279].map((tag) => tags.get(tag));
  const params = `/DecodeParms << /K -1 /Columns ${width} /Rows ${height} >>`;
  return {
    ...{ width, height, bytes: bytes.subarray(offset, offset + length) },
    entries: `/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode ${params}`,
  };
}
