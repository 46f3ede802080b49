/** `kcs watch FOLDER`: the documents of a project stay those of a folder. */
import { realpath, stat } from "node:fs/promises";
import { type Client, NotFoundError } from "@kcs/sdk";
import { type Command, type Context, describeRetry, onlyPositional, urlOf } from "../command.ts";
import { CommandError, describeError, EXIT, type ExitCode, exitCodeOf, UsageError } from "../exit-codes.ts";
import { MAX_BATCH_DOCUMENTS } from "../ingest/batches.ts";
import {
  type FileMemory,
  type FoundDocument,
  findDocuments,
  type RejectedDocument,
} from "../ingest/find-documents.ts";
import { type Journal, journalPath, openJournal } from "../ingest/journal.ts";
import { makePlan, type Plan } from "../ingest/plan.ts";
import { findOpenJobs } from "../ingest/send.ts";
import { INTERRUPTED, MAX_RETRIES, sendPlan } from "../ingest/send-plan.ts";
import { watchChanges } from "../ingest/wait-for-change.ts";
import { stateFolder } from "../settings.ts";
import { createProgress, grouped } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { readMetadata } from "./query.ts";

/** Changes that the operating system does not tell of, as on network drives, are found then. */
const RESCAN_MS = 60_000;
const OUTAGE_PAUSE_MS = 30_000;
const ARCHIVES = /\.zip$/i;

export const watch: Command = {
  name: "watch",
  summary: "Keeps a project in step with a folder: new, changed and removed files",
  usage: ["FOLDER [OPTION…]"],
  options: {
    prefix: { type: "string", value: "TEXT", description: "text to put before every id" },
    metadata: {
      type: "string",
      multiple: true,
      value: "KEY=VALUE",
      description: "metadata for all documents; may be repeated",
    },
    once: { type: "boolean", description: "bring the project into step and exit" },
    state: { type: "string", value: "FILE", description: "file that records what was sent" },
  },
  run: runWatch,
};

interface Watched {
  readonly context: Context;
  readonly folder: string;
  /** Where the folder was, without links, when it was opened. */
  readonly place: string;
  readonly client: Client;
  readonly projectId: string;
  readonly journal: Journal;
  readonly memory: FileMemory;
  /** Of what the service has refused: the hashes by their ids. The next start sends it once more. */
  readonly refused: Map<string, string>;
  /** The lines about skipped files that were printed. */
  readonly told: Set<string>;
}

interface Step {
  readonly sent: number;
  /** Also of what an earlier run had sent. */
  readonly completed: number;
  readonly deleted: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runWatch(context: Context): Promise<ExitCode> {
  const { options, positionals } = context;
  const folder = onlyPositional(positionals, "the folder");
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true)
    throw new UsageError(`${folder} is not a folder`);
  const watched = await open(context, folder);
  if (options.flag("once")) {
    const step = await keepInStep(watched, "failed");
    await tell(context, step);
    return step.failed > 0 || step.skipped > 0 ? EXIT.someFailed : EXIT.ok;
  }
  await repeat(watched);
  return EXIT.ok;
}

async function open(context: Context, folder: string): Promise<Watched> {
  const { io, options, stored } = context;
  const projectId = context.projectId();
  const url = urlOf(io, stored, options);
  const client = context.client({
    maxRetries: MAX_RETRIES,
    onRetry: (retry) => io.err(`${describeRetry(retry)}\n`),
  });
  // Reports a wrong key or project before any file is read.
  await client.projects.get(projectId, { signal: io.signal });
  const place = await realpath(folder);
  const prefix = options.text("prefix") ?? "";
  const given = options.text("state");
  const path = given ?? journalPath(stateFolder(io.env), { url, projectId, watched: `${place}\n${prefix}` });
  const origin = { projectId, folder: place, prefix };
  const journal = await openJournal(path, origin, given === undefined);
  return {
    ...{ context, folder, place, client, projectId, journal },
    ...{ memory: new Map(), refused: new Map(), told: new Set() },
  };
}

/** Until Ctrl-C. */
async function repeat(watched: Watched): Promise<void> {
  const { context, folder } = watched;
  const { io } = context;
  // Opened before the first look, so that no change between the two is missed.
  const changes = watchChanges(folder, {
    signal: io.signal,
    onFault: (error) =>
      io.err(
        `Changes are not reported here (${oneLine(error.message)}): the folder is read every minute instead.\n`,
      ),
  });
  try {
    io.err(`Watching ${oneLine(folder)}. Ctrl-C ends it.\n`);
    for (let isFirst = true; ; isFirst = false) {
      const pauseMs = await keepInStepOrPause(watched, isFirst);
      await changes.next(pauseMs);
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    changes.close();
  }
}

/** How long to wait for a change, in milliseconds, until the folder is looked at again anyway. */
async function keepInStepOrPause(watched: Watched, isFirst: boolean): Promise<number> {
  const { context } = watched;
  try {
    await tell(context, await keepInStep(watched, isFirst ? "failed" : "none"));
    return RESCAN_MS;
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    const isPassing = exitCodeOf(error) === EXIT.unavailable || error instanceof UsageError;
    if (isFirst || !isPassing) throw error;
    context.io.err(`${oneLine(describeError(error))} Trying again in ${OUTAGE_PAUSE_MS / 1000} s.\n`);
    return OUTAGE_PAUSE_MS;
  }
}

/** Sends what is new or has changed, then deletes the documents of files that are gone. */
async function keepInStep(watched: Watched, again: "failed" | "none"): Promise<Step> {
  const { context, client, projectId, journal, refused } = watched;
  const { io } = context;
  const wasInPlace = await isInPlace(watched);
  const { known, lost } = await findOpenJobs(client, { projectId, journal, signal: io.signal });
  const plan = await makePlan(documentsOf(watched), {
    ...{ journal, open: known, lost: new Set(lost) },
    ...{ again, refused, signal: io.signal },
  });
  for (const rejected of plan.rejected) tellOnce(watched, rejected);
  const target = {
    ...{ client, projectId, journal, refused },
    ...{ wait: true, maxBatchDocuments: MAX_BATCH_DOCUMENTS },
  };
  const progress = createProgress(io, { unit: "documents" });
  try {
    const { completed, failed } = await sendPlan(plan, target, { io, progress });
    const inPlace = wasInPlace && (await isInPlace(watched));
    const deleted = await deleteGone(watched, plan, inPlace);
    const counts = { completed, deleted, failed: failed.length, skipped: plan.rejected.length };
    return { sent: plan.send.length, ...counts };
  } catch (error) {
    if (io.signal.aborted) throw new CommandError(INTERRUPTED, EXIT.interrupted);
    throw error;
  }
}

/** Whether the files that are found are those of the folder that was opened, and of no other one that a link leads to now. */
async function isInPlace({ folder, place }: Watched): Promise<boolean> {
  return (await realpath(folder).catch(() => null)) === place;
}

async function* documentsOf({ context, folder, memory }: Watched) {
  const found = findDocuments([folder], {
    prefix: context.options.text("prefix") ?? "",
    metadata: readMetadata(context.options.texts("metadata")),
    stdin: { id: undefined, read: async () => "" },
    memory,
  });
  for await (const document of found) yield isArchive(document) ? withoutMembers(document) : document;
}

function isArchive(document: FoundDocument | RejectedDocument): boolean {
  return "path" in document && ARCHIVES.test(document.path);
}

function withoutMembers({ id }: { readonly id: string }): RejectedDocument {
  return { id, reason: "is an archive: unpack it into the folder, or send it with kcs ingest" };
}

/** Documents that were sent from this folder and whose files are no longer in it. */
async function deleteGone(watched: Watched, plan: Plan, inPlace: boolean): Promise<number> {
  const { context, client, projectId, journal, told } = watched;
  const { io } = context;
  const rejected = new Set(plan.rejected.map(({ id }) => id));
  const notFound = [...journal.ids()].filter((id) => !plan.found.has(id) && !rejected.has(id));
  if (notFound.length === 0) return 0;
  const unsettled = unsettledFiles(watched, plan);
  const gone = notFound.filter((id) => !unsettled.has(id));
  if (gone.length === 0) return 0;
  const keep = inPlace ? (reasonToKeep(plan, unsettled) ?? reasonOfFile(journal)) : MOVED;
  if (keep !== null) {
    if (!told.has(keep)) io.err(`${keep}\n`);
    told.add(keep);
    return 0;
  }
  let deleted = 0;
  for (const id of gone) {
    if (await deleteDocument(client, { projectId, id, signal: io.signal })) deleted++;
    await journal.forget([id]);
  }
  return deleted;
}

/**
 * The ids of files of JSON Lines of which the service does not have every document as it was found. What it has may be another form of
 * the file: the lines of what is a table now, or the table of what is lines now.
 */
function unsettledFiles({ context, journal }: Watched, { found, send, refused }: Plan): ReadonlySet<string> {
  const prefix = context.options.text("prefix") ?? "";
  const hashes = new Map(send.map(({ id, hash }) => [id, hash]));
  const unsettled = new Set<string>();
  for (const [id, file] of found) {
    if (file === undefined) continue;
    const entry = journal.find(id);
    // That of a file that has changed since it was found is another one.
    const isThere =
      entry?.state === "completed" && !refused.has(id) && (hashes.get(id) ?? entry.hash) === entry.hash;
    if (!isThere) unsettled.add(prefix + file);
  }
  return unsettled;
}

const MOVED =
  "A link leads to another folder now than at the start. No document of the first one is deleted. If it is gone for good, use kcs documents delete.";

function reasonOfFile({ isOfFolder, path }: Journal): string | null {
  if (isOfFolder) return null;
  return `${oneLine(path)} does not say from which folder its documents were sent, so no document is deleted. Give another file with --state to delete those that are sent from now on.`;
}

/** Why documents that were not found are kept all the same. */
function reasonToKeep({ found, rejected }: Plan, unsettled: ReadonlySet<string>): string | null {
  if (found.size === 0)
    return "The folder has no file to ingest. In case it is only out of reach, no document is deleted.";
  const folder = rejected.find(({ isFolder }) => isFolder);
  if (folder !== undefined)
    return `The folder ${oneLine(folder.id)} cannot be read. It may have files of documents, so no document is deleted.`;
  const unread = rejected.find(({ lineOf }) => lineOf !== undefined);
  if (unread !== undefined)
    return `Not every line of ${oneLine(unread.lineOf ?? "")} can be read. One may be that of a document, so no document is deleted.`;
  const table = [...unsettled].find((id) => found.has(id));
  return table === undefined
    ? null
    : `${oneLine(table)} is one document, which has not been ingested as it is. Its lines may have been documents before, so no document is deleted.`;
}

/** False where the service did not have it any more. */
async function deleteDocument(
  client: Client,
  { projectId, id, signal }: { projectId: string; id: string; signal: AbortSignal },
): Promise<boolean> {
  try {
    await client.documents.delete(projectId, id, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

function tellOnce({ context, told }: Watched, { id, reason }: RejectedDocument): void {
  const line = `skipped: ${oneLine(id)} ${reason}\n`;
  if (!told.has(line)) context.io.err(line);
  told.add(line);
}

async function tell({ io, options }: Context, step: Step): Promise<void> {
  const { completed, deleted, failed } = step;
  const isOnce = options.flag("once");
  if (!isOnce && completed + deleted + failed === 0) return;
  if (options.flag("json")) return void (await printJson(io, step));
  const parts = [
    `${grouped(completed)} completed`,
    `${grouped(deleted)} deleted`,
    `${grouped(failed)} failed`,
  ];
  await io.out(`${parts.join(", ")}\n`);
}
