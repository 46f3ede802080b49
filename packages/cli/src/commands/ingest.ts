import { type Command, type Context, describeRetry, urlOf } from "../command.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { MAX_BATCH_DOCUMENTS } from "../ingest/batches.ts";
import { findDocuments } from "../ingest/find-documents.ts";
import { journalPath, openJournal } from "../ingest/journal.ts";
import { makePlan, type Plan } from "../ingest/plan.ts";
import { findOpenJobs, type Outcome } from "../ingest/send.ts";
import { INTERRUPTED, MAX_RETRIES, sendPlan } from "../ingest/send-plan.ts";
import { readAll } from "../io.ts";
import { stateFolder } from "../settings.ts";
import { createProgress, grouped } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { readMetadata } from "./query.ts";

const MAX_STDIN_BYTES = 64 * 1024 * 1024;

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
  const journal = await openJournal(path, { projectId, folder: "", prefix: "" });
  const { known, lost } = await findOpenJobs(client, { projectId, journal, signal: io.signal });
  const found = findDocuments(positionals, {
    prefix: options.text("prefix") ?? "",
    metadata: readMetadata(options.texts("metadata")),
    stdin: { id: options.text("id"), read: () => readAll(io.stdin, MAX_STDIN_BYTES) },
  });
  const plan = await makePlan(found, {
    ...{ journal, open: known, lost: new Set(lost) },
    ...{ again: options.flag("force") ? ("all" as const) : ("failed" as const), signal: io.signal },
  });
  for (const { id, reason } of plan.rejected) io.err(`skipped: ${oneLine(id)} ${reason}\n`);
  if (options.flag("dry-run")) return showPlan(context, plan);

  const target = {
    ...{ client, projectId, journal },
    wait: !options.flag("no-wait"),
    maxBatchDocuments: options.integer("batch-size", {
      min: 1,
      max: MAX_BATCH_DOCUMENTS,
      fallback: MAX_BATCH_DOCUMENTS,
    }),
  };
  try {
    return await report(context, plan, await sendPlan(plan, target, { io, progress }));
  } catch (error) {
    if (!io.signal.aborted) throw error;
    throw new CommandError(INTERRUPTED, EXIT.interrupted);
  }
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
