/** Each kind of file that cannot be read is refused with a sentence of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { UnreadableFile } from "../../src/domain/unreadable-file.ts";
import { convertBytes, convertText, isUnreadable, LIMITS } from "./convert.ts";
import { docx, makeDocx, makeOdf, makePptx, makeXlsx } from "./make-documents.ts";
import { makePdf } from "./make-pdf.ts";
import { makeZip, type ZipMember } from "./make-zip.ts";

const PDF = makePdf([[{ text: "The boats are kept in the house by the lake.", at: [50, 700] }]]);
const ENCRYPTED_PDF = makePdf(
  [[{ text: "x", at: [50, 700] }]],
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> >> /ID [<00> <00>]`,
);
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

function compound(stream: string): Buffer {
  return Buffer.concat([Buffer.from(OLE, "latin1"), Buffer.alloc(600), Buffer.from(stream, "utf16le")]);
}

const refused: readonly (readonly [what: string, bytes: Buffer | string, reason: RegExp])[] = [
  ["an empty file", "", /is empty/],
  ["white space", " \n\t ", /has no text/],
  ["a few bytes with a zero among them", Buffer.from([0x89, 0x50, 0, 0xff]), /type of the file is not known/],
  ["an encrypted PDF", ENCRYPTED_PDF, /PDF is encrypted/],
  ["a truncated PDF", PDF.subarray(0, PDF.length * 0.6), /PDF is truncated/],
  ["a damaged PDF", Buffer.from("%PDF-1.7\nnothing\nstartxref\n12\n%%EOF"), /PDF is damaged/],
  ["a scan", makePdf([[], []]), /PDF has no text: its 2 pages are pictures/],
  ["an encrypted Office file", compound("EncryptedPackage"), /encrypted\. Remove its password/],
  ["an old Word file", compound("WordDocument"), /before 2007 \(DOC\)/],
  ["an old Excel file", compound("Workbook"), /before 2007 \(XLS\)/],
  ["a DOCX with macros", makeDocx("", { "word/vbaProject.bin": "x" }), /contains macros/],
  ["a DOCX without text", makeDocx(""), /has no text/],
  ["a DOCX without its document", makeDocx("x").subarray(0, 300), /truncated: .{0,60}its end is missing/],
  ["an Office file without a part", makeXlsx({ A: "" }).fill("x", 40, 60), /damaged|macros|other than/],
  ["an Office drawing", makeZip({ "[Content_Types].xml": "<Types/>" }), /Office program other than/],
  [
    "an encrypted OpenDocument",
    makeZip({
      mimetype: "application/vnd.oasis.opendocument.text",
      "META-INF/manifest.xml": "<m><encryption-data/></m>",
    }),
    /encrypted/,
  ],
  [
    "an OpenDocument with macros",
    makeZip({ mimetype: "application/vnd.oasis.opendocument.text", "Basic/Standard/Module1.xba": "x" }),
    /contains macros/,
  ],
  [
    "an OpenDocument without content",
    makeZip({ mimetype: "application/vnd.oasis.opendocument.text" }),
    /part content\.xml is missing/,
  ],
  ["a picture", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), /is a picture/],
  ["another archive", Buffer.from("\x1f\x8b\x08\0\0", "latin1"), /send it as ZIP/],
  ["RTF", "{\\rtf1 The boats}", /format RTF/],
  ["a program", Buffer.from("\x7fELF\x02\x01", "latin1"), /is a program/],
  ["unknown bytes", Buffer.from([1, 2, 3, 0, 4, 5, 6, 7, 8]), /type of the file is not known/],
  ["a table with a quote that never ends", 'a,b\n"1,2\n', /table cannot be read/],
];
for (const [what, bytes, reason] of refused) {
  test(`${what} is refused`, async () => {
    const name = what.startsWith("a table") ? "x.csv" : "file";
    await assert.rejects(convertBytes(bytes, name), isUnreadable(reason));
  });
}

test("a file whose name promises a type that it has not is told so", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
  const reason =
    /^The name of the file ends in \.docx, but it is no DOCX: it is damaged or of another type\.$/;
  await assert.rejects(convertBytes(bytes, "sent/broken.docx"), isUnreadable(reason));
  await assert.rejects(convertBytes(compound("x"), "broken.docx"), isUnreadable(reason));
  await assert.rejects(convertBytes(bytes, "docx"), isUnreadable(/type of the file is not known/));
});

test("a reason quotes the beginning of a name, however long it is, without control characters", async () => {
  const long = "long\x1bname".repeat(500_000);
  const relations = `<r><Relationship Id="r0" Type="x/slide" Target="${long}"/></r>`;
  const slides = makePptx([""], "", { "ppt/_rels/presentation.xml.rels": relations });
  const epub = (path: string, ...members: readonly ZipMember[]) =>
    makeZip([
      { name: "mimetype", content: "application/epub+zip" },
      {
        name: "META-INF/container.xml",
        content: `<container><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`,
      },
      ...members,
    ]);
  const [name, content] = ["n".repeat(60_000), "another check sum"];
  const packed = { bytes: deflateRawSync(content), size: content.length, sum: 1 };
  for (const bytes of [slides, epub(long), epub(name, { name, content, packed })])
    await assert.rejects(convertBytes(bytes), (error) => {
      assert.ok(error instanceof UnreadableFile);
      assert.ok(error.reason.length < 400, String(error.reason.length));
      assert.doesNotMatch(error.reason, /\p{Cc}/u);
      assert.match(error.reason, /…/);
      return true;
    });
});

test("a text longer than allowed is refused", async () => {
  const limits = { ...LIMITS, maxTextBytes: 10 };
  await assert.rejects(convertBytes("The boats are old.", "x", limits), isUnreadable(/longer than 10 bytes/));
  await convertBytes("0123456789", "x", limits);
});

test("entities that a document declares are not expanded, from files or exponentially", async () => {
  const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    "",
  );
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const odf = makeZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `${doctype}<x><body><text><p>Boats &l20; &f;</p></text></body></x>`,
  });
  const word = makeDocx("", {
    "word/document.xml": `${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${docx.paragraph("Boats &l20; &f;")}</w:body></w:document>`,
  });
  for (const bytes of [odf, word]) {
    const outcome = await convertText(bytes).then(({ text }) => text, String);
    assert.match(outcome, /^Boats|^UnreadableFile/);
    assert.doesNotMatch(outcome, /root:|haha/);
  }
  const xhtml = `${doctype}<html><body><p>Boats &l20; &f;</p></body></html>`;
  const { text } = await convertText(xhtml, "page.xhtml");
  assert.match(text, /Boats/);
  assert.doesNotMatch(text, /root:|haha/);
});

test("elements nested without end are refused, and marks that are never closed are not", async () => {
  await assert.rejects(
    convertBytes(makeOdf("text", "<text:p>".repeat(5_000))),
    isUnreadable(/nested too deeply/),
  );
  await assert.rejects(
    convertBytes(`<html>${"<div>".repeat(30_000)}boats`),
    isUnreadable(/nested too deeply/),
  );
  const { text } = await convertText(`<html>${"<p><font>boat ".repeat(5_000)}`);
  assert.equal(text.match(/boat/g)?.length, 5_000);
});
