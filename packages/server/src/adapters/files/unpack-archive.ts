/** Unpacks a ZIP archive into files with numbers as names, so that no path of the archive reaches the disk. */
import { createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { createRoom, diskSpaceOf, type TakeRoom } from "./disk-room.ts";
import { withoutControls } from "./markdown.ts";
import { recognisePackage } from "./read-package.ts";
import { entriesOf, OUTSIDE, openArchive, openMember, openZip } from "./zip.ts";

export interface ArchiveLimits {
  readonly archiveMembers: number;
  /** Of all members, unpacked. */
  readonly archiveBytes: number;
}

export interface Member {
  /** Clean: relative, `/` between folders, no `..`. */
  readonly path: string;
  readonly bytes: number;
}

const MAX_PATH_LENGTH = 400;
const MAX_DEPTH = 32;

/**
 * Writes member n to `folder`/n.
 * @throws UnreadableFile when the archive is damaged, encrypted, too large or holds an archive; what `createRoom` does
 */
export async function unpackArchive(
  path: string,
  folder: string,
  limits: ArchiveLimits,
): Promise<readonly Member[]> {
  await mkdir(folder, { recursive: true });
  const archive = await openArchive(path);
  const members: Member[] = [];
  const takeRoom = createRoom(() => diskSpaceOf(folder));
  let left = limits.archiveBytes;
  try {
    for (const [clean, entry] of await filesOf(archive, limits)) {
      const file = join(folder, String(members.length));
      const pieces = bounded(openMember(archive, entry), left, limits.archiveBytes);
      const stream = Readable.from(withRoom(pieces, takeRoom));
      const output = createWriteStream(file, { flags: "wx" });
      await pipeline(stream, output);
      await refuseArchive(file, clean);
      left -= output.bytesWritten;
      members.push({ path: clean, bytes: output.bytesWritten });
    }
  } finally {
    archive.close();
  }
  if (members.length === 0) throw new UnreadableFile("The archive holds no files.");
  return members;
}

/** By their clean paths. An archive of too many, or of a name that is refused, is not unpacked in part. */
async function filesOf(archive: ZipFile, { archiveMembers }: ArchiveLimits): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>();
  for await (const entry of entriesOf(archive)) {
    const clean = cleanPath(entry.fileName);
    if (clean === null) continue;
    if (files.has(clean)) throw new UnreadableFile(`The archive holds two files of the name ${clean}.`);
    if (files.size >= archiveMembers)
      throw new UnreadableFile(`The archive holds more than ${archiveMembers} files.`);
    files.set(clean, entry);
  }
  return files;
}

/** The real size counts, not the one that the archive states. */
async function* bounded(pieces: AsyncIterable<Buffer>, left: number, limit: number): AsyncIterable<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > left) throw new UnreadableFile(`The archive unpacks to more than ${limit} bytes.`);
    yield piece;
  }
}

async function* withRoom(pieces: AsyncIterable<Buffer>, takeRoom: TakeRoom): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    await takeRoom(piece.length);
    yield piece;
  }
}

/** null = a folder, or a file that only an operating system wants. @throws UnreadableFile when it leaves the archive */
function cleanPath(name: string): string | null {
  const parts = withoutControls(name)
    .replace(/[\n\t]/g, " ")
    .split(/[/\\]/)
    .filter((part) => part !== "" && part !== ".");
  const path = parts.join("/");
  if (
    /[/\\]$/.test(name) ||
    parts[0] === "__MACOSX" ||
    /^(?:\.DS_Store|Thumbs\.db)$/.test(parts.at(-1) ?? "")
  ) {
    return null;
  }
  if (parts.includes("..") || /^(?:[/\\]|[A-Za-z]:)/.test(name) || path === "") {
    throw new UnreadableFile(OUTSIDE);
  }
  if (path.length > MAX_PATH_LENGTH || parts.length > MAX_DEPTH) {
    throw new UnreadableFile("The archive holds a file whose path is too long.");
  }
  return path;
}

/** Archives in archives multiply, and each would have limits of its own. */
async function refuseArchive(file: string, path: string): Promise<void> {
  const handle = await open(file);
  const start = Buffer.alloc(2);
  await handle.read(start, 0, 2, 0);
  await handle.close();
  if (start.toString("latin1") !== "PK") return;
  // A member that is damaged or refused itself gets its own sentence when it is converted.
  const isArchive = await isPlainZip(file).catch(() => false);
  if (isArchive)
    throw new UnreadableFile(`The archive holds another archive, ${path}; unpack that one before.`);
}

async function isPlainZip(file: string): Promise<boolean> {
  const zip = await openZip(file, 10 * 1024 * 1024);
  try {
    return (await recognisePackage(zip)) === null;
  } finally {
    zip.close();
  }
}
