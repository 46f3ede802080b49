import { hasEnded, type Job } from "@kcs/sdk";
import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { counted, createProgress, duration } from "../terminal/progress.ts";
import { oneLine, type Style, styleOf, table } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

const DEFAULT_LIMIT = 20;

export const jobs: Command = {
  name: "jobs",
  summary: "Lists, follows, cancels and retries jobs",
  usage: ["[--watch] [--limit N]", "watch ID", "cancel ID", "retry ID"],
  subcommands: ["list", "watch", "cancel", "retry"],
  options: {
    watch: { type: "boolean", short: "w", description: "wait until all jobs have ended" },
    limit: {
      type: "string",
      value: "N",
      description: `number of jobs to list, at most 1,000 (default: ${DEFAULT_LIMIT})`,
    },
  },
  run(context) {
    const [action = "list", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("jobs", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  list,
  watch,
  cancel,
  retry,
};

async function list(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  if (options.flag("watch")) return watchAll(context);
  const limit = options.integer("limit", { min: 1, max: 1000, fallback: DEFAULT_LIMIT });
  const page = await context.client().jobs.list(context.projectId(), { limit }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, page.jobs);
  const style = styleOf(io.outTerminal);
  if (page.jobs.length === 0) io.err("There is no job yet. Next: kcs ingest FILE…\n");
  await io.out(table(page.jobs.map((job) => rowOf(job, style))));
  return EXIT.ok;
}

function rowOf(job: Job, style: Style): readonly string[] {
  const status = oneLine(job.status).padEnd("completed".length);
  const statusCell =
    job.status === "failed" ? style.bad(status) : job.status === "completed" ? style.good(status) : status;
  const id = oneLine(job.source_doc_id);
  return [
    style.dim(oneLine(job.job_id)),
    statusCell,
    counted(job.chunks_processed, "chunk"),
    job.error_message === null ? id : `${id}: ${oneLine(job.error_message)}`,
  ];
}

/** Waits for all jobs that are open at the start. Exits with `someFailed` when one of them fails. */
async function watchAll(context: Context): Promise<ExitCode> {
  const { io } = context;
  const client = context.client();
  const projectId = context.projectId();
  const open: string[] = [];
  for await (const job of client.jobs.each(projectId, { signal: io.signal })) {
    if (!hasEnded(job)) open.push(job.job_id);
  }
  if (open.length === 0) {
    io.err("No job is pending or running.\n");
    return EXIT.ok;
  }
  const progress = createProgress(io, { unit: "jobs" });
  const ended = await client.jobs.waitAll(projectId, open, {
    signal: io.signal,
    onProgress({ total, completed, failed, chunks, ended: newlyEnded }) {
      for (const job of newlyEnded) if (job.status === "failed") progress.say(failureOf(job));
      progress.update({ done: completed + failed, total, note: counted(chunks, "chunk") });
    },
  });
  progress.end();
  return ended.some((job) => job.status === "failed") ? EXIT.someFailed : EXIT.ok;
}

export function failureOf(job: Job): string {
  return `failed: ${oneLine(job.source_doc_id)}: ${oneLine(job.error_message ?? "no reason given")}`;
}

async function watch(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the job");
  const progress = createProgress(io, { unit: "chunks" });
  const client = context.client();
  const waiting = client.jobs.wait(context.projectId(), id, {
    signal: io.signal,
    onProgress(state) {
      const { chunks_processed: done, chunks_total: total, seconds_left: left } = state;
      const note =
        typeof left === "number" && left > 0
          ? `${duration(left)} left as estimated by the service`
          : state.status;
      progress.update({ done, total: total ?? Math.max(done, 1), note });
    },
  });
  const job = await waiting.finally(() => progress.end());
  await io.out(`${oneLine(job.status)}, ${counted(job.chunks_processed, "chunk")}\n`);
  return EXIT.ok;
}

async function cancel(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the job");
  const job = await context.client().jobs.cancel(context.projectId(), id, { signal: io.signal });
  await io.out(
    `${oneLine(job.job_id)} ${job.error_message === "Cancelled" ? "cancelled" : oneLine(job.status)}\n`,
  );
  return EXIT.ok;
}

async function retry(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the job");
  const job = await context.client().jobs.retry(context.projectId(), id, { signal: io.signal });
  await io.out(`${oneLine(job.job_id)} ${oneLine(job.status)}\n`);
  return EXIT.ok;
}
