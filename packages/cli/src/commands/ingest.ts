import { type Command, type Context, describeRetry, urlOf } from "../command.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { MAX_BATCH_DOCUMENTS } from "../ingest/batches.ts";
import { type FoundDocument, findDocuments, type Unfit } from "../ingest/find-documents.ts";
import { type Entry, type Journal, journalPath, openJournal } from "../ingest/journal.ts";
import { findOpenJobs, type Outcome, sendDocuments } from "../ingest/send.ts";
import { readAll } from "../io.ts";
import { stateFolder } from "../settings.ts";
import { counted, createProgress, grouped, type Progress } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { readMetadata } from "./query.ts";

const MAX_STDIN_BYTES = 64 * 1024 * 1024;
/** Ten requests a minute are allowed at the default: a refused one is patient. */
const MAX_RETRIES = 30;

export const ingest: Command = {
  name: "ingest",
  summary: "Ingests files, folders and globs; goes on where it was cut off, and skips what has not changed",
  usage: ["FILE|DIR|GLOB… [OPTION…]", "- --id ID < text"],
  options: {
    id: { type: "string", value: "ID", description: "what the document from standard input is called" },
    prefix: { type: "string", value: "TEXT", description: "before every id" },
    metadata: {
      type: "string",
      multiple: true,
      value: "KEY=VALUE",
      description: "metadata of all the documents; may be repeated",
    },
    force: { type: "boolean", description: "send documents that have not changed, too" },
    "no-wait": { type: "boolean", description: "done as soon as everything is accepted" },
    "dry-run": { type: "boolean", description: "only say what would be sent" },
    "batch-size": {
      type: "string",
      value: "N",
      description: `documents a request (default: ${MAX_BATCH_DOCUMENTS})`,
    },
    state: { type: "string", value: "FILE", description: "where the state is kept" },
  },
  run: runIngest,
};

interface Plan {
  readonly send: readonly FoundDocument[];
  readonly open: readonly (readonly [string, Entry])[];
  readonly unchanged: number;
  readonly unfit: readonly Unfit[];
}

async function runIngest(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  if (positionals.length === 0)
    throw new UsageError("nothing to ingest: name files, folders or - for standard input");
  const projectId = context.projectId();
  const url = urlOf(io, context.stored, options);
  const path = options.text("state") ?? journalPath(stateFolder(io.env), { url, projectId });
  const progress = createProgress(io, { unit: "documents" });
  const client = context.client({
    maxRetries: MAX_RETRIES,
    onRetry: (retry) => progress.say(describeRetry(retry)),
  });
  // Before anything is read: a wrong key or project is said at once.
  await client.projects.get(projectId, { signal: io.signal });
  const journal = await openJournal(path);
  const { known, gone } = await findOpenJobs(client, { projectId, journal, signal: io.signal });
  const plan = await makePlan(context, { journal, open: known, gone: new Set(gone) });
  for (const unfit of plan.unfit) io.err(`skipped: ${oneLine(unfit.id)} ${unfit.reason}\n`);
  if (options.flag("dry-run")) return showPlan(context, plan);

  try {
    const outcome = await sendDocuments(plan.send, plan.open, {
      ...{ client, projectId, journal, signal: io.signal },
      maxBatchDocuments: options.integer("batch-size", {
        min: 1,
        max: MAX_BATCH_DOCUMENTS,
        fallback: MAX_BATCH_DOCUMENTS,
      }),
      wait: !options.flag("no-wait"),
      onProgress: ({ accepted, completed, failed, chunks, newlyFailed }) => {
        if (plan.send.length + plan.open.length === 0) return;
        for (const { id, reason } of newlyFailed) progress.say(`failed: ${oneLine(id)}: ${oneLine(reason)}`);
        showProgress(progress, plan, {
          accepted,
          completed,
          failed,
          chunks,
          isWaiting: !options.flag("no-wait"),
        });
      },
    });
    progress.end();
    return await report(context, plan, outcome);
  } catch (error) {
    progress.end();
    if (!io.signal.aborted) throw error;
    throw new CommandError(
      "Interrupted. What was accepted goes on being processed; the same command again goes on from here.",
      EXIT.interrupted,
    );
  }
}

async function makePlan(
  context: Context,
  found: {
    readonly journal: Journal;
    readonly open: readonly (readonly [string, Entry])[];
    readonly gone: ReadonlySet<string>;
  },
): Promise<Plan> {
  const { io, options, positionals } = context;
  const open = new Map(found.open);
  const send: FoundDocument[] = [];
  const unfit: Unfit[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  const documents = findDocuments(positionals, {
    prefix: options.text("prefix") ?? "",
    metadata: readMetadata(options.texts("metadata")),
    stdin: { id: options.text("id"), read: () => readAll(io.stdin, MAX_STDIN_BYTES) },
  });
  for await (const document of documents) {
    io.signal.throwIfAborted();
    if (!("hash" in document)) {
      unfit.push(document);
      continue;
    }
    const { id, hash } = document;
    if (seen.has(id)) throw new UsageError(`two documents are called ${id}: tell them apart with --prefix`);
    seen.add(id);
    const entry = found.journal.find(id);
    const isSame = entry?.hash === hash && entry.state !== "failed" && !found.gone.has(id);
    if (!isSame || options.flag("force")) {
      send.push(document);
      // Its successor is waited for instead.
      open.delete(id);
    } else if (!open.has(id)) unchanged++;
  }
  return { send, open: [...open].filter(([id]) => seen.has(id)), unchanged, unfit };
}

function showProgress(
  progress: Progress,
  { send, open, unchanged }: Plan,
  now: { accepted: number; completed: number; failed: number; chunks: number; isWaiting: boolean },
): void {
  const notes = [
    now.isWaiting && now.accepted > now.completed + now.failed ? `${grouped(now.accepted)} accepted` : "",
    now.chunks > 0 ? counted(now.chunks, "chunk") : "",
    unchanged > 0 ? `${grouped(unchanged)} unchanged` : "",
    now.failed > 0 ? `${grouped(now.failed)} failed` : "",
  ];
  progress.update({
    done: now.isWaiting ? now.completed + now.failed : now.accepted + now.failed,
    total: send.length + open.length,
    note: notes.filter((note) => note !== "").join(", "),
  });
}

async function showPlan({ io }: Context, plan: Plan): Promise<ExitCode> {
  for (const { id } of plan.send) await io.out(`${oneLine(id)}\n`);
  io.err(`${grouped(plan.send.length)} would be sent, ${grouped(plan.unchanged)} are unchanged.\n`);
  return EXIT.ok;
}

async function report(context: Context, plan: Plan, { completed, failed }: Outcome): Promise<ExitCode> {
  const { io, options } = context;
  const isWaiting = !options.flag("no-wait");
  const summary = {
    sent: plan.send.length,
    completed,
    failed: failed.length,
    unchanged: plan.unchanged,
    skipped: plan.unfit.length,
  };
  if (options.flag("json")) await printJson(io, summary);
  else {
    const parts = [
      isWaiting ? `${grouped(completed)} completed` : `${grouped(summary.sent - summary.failed)} accepted`,
      `${grouped(summary.unchanged)} unchanged`,
      `${grouped(summary.skipped)} skipped`,
      `${grouped(summary.failed)} failed`,
    ];
    await io.out(`${parts.join(", ")}\n`);
  }
  return failed.length > 0 || plan.unfit.length > 0 ? EXIT.someFailed : EXIT.ok;
}
