/** Reads members of ZIP files, which documents of office programs and e-books are, too. */
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { shortened } from "../../domain/shortened.ts";
import { UnreadableFile } from "../../domain/unreadable-file.ts";

export interface Zip {
  /** Names of the members, in the order of the archive's directory. */
  readonly names: readonly string[];
  /** @throws UnreadableFile when there is no such member */
  read(name: string): Promise<Buffer>;
  /** null = there is no such member. */
  find(name: string): Promise<Buffer | null>;
  /** Capitals and small letters are the same where no member has exactly the name. */
  has(name: string): boolean;
  close(): void;
}

/** A document has far fewer members; the names of all are kept in memory. */
const MAX_MEMBERS = 100_000;
export const OUTSIDE = "The archive names a file outside of itself.";
const MAX_SHOWN_NAME = 200;

/** @param maxBytes of all members that are read, unpacked. @throws UnreadableFile when it is damaged or encrypted */
export async function openZip(path: string, maxBytes: number): Promise<Zip> {
  const file = await openArchive(path);
  const entries = new Map<string, Entry>();
  for await (const entry of entriesOf(file)) {
    if (entries.size >= MAX_MEMBERS) throw new UnreadableFile("The file has too many parts.");
    entries.set(entry.fileName, entry);
  }
  let left = maxBytes;
  const byLowerCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  const entryOf = (name: string) => entries.get(name) ?? byLowerCase.get(name.toLowerCase());

  async function find(name: string): Promise<Buffer | null> {
    const entry = entryOf(name);
    if (entry === undefined) return null;
    const pieces: Buffer[] = [];
    for await (const piece of openMember(file, entry)) {
      left -= piece.length;
      if (left < 0) throw new UnreadableFile(`The file unpacks to more than ${maxBytes} bytes.`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  return {
    names: [...entries.keys()],
    find,
    has: (name) => entryOf(name) !== undefined,
    async read(name) {
      const found = await find(name);
      if (found === null)
        throw new UnreadableFile(`The file is damaged: its part ${shownName(name)} is missing.`);
      return found;
    },
    close: () => file.close(),
  };
}

/** For a reason: a name can be as long as a part of the file. */
export function shownName(name: string): string {
  return shortened(name, MAX_SHOWN_NAME);
}

/** @throws UnreadableFile when the directory at the end is missing */
export async function openArchive(path: string): Promise<ZipFile> {
  try {
    // Lazily: the next entry is read when it is asked for. Open until the process ends or `close`.
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    const isCut = error instanceof Error && error.message.includes("End of central directory");
    throw new UnreadableFile(
      isCut
        ? "The file is truncated: it begins like a ZIP file, but its end is missing."
        : "The file is damaged: its ZIP structure cannot be read.",
    );
  }
}

/** @throws UnreadableFile for a name that leaves the archive, which yauzl refuses */
export async function* entriesOf(file: ZipFile): AsyncGenerator<Entry, void> {
  try {
    yield* file.eachEntry();
  } catch (error) {
    const leaves = /^(?:invalid relative path|absolute path|invalid characters in fileName): /;
    if (error instanceof Error && leaves.test(error.message)) throw new UnreadableFile(OUTSIDE);
    throw error;
  }
}

/**
 * The unpacked bytes of a member, piece by piece.
 *
 * @throws UnreadableFile when it is encrypted, packed in a way that is not supported, or has another check sum than stated
 */
export async function* openMember(file: ZipFile, entry: Entry): AsyncIterable<Buffer> {
  if (entry.isEncrypted()) {
    throw new UnreadableFile("The file is encrypted. Remove its password and send it again.");
  }
  if (!entry.canDecodeFileData()) {
    throw new UnreadableFile(
      `The part ${shownName(entry.fileName)} is packed by a method that is not supported.`,
    );
  }
  let sum = 0;
  for await (const piece of await file.openReadStreamPromise(entry)) {
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32)
    throw new UnreadableFile(`The file is damaged: the check sum of ${shownName(entry.fileName)} is wrong.`);
}
