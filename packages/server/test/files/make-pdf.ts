/** Makes PDF files for tests: pages of lines in given places. */
import { deflateSync } from "node:zlib";

export interface PdfText {
  readonly text: string;
  /** From the left and from the bottom of a page of 600 × 800 points. */
  readonly at: readonly [left: number, base: number];
  readonly size?: number;
  readonly isBold?: boolean;
}

/** @param extra an entry of the trailer, such as `/Encrypt …`; an `/Info …` takes the place of the usual one */
export function makePdf(pages: readonly (readonly PdfText[])[], extra = ""): Buffer {
  return makePdfOfStreams(
    pages.map((texts) => Buffer.from(texts.map(show).join("\n"), "latin1")),
    extra,
  );
}

/** @param pageEntries further ones of each page, such as `/Rotate 90` */
export function makePdfOfStreams(streams: readonly Buffer[], extra = "", pageEntries = ""): Buffer {
  return writePdf(
    streams.map((stream) => ({ bytes: deflateSync(stream), filters: "/FlateDecode" })),
    extra,
    pageEntries,
  );
}

export interface PackedStream {
  readonly bytes: Buffer;
  readonly filters: string;
}

export function writePdf(streams: readonly PackedStream[], extra = "", pageEntries = ""): Buffer {
  const first = 5;
  const kids = streams.map((_, index) => `${first + index * 2} 0 R`).join(" ");
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"),
  ];
  for (const [index, { bytes, filters }] of streams.entries()) {
    const content = first + index * 2 + 1;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${content} 0 R /Resources << /Font << /F 3 0 R /B 4 0 R >> >> ${pageEntries} >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${bytes.length} /Filter [${filters}] >>\nstream\n`),
        bytes,
        Buffer.from("\nendstream"),
      ]),
    );
  }
  return joinObjects(objects, extra);
}

export interface PdfPicture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  /** Further entries of its dictionary: how it is packed, and its colours. */
  readonly entries: string;
  /** On the page, in points; default 600. */
  readonly shownWidth?: number;
}

/** Pages of 600 × 800 points: a picture at the upper left, lines of text, or neither. */
export function makeScan(pages: readonly (PdfPicture | readonly PdfText[])[]): Buffer {
  const first = 4;
  const kids = pages.map((_, index) => `${first + index * 3} 0 R`).join(" ");
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
  ];
  for (const [index, page] of pages.entries()) {
    const number = first + index * 3;
    const isPicture = "bytes" in page;
    const width = isPicture ? (page.shownWidth ?? 600) : 0;
    const height = isPicture ? Math.round((width * page.height) / page.width) : 0;
    const content = isPicture
      ? `q ${width} 0 0 ${height} 0 ${800 - height} cm /P Do Q`
      : page.map(show).join("\n");
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${number + 1} 0 R /Resources << /Font << /F 3 0 R >> /XObject << /P ${number + 2} 0 R >> >> >>`,
      ),
      streamOf("", Buffer.from(content)),
      isPicture
        ? streamOf(
            `/Type /XObject /Subtype /Image /Width ${page.width} /Height ${page.height} ${page.entries}`,
            page.bytes,
          )
        : Buffer.from("null"),
    );
  }
  return joinObjects(objects, "");
}

/** The first of the forms has the number of this object; each can use the next one as `/X`, and the page the first. */
export const FIRST_FORM = 6;

export function makePdfOfForms(content: string, forms: readonly string[], pageEntries = ""): Buffer {
  const resources = (form: number) => `/Resources << /Font << /F 3 0 R >> /XObject << /X ${form} 0 R >> >>`;
  return joinObjects(
    [
      Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
      Buffer.from("<< /Type /Pages /Kids [4 0 R] /Count 1 >>"),
      Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R ${resources(FIRST_FORM)} ${pageEntries} >>`,
      ),
      streamOf("", Buffer.from(content)),
      ...forms.map((form, at) =>
        streamOf(
          `/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${resources(FIRST_FORM + at + 1)}`,
          Buffer.from(form),
        ),
      ),
    ],
    "",
  );
}

function streamOf(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

export function show({ text, at: [left, base], size = 10, isBold = false }: PdfText): string {
  const escaped = text.replace(/[\\()]/g, "\\$&");
  return `BT /${isBold ? "B" : "F"} ${size} Tf ${left} ${base} Td (${escaped}) Tj ET`;
}

function joinObjects(objects: readonly Buffer[], extra: string): Buffer {
  const parts = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const info = extra.startsWith("/Info")
    ? ""
    : "/Info << /Title (The rowing club) /CreationDate (D:20210304120000Z) >>";
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n` +
        `<< /Size ${objects.length + 1} /Root 1 0 R ${info} ${extra} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
