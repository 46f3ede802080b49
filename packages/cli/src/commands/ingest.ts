import { type Command, type Context, describeRetry, urlOf } from "../command.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { MAX_BATCH_DOCUMENTS } from "../ingest/batches.ts";
import { type FoundDocument, findDocuments, type RejectedDocument } from "../ingest/find-documents.ts";
import { type Entry, type Journal, journalPath, openJournal } from "../ingest/journal.ts";
import { findOpenJobs, type Outcome, sendDocuments } from "../ingest/send.ts";
import { readAll } from "../io.ts";
import { stateFolder } from "../settings.ts";
import { counted, createProgress, grouped, type Progress } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { readMetadata } from "./query.ts";

const MAX_STDIN_BYTES = 64 * 1024 * 1024;
/** By default the service accepts ten ingest requests a minute, so that a long run is refused often and must wait. */
const MAX_RETRIES = 30;

export const ingest: Command = {
  name: "ingest",
  summary: "Ingests files, folders and globs; resumes an interrupted run and skips unchanged documents",
  usage: ["FILE|DIR|GLOB… [OPTION…]", "- --id ID < text"],
  options: {
    id: { type: "string", value: "ID", description: "id of the document from standard input" },
    prefix: { type: "string", value: "TEXT", description: "text to put before every id" },
    metadata: {
      type: "string",
      multiple: true,
      value: "KEY=VALUE",
      description: "metadata for all documents; may be repeated",
    },
    force: { type: "boolean", description: "send unchanged documents too" },
    "no-wait": { type: "boolean", description: "exit as soon as everything is accepted" },
    "dry-run": { type: "boolean", description: "only list what would be sent" },
    "batch-size": {
      type: "string",
      value: "N",
      description: `documents per request (default: ${MAX_BATCH_DOCUMENTS})`,
    },
    state: { type: "string", value: "FILE", description: "file that records what was sent" },
  },
  run: runIngest,
};

interface Plan {
  readonly send: readonly FoundDocument[];
  readonly open: readonly (readonly [string, Entry])[];
  readonly unchanged: number;
  readonly rejected: readonly RejectedDocument[];
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
  // Reports a wrong key or project before any file is read.
  await client.projects.get(projectId, { signal: io.signal });
  const journal = await openJournal(path);
  const { known, lost } = await findOpenJobs(client, { projectId, journal, signal: io.signal });
  const plan = await makePlan(context, { journal, open: known, lost: new Set(lost) });
  for (const { id, reason } of plan.rejected) io.err(`skipped: ${oneLine(id)} ${reason}\n`);
  if (options.flag("dry-run")) return showPlan(context, plan);

  try {
    const outcome = await sendDocuments(plan.send, plan.open, {
      client,
      projectId,
      journal,
      signal: io.signal,
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
      "Interrupted. The service continues to process what it has accepted. Run the same command again to resume.",
      EXIT.interrupted,
    );
  }
}

async function makePlan(
  context: Context,
  earlier: {
    readonly journal: Journal;
    readonly open: readonly (readonly [string, Entry])[];
    /** Documents whose job the service no longer knows. */
    readonly lost: ReadonlySet<string>;
  },
): Promise<Plan> {
  const { io, options, positionals } = context;
  const open = new Map(earlier.open);
  const send: FoundDocument[] = [];
  const rejected: RejectedDocument[] = [];
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
      rejected.push(document);
      continue;
    }
    const { id, hash } = document;
    if (seen.has(id))
      throw new UsageError(
        `two documents have the id ${id}: ingest them separately, with different --prefix`,
      );
    seen.add(id);
    const entry = earlier.journal.find(id);
    const isUnchanged = entry?.hash === hash && entry.state !== "failed" && !earlier.lost.has(id);
    if (!isUnchanged || options.flag("force")) {
      send.push(document);
      // The new version is waited for instead of the old one.
      open.delete(id);
    } else if (!open.has(id)) unchanged++;
  }
  return { send, open: [...open].filter(([id]) => seen.has(id)), unchanged, rejected };
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
    skipped: plan.rejected.length,
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
  return failed.length > 0 || plan.rejected.length > 0 ? EXIT.someFailed : EXIT.ok;
}
