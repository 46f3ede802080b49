import { StoreUnavailableError } from "../../ports/store.ts";
import { RESUMES } from "./outage-text.ts";
import { DatabaseStartError } from "./start-error.ts";

const codes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** SQLITE_IOERR_WRITE, _FSYNC, _SHMSIZE. */
const writeFaults: ReadonlySet<number> = new Set([3, 4, 19].map((detail) => codes.ioError | (detail << 8)));

/** Whether SQLite reports that a file is damaged or not a database. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.corrupt || code === codes.notADatabase;
}

/** Like `translateSqliteError`, for a database that cannot be opened; the message names the file. */
export function translateOpenError(error: unknown, path: string): unknown {
  if (isDamage(error)) {
    const reason = error instanceof Error ? error.message : "";
    return new DatabaseStartError(
      `${path} is damaged or not a database of this service (${reason}). Replace it with a backup, or move it and the file secret away to start with an empty database.`,
      error,
    );
  }
  const translated = translateSqliteError(error);
  return translated instanceof StoreUnavailableError
    ? new DatabaseStartError(`${path} cannot be opened: ${translated.message}`, error)
    : translated;
}

/**
 * The primary result code is the low byte of the extended one. null for errors that do not come from SQLite.
 */
function primaryCode(error: unknown): number | null {
  const code = extendedCode(error);
  return code === null ? null : code & 0xff;
}

function extendedCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode;
}

/** SQLite says "full" only for ENOSPC, not for a quota or a limit on file sizes, nor when its other files cannot grow. */
function isWriteFault(error: unknown): boolean {
  const code = extendedCode(error);
  return code !== null && writeFaults.has(code);
}

/**
 * Translates SQLite errors about the disk into messages that tell the operator what to do. Returns other
 * errors (for example a fault in a statement) unchanged. In every case the transaction has been rolled back.
 */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isWriteFault(error)) {
    return new StoreUnavailableError(
      "disk_full",
      `The disk that holds the data directory takes no more data (${error.message}): it is full, a quota or a limit on file sizes is reached, or it is defective. Free some space; ${RESUMES}`,
      error,
    );
  }
  switch (primaryCode(error)) {
    case codes.full:
      return new StoreUnavailableError(
        "disk_full",
        `The disk that holds the data directory is full. Free some space; ${RESUMES}`,
        error,
      );
    case codes.readOnly:
    case codes.cannotOpen:
      return new StoreUnavailableError(
        "read_only",
        "The data directory cannot be written. Give the service's user write access to it and its files; nothing that was accepted is lost.",
        error,
      );
    case codes.busy:
      return new StoreUnavailableError(
        "io_error",
        "Another process has locked the database file. End that process (a backup or a database shell); nothing that was accepted is lost.",
        error,
      );
    case codes.corrupt:
    case codes.notADatabase:
      return new StoreUnavailableError(
        "damaged",
        `The database file is damaged (${error.message}). Stop the service, check the disk, and replace the file with a backup.`,
        error,
      );
    case codes.ioError:
      return new StoreUnavailableError(
        "io_error",
        `The database file could not be read or written (${error.message}). Check the disk and restart the service; what was accepted before is on disk.`,
        error,
      );
    default:
      return error;
  }
}
