/**
 * Copies of objects on this machine's disk, for all threads and processes with this data directory. It may be deleted at any time, and what
 * a start finds in it is used: whoever reads a copy compares it with its checksum. A fault of the disk is as if there were no copy.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SegmentObject } from "../../ports/segment-objects.ts";

export interface DiskCache {
  read(object: SegmentObject): Promise<Uint8Array | null>;
  write(key: string, bytes: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
}

interface Copy {
  readonly path: string;
  readonly size: number;
  readonly usedAt: number;
}

const UNFINISHED = ".part";
/** A write that takes longer was ended. */
const UNFINISHED_MS = 10 * 60_000;
/** Looked at together. */
const COPIES_AT_ONCE = 64;
/** A look through the folder leaves this part of the limit, and each thread may add a small part before its next look. */
const KEPT_PART = 3 / 4;
const ADDED_PART = 1 / 64;
/** A larger object is not copied. */
const LARGEST_PART = 1 / 16;

export function openDiskCache(
  { folder, maxBytes }: { readonly folder: string; readonly maxBytes: number },
  now: () => number = Date.now,
): DiskCache {
  /** Since the last look; the first write looks. */
  let added = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | null = null;
  const pathOf = (key: string) => join(folder, key.replaceAll("/", "~"));

  async function look(): Promise<void> {
    added = 0;
    const copies = await listCopies(folder, now());
    let total = copies.reduce((sum, { size }) => sum + size, 0);
    if (total <= maxBytes * KEPT_PART) return;
    for (const { path, size } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes * KEPT_PART) return;
      await unlink(path).catch(() => undefined);
      total -= size;
    }
  }

  async function add(path: string, bytes: Uint8Array): Promise<void> {
    // Not with its parents: a data directory that was moved away is not made again.
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    const unfinished = `${path}.${randomBytes(6).toString("hex")}${UNFINISHED}`;
    try {
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, path);
    } catch (error) {
      await unlink(unfinished).catch(() => undefined);
      throw error;
    }
  }

  return {
    async read({ key, byteLength }) {
      const path = pathOf(key);
      try {
        if ((await stat(path)).size !== byteLength) return null;
        const bytes = await readFile(path);
        await utimes(path, now() / 1_000, now() / 1_000);
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      } catch {
        return null;
      }
    },
    async write(key, bytes) {
      if (bytes.byteLength > maxBytes * LARGEST_PART) return;
      if (added + bytes.byteLength > maxBytes * ADDED_PART) {
        looking ??= look()
          .catch(() => undefined)
          .finally(() => {
            looking = null;
          });
        await looking;
      }
      added += bytes.byteLength;
      await add(pathOf(key), bytes).catch(() => undefined);
    },
    async remove(key) {
      await unlink(pathOf(key)).catch(() => undefined);
    },
  };
}

/** Removes what writes that were ended have left. */
async function listCopies(folder: string, now: number): Promise<Copy[]> {
  const copies: Copy[] = [];
  const names = await readdir(folder);
  for (let from = 0; from < names.length; from += COPIES_AT_ONCE) {
    const found = names.slice(from, from + COPIES_AT_ONCE).map(async (name) => {
      const path = join(folder, name);
      const about = await stat(path).catch(() => null);
      if (about?.isFile() !== true) return;
      if (name.endsWith(UNFINISHED) && now - about.mtimeMs > UNFINISHED_MS) await unlink(path);
      else copies.push({ path, size: about.size, usedAt: about.mtimeMs });
    });
    await Promise.all(found);
  }
  return copies;
}
