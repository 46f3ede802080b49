/** Conversion in a process of its own: its results, and that it can be ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openFileConverter } from "../../src/adapters/files/file-converter.ts";
import { isUnreadable, withFile } from "./convert.ts";
import { converting, memberText } from "./converting.ts";
import { makePdf } from "./make-pdf.ts";
import { makeZip } from "./make-zip.ts";

test("a process converts a text, a PDF with its pages and an archive, and refuses with the reason", async () => {
  const converter = openFileConverter();
  const [text, pdf, archive, refused] = await Promise.allSettled([
    converting(converter, "Zürich", "boats.txt"),
    converting(converter, makePdf([[{ text: "Nixe", at: [50, 700] }], [{ text: "Undine", at: [50, 700] }]])),
    withFile(makeZip({ "a.txt": "Nixe" }), async (path, folder) => {
      const file = { name: "a.zip", path };
      const signal = new AbortController().signal;
      const converted = await converter.convert({ file, folder, maxTextBytes: 1_000, signal });
      assert.ok(converted.kind === "archive");
      return [converted.members[0]?.path, await memberText(converted)];
    }),
    converting(converter, Buffer.from("\x89PNG\r\n", "latin1"), "a.txt"),
  ]);
  await converter.close();
  assert.ok(text.status === "fulfilled" && text.value.kind === "text");
  assert.deepEqual([text.value.text, text.value.mediaType, text.value.pages], ["Zürich", "text/plain", []]);
  assert.ok(pdf.status === "fulfilled" && pdf.value.kind === "text");
  assert.deepEqual(pdf.value.pages, [
    { page: 1, start: 0 },
    { page: 2, start: 6 },
  ]);
  assert.ok(archive.status === "fulfilled");
  assert.deepEqual(archive.value, ["a.txt", "Nixe"]);
  assert.ok(refused.status === "rejected");
  isUnreadable(/is a picture/)(refused.reason);
});

test("a conversion ends with the reason of its signal, and all end when the converter is closed", async () => {
  const converter = openFileConverter();
  const stop = new AbortController();
  const stopped = converting(converter, "Boats", "a.txt", stop.signal);
  const open = converting(converter, "Boats", "a.txt");
  const waiting = converting(converter, "Boats", "a.txt");
  stop.abort(new Error("the job was cancelled"));
  await assert.rejects(stopped, /the job was cancelled/);
  await Promise.all([
    converter.close(),
    assert.rejects(open, /is closed/),
    assert.rejects(waiting, /is closed/),
  ]);
  await assert.rejects(converting(converter, "Boats", "a.txt"), /is closed/);
});

test("a machine's fault is not the file's", async () => {
  const converter = openFileConverter();
  const missing = withFile("x", (path, folder) =>
    converter.convert({
      file: { name: "a.txt", path: `${path}-missing` },
      folder,
      maxTextBytes: 1_000,
      signal: new AbortController().signal,
    }),
  );
  await assert.rejects(
    missing,
    (error) => error instanceof Error && error.name === "Error" && /ENOENT/.test(error.message),
  );
  await converter.close();
});

test("a PDF whose objects are not where its table says is read", async () => {
  const converter = openFileConverter();
  const pages = ["Boats", "Oars", "Lakes"].map((text) => [{ text, at: [50, 700] as const }]);
  const whole = makePdf(pages).toString("latin1");
  // The second page and what follows change places with the third one.
  const [second, third, table] = ["6 0 obj", "8 0 obj", "xref\n"].map((mark) => whole.indexOf(mark));
  const moved = whole.slice(third, table) + whole.slice(second, third);
  const broken = Buffer.from(whole.slice(0, second) + moved + whole.slice(table), "latin1");
  const converted = await converting(converter, broken, "a.pdf");
  await converter.close();
  assert.ok(converted.kind === "text");
  assert.match(converted.text, /Boats\s+Oars\s+Lakes/);
});
