/** Keeps what one file unpacks to from filling the disk, which the database may share. */
import { statfs } from "node:fs/promises";
import { NO_ROOM } from "../../ports/file-converter.ts";

export interface DiskSpace {
  readonly freeBytes: number;
  /** 0 where the file system does not tell. */
  readonly totalBytes: number;
}

/** To be asked before so many further bytes are written. @throws an Error of the code NO_ROOM, or ENOSPC where the disk was full before */
export type TakeRoom = (bytes: number) => Promise<void>;

const RESERVE = { bytes: 256 * 1024 * 1024, ofDisk: 0.1 } as const;
/** Looks at the disk in an unpacking that takes the whole reserve. */
const LOOKS = 16;

/** What is unpacked is stored afterwards, so there is to be room for it once more, and the reserve. */
export function createRoom(look: () => Promise<DiskSpace>): TakeRoom {
  let before: DiskSpace | null = null;
  let written = 0;
  let lookedAt = 0;
  return async (bytes) => {
    before ??= await look();
    const reserve = Math.min(RESERVE.bytes, before.totalBytes * RESERVE.ofDisk);
    written += bytes;
    if (before.totalBytes === 0 || written - lookedAt < reserve / LOOKS) return;
    lookedAt = written;
    if ((await look()).freeBytes >= written + reserve) return;
    const code = before.freeBytes < reserve ? "ENOSPC" : NO_ROOM;
    throw Object.assign(new Error("The archive unpacks to more than the disk has room for."), { code });
  };
}

export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
