/** Finds the files that an argument of the command line names, with their ids. */
import fs, { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { codeOfFault, reasonOf } from "./unreadable.ts";

const TEXT_FILES = /\.(?:txt|text|md|markdown|mdx|rst|adoc|jsonl|ndjson)$/i;
/** What the service turns into text. It goes by their content, not by these names. */
export const OTHER_FILES = /\.(?:pdf|docx|pptx|xlsx|odt|ods|odp|epub|html?|xhtml|csv|tsv|json|eml|zip)$/i;
export const JSON_LINES = /\.(?:jsonl|ndjson)$/i;
const GLOB_CHARACTERS = /[*?[\]{}]/;

export interface File {
  readonly path: string;
  readonly id: string;
  /** Why it cannot be read; null = nothing is known against it. */
  readonly fault: string | null;
  /** Where a folder cannot be read. */
  readonly isFolder?: boolean;
}

const FAULTS = {
  outside: "is a link to a file outside the folder; name it itself to ingest it",
  name: "has a name that is not UTF-8, so it cannot be opened",
  broken: "is a link to nothing",
} as const;

/** @throws UsageError when the input names no file */
export async function filesOf(input: string): Promise<readonly File[]> {
  const found = await stat(input).catch(missingOrFault);
  if (typeof found === "string") return [{ path: input, id: basename(input), fault: found }];
  if (found?.isDirectory() === true) return filesOfFolder(input);
  if (found?.isFile() === true) return [{ path: input, id: basename(input), fault: null }];
  // A pipe can be read only once, but a document is read again when it is sent.
  if (found !== null) throw new UsageError(`${input} is neither a file nor a folder; - reads standard input`);
  if (!GLOB_CHARACTERS.test(input)) throw new UsageError(`${input} does not exist`);
  if (fs.glob === undefined) {
    throw new UsageError(
      `${input}: patterns need Node 22. Name the folder, or let the shell expand the pattern`,
    );
  }
  const files: File[] = [];
  for await (const path of fs.glob(input)) {
    const one = await stat(path).catch(missingOrFault);
    // It may be gone since it was matched.
    if (one === null && (await lstat(path).catch(missingOrFault)) === null) continue;
    const fault = typeof one === "string" ? one : one === null ? FAULTS.broken : null;
    if (fault !== null || (typeof one === "object" && one?.isFile()))
      files.push({ path, id: relative(".", path), fault });
  }
  if (files.length === 0) throw new UsageError(`no file matches ${input}`);
  return byName(files);
}

async function filesOfFolder(input: string): Promise<readonly File[]> {
  const files: File[] = [];
  for await (const file of filesIn(input, input))
    files.push({ ...file, id: relative(input, file.path) || basename(input) });
  // Of a folder that cannot be read nothing more is known.
  const isTaken = (id: string) => TEXT_FILES.test(id) || OTHER_FILES.test(id);
  return byName(files.filter(({ id, fault, isFolder }) => isTaken(id) || isFolder || fault === FAULTS.name));
}

/**
 * Files at any depth. Hidden files and folders are left out, links to folders are not followed, and links to files only within
 * `root`.
 */
async function* filesIn(folder: string, root: string): AsyncGenerator<Omit<File, "id">, void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(reasonOf);
  if (typeof entries === "string") return yield { path: folder, fault: entries, isFolder: true };
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    const found = await stat(path).catch(missingOrFault);
    // A name of other bytes has this character for them.
    if (found === null && entry.name.includes("\uFFFD")) yield { path, fault: FAULTS.name };
    else if (entry.isDirectory()) yield* filesIn(path, root);
    else if (typeof found === "string") yield { path, fault: found };
    else if (!entry.isSymbolicLink()) {
      if (found?.isFile() === true) yield { path, fault: null };
    } else if (found === null) yield { path, fault: FAULTS.broken };
    else if (found.isFile()) yield { path, fault: await faultOfLink(path, root).catch(reasonOf) };
  }
}

/** null: there is nothing. A fault: there may be something, so it is not taken for gone. */
function missingOrFault(error: unknown): string | null {
  const code = codeOfFault(error) ?? "unknown error";
  return ["ENOENT", "ENOTDIR", "ELOOP"].includes(code) ? null : `cannot be looked at now (${code})`;
}

async function faultOfLink(path: string, root: string): Promise<string | null> {
  const way = relative(await realpath(root), await realpath(path));
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? FAULTS.outside : null;
}

/** Ids use `/` on every operating system. */
function byName(files: readonly File[]): readonly File[] {
  return files
    .map((file) => ({ ...file, id: file.id.split(sep).join("/") }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
