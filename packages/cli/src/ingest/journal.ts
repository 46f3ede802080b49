/**
 * Records what was sent, so that an interrupted run can be resumed and an unchanged document is not sent again. The file
 * holds lines of JSON, and new ones are appended: if the process is killed, only the last line can be incomplete.
 */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../exit-codes.ts";
import { codeOfFault } from "./unreadable.ts";

export interface Entry {
  readonly hash: string;
  readonly job: string;
  readonly state: "sent" | "completed" | "failed";
}

/** What a file records the documents of. */
export interface Origin {
  readonly projectId: string;
  /** Of `kcs watch`: an absolute path without links. Empty for `kcs ingest`, and in files of older versions. */
  readonly folder: string;
  readonly prefix: string;
}

const GONE = "gone";
const OF_PROJECT = "project";
/** The file is rewritten when it has more lines: a service that refuses again and again what is sent must not make it grow. */
const MAX_LINES_OF_EACH = 4;
const MANY = 1_000;

export interface Journal {
  readonly path: string;
  /** Whether every document of it was sent from the folder, with the prefix, for which it was opened. */
  readonly isOfFolder: boolean;
  find(id: string): Entry | undefined;
  ids(): Iterable<string>;
  /** All documents whose job is not known to have ended. */
  open(): readonly (readonly [id: string, entry: Entry])[];
  /** Resolves after the entries are written to the file. */
  write(entries: readonly (readonly [id: string, entry: Entry])[]): Promise<void>;
  /** Resolves after the file says that the documents are no longer there. */
  forget(ids: readonly string[]): Promise<void>;
}

/** One file per service and project, and for each folder that is watched. */
export function journalPath(
  stateFolder: string,
  {
    url,
    projectId,
    watched,
  }: { readonly url: string; readonly projectId: string; readonly watched?: string },
): string {
  const place = [url, projectId, ...(watched === undefined ? [] : [watched])].join("\n");
  const name = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return join(stateFolder, watched === undefined ? "ingest" : "watch", `${name}.jsonl`);
}

/**
 * @param isNamedByOrigin whether the path is that of `journalPath`, which no other folder has
 * @throws CommandError for a file that records what another project got, or what was sent from another folder
 */
export async function openJournal(path: string, origin: Origin, isNamedByOrigin = false): Promise<Journal> {
  const { entries, of } = parse(await readFile(path, "utf8").catch(nothingYet));
  const fault = of === null ? null : describeOther(of, origin);
  if (fault !== null) throw new CommandError(`${path} records what ${fault}`);
  const isOfFolder = of?.folder === origin.folder || entries.size === 0 || isNamedByOrigin;
  const { projectId, folder, prefix } = isOfFolder ? origin : { ...origin, folder: "", prefix: "" };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Rewrites the file without replaced entries and without an incomplete last line.
  let lines = 0;
  const rewrite = async () => {
    const draft = `${path}.${process.pid}.new`;
    const head = `${JSON.stringify([projectId, folder, prefix, OF_PROJECT])}\n`;
    await writeFile(draft, [head, ...[...entries].map(lineOf)].join(""), { mode: 0o600 });
    await rename(draft, path);
    lines = entries.size;
  };
  let last: Promise<void> = Promise.resolve();
  /** One after the other: a line that is added to the file while it is replaced would be lost. */
  const append = (added: readonly string[]) => {
    last = last
      .catch(() => undefined)
      .then(async () => {
        lines += added.length;
        if (lines > MAX_LINES_OF_EACH * (entries.size + MANY)) await rewrite();
        else if (added.length > 0) await appendFile(path, added.join(""));
      });
    return last;
  };
  await rewrite();
  return {
    ...{ path, isOfFolder },
    find: (id) => entries.get(id),
    ids: () => entries.keys(),
    open: () => [...entries].filter(([, { state }]) => state === "sent"),
    async write(changed) {
      for (const [id, entry] of changed) entries.set(id, entry);
      await append(changed.map(lineOf));
    },
    async forget(ids) {
      for (const id of ids) entries.delete(id);
      await append(ids.map((id) => `${JSON.stringify([id, "", "", GONE])}\n`));
    },
  };
}

/** null for a file that can be used. */
function describeOther(of: Origin, { projectId, folder, prefix }: Origin): string | null {
  if (of.projectId !== projectId)
    return `was sent to project ${of.projectId}. Give another file for ${projectId}.`;
  if (of.folder === "" || (of.folder === folder && of.prefix === prefix)) return null;
  const by = of.prefix === "" ? "without a prefix" : `with the prefix ${of.prefix}`;
  return `kcs watch sent from ${of.folder} ${by}. Give another file with --state for anything else, also for that folder at a new place.`;
}

/** @throws an error of a file that is there, which must not be replaced by an empty one */
function nothingYet(error: unknown): string {
  if (codeOfFault(error) === "ENOENT") return "";
  throw error;
}

function lineOf([id, { hash, job, state }]: readonly [string, Entry]): string {
  return `${JSON.stringify([id, hash, job, state])}\n`;
}

/** `of`: null in files of older versions. */
function parse(text: string): { readonly entries: Map<string, Entry>; readonly of: Origin | null } {
  const entries = new Map<string, Entry>();
  let of: Origin | null = null;
  for (const line of text.split("\n")) {
    const parsed = parseLine(line);
    if (parsed === null) continue;
    const [id, entry] = parsed;
    if (entry === GONE) entries.delete(id);
    else if ("projectId" in entry) of = entry;
    else entries.set(id, entry);
  }
  return { entries, of };
}

/** null for an invalid or incomplete line. Its document is sent again, which does no harm. */
function parseLine(line: string): readonly [string, Entry | typeof GONE | Origin] | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 4 || !value.every((item) => typeof item === "string"))
    return null;
  const [id = "", hash = "", job = "", state] = value as string[];
  if (state === GONE) return [id, state];
  if (state === OF_PROJECT) return [id, { projectId: id, folder: hash, prefix: job }];
  return state === "sent" || state === "completed" || state === "failed" ? [id, { hash, job, state }] : null;
}
