/** What becomes of ZIP archives. */
import assert from "node:assert/strict";
import fs, { readdir, readFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { convertFile } from "../../src/adapters/files/convert-file.ts";
import { NO_ROOM } from "../../src/ports/file-converter.ts";
import { convertBytes, isUnreadable, LIMITS, withFile } from "./convert.ts";
import { docx, makeDocx } from "./make-documents.ts";
import { makeZip, type ZipMember, zeros } from "./make-zip.ts";

const text = (name: string, content = "Boats"): ZipMember => ({ name, content });

test("members get clean paths, and their bytes are in files with numbers as names", async () => {
  const archive = makeZip([
    text("club/"),
    text("club/boats.txt", "Nixe"),
    text("./club\\oars.txt", "Two"),
    text("__MACOSX/club/._boats.txt"),
    text("club/.DS_Store"),
    { name: "Zürich/fleet.docx", content: makeDocx(docx.paragraph("Boats")) },
  ]);
  await withFile(archive, async (path, folder) => {
    const membersFolder = join(folder, "members");
    const converted = await convertFile({
      name: "club.zip",
      path,
      membersFolder,
      ocrLanguages: [],
      limits: LIMITS,
    });
    assert.ok(converted.kind === "archive");
    assert.equal(converted.mediaType, "application/zip");
    assert.deepEqual(
      converted.members.map((member) => member.path),
      ["club/boats.txt", "club/oars.txt", "Zürich/fleet.docx"],
    );
    assert.equal(converted.members[0]?.bytes, 4);
    assert.deepEqual((await readdir(membersFolder)).sort(), ["0", "1", "2"]);
    assert.equal(await readFile(join(membersFolder, "1"), "utf8"), "Two");
  });
});

test("an archive is not unpacked to more than the disk has room for, which is told apart from a damaged one", async (context) => {
  const statfs = context.mock.method(fs, "statfs", async () => ({
    bsize: 4_096,
    blocks: 8_192,
    bavail: 4_096,
  }));
  syncBuiltinESMExports();
  context.after(() => {
    statfs.mock.restore();
    syncBuiltinESMExports();
  });
  const archive = makeZip([{ name: "boats.txt", content: "", packed: zeros(20) }]);
  await assert.rejects(convertBytes(archive), (error) => {
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, NO_ROOM);
    return true;
  });
  const small = await convertBytes(makeZip([text("boats.txt")]));
  assert.equal(small.kind, "archive");
});

const nested = makeZip([text("inner.txt")]);
const refused: readonly (readonly [what: string, members: readonly ZipMember[], reason: RegExp])[] = [
  [
    "a path that leaves the archive",
    [text("../boats.txt")],
    /^The archive names a file outside of itself\.$/,
  ],
  [
    "a path with a step upwards in it",
    [text("club/..\\..\\boats.txt")],
    /^The archive names a file outside of itself\.$/,
  ],
  ["an absolute path", [text("/etc/passwd")], /^The archive names a file outside of itself\.$/],
  ["a path with a drive", [text("C:\\boats.txt")], /^The archive names a file outside of itself\.$/],
  ["a deep path", [text(`${"a/".repeat(40)}boats.txt`)], /path is too long/],
  ["a long path", [text("a".repeat(500))], /path is too long/],
  ["two files of one name", [text("boats.txt"), text("./boats.txt")], /two files of the name boats\.txt/],
  ["an encrypted member", [{ ...text("boats.txt"), flags: 1 }], /encrypted/],
  [
    "an archive in it",
    [text("a.txt"), { name: "b/inner.bin", content: nested }],
    /another archive, b\/inner\.bin/,
  ],
  ["too many files", Array.from({ length: 101 }, (_, n) => text(`${n}.txt`)), /more than 100 files/],
  ["no file", [text("club/")], /holds no files/],
  ["a bomb", [{ name: "bomb.txt", content: "", packed: zeros(60) }], /unpacks to more than 50000000 bytes/],
  [
    "a bomb that states another size",
    [{ name: "bomb.txt", content: "", packed: { ...zeros(8), size: 10 } }],
    /damaged/,
  ],
];
for (const [what, members, reason] of refused) {
  test(`an archive with ${what} is refused`, async () => {
    await assert.rejects(convertBytes(makeZip(members)), isUnreadable(reason));
  });
}

test("an archive of too many files is refused before one is unpacked", async () => {
  const archive = makeZip(Array.from({ length: 101 }, (_, n) => text(`${n}.txt`)));
  await withFile(archive, async (path, folder) => {
    const membersFolder = join(folder, "members");
    const limits = { name: "club.zip", path, membersFolder, ocrLanguages: [], limits: LIMITS };
    await assert.rejects(convertFile(limits), isUnreadable(/^The archive holds more than 100 files\.$/));
    assert.deepEqual(await readdir(membersFolder), []);
  });
});

test("a truncated archive and one with a wrong sum are refused", async () => {
  const archive = makeZip([text("boats.txt", "Nixe and Undine are old boats.")]);
  await assert.rejects(
    convertBytes(archive.subarray(0, archive.length - 30)),
    isUnreadable(/its end is missing/),
  );
  const wrong = makeZip([{ ...text("boats.txt"), packed: { ...zeros(1), sum: 7 } }]);
  await assert.rejects(convertBytes(wrong), isUnreadable(/damaged/));
});
