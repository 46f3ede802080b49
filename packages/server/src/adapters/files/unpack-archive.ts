/** Unpacks a ZIP archive into files with numbers as names, so that no path of the archive reaches the disk. */
import { createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { withoutControls } from "./markdown.ts";
import { recognisePackage } from "./read-package.ts";
import { openArchive, openMember, openZip } from "./zip.ts";

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

/** Writes member n to `folder`/n. @throws UnreadableFile when the archive is damaged, encrypted, too large or holds an archive */
export async function unpackArchive(
  path: string,
  folder: string,
  limits: ArchiveLimits,
): Promise<readonly Member[]> {
  await mkdir(folder, { recursive: true });
  const archive = await openArchive(path);
  const members: Member[] = [];
  const paths = new Set<string>();
  let left = limits.archiveBytes;
  try {
    for await (const entry of archive.eachEntry()) {
      const clean = cleanPath(entry.fileName);
      if (clean === null) continue;
      if (paths.has(clean)) throw new UnreadableFile(`The archive holds two files of the name ${clean}.`);
      paths.add(clean);
      if (members.length >= limits.archiveMembers) {
        throw new UnreadableFile(`The archive holds more than ${limits.archiveMembers} files.`);
      }
      const file = join(folder, String(members.length));
      const stream = Readable.from(bounded(openMember(archive, entry), left, limits.archiveBytes));
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

/** The real size counts, not the one that the archive states. */
async function* bounded(pieces: AsyncIterable<Buffer>, left: number, limit: number): AsyncIterable<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > left) throw new UnreadableFile(`The archive unpacks to more than ${limit} bytes.`);
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
    throw new UnreadableFile("The archive names a file outside of itself.");
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
