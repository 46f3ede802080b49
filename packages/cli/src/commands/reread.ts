import type { Reread } from "@kcs/sdk";
import { type Command, type Context, onlyPositional } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { counted, createProgress } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

export const reread: Command = {
  name: "reread",
  summary: "Reads all documents of a project again, so that its graph is what the present version finds",
  usage: ["[PROJECT] [--wait | --status | --cancel]"],
  options: {
    wait: { type: "boolean", short: "w", description: "wait until all documents were read again" },
    status: { type: "boolean", description: "only show the progress" },
    cancel: { type: "boolean", description: "cancel it; documents that were already read again stay so" },
  },
  async run(context) {
    const { io, options, positionals } = context;
    const id =
      positionals.length === 0 ? context.projectId() : onlyPositional(positionals, "the id of the project");
    const { projects } = context.client();
    const given = ["wait", "status", "cancel"].filter((name) => options.flag(name));
    if (given.length > 1) throw new UsageError("--wait, --status and --cancel cannot be combined");
    const call = { signal: io.signal };
    if (options.flag("cancel")) return show(context, await projects.cancelReread(id, call));
    if (options.flag("status")) return show(context, await projects.getReread(id, call));
    const started = await projects.reread(id, call);
    if (options.flag("wait")) return wait(context, id);
    if (started.status === "running") io.err("It continues in the service. Next: kcs reread --status\n");
    return show(context, started);
  },
};

async function wait(context: Context, id: string): Promise<ExitCode> {
  const { io } = context;
  const progress = createProgress(io, { unit: "documents" });
  const ended = await context
    .client()
    .projects.waitForReread(id, {
      signal: io.signal,
      onProgress({ documents_processed: done, documents_total: total, status }) {
        progress.update({ done, total, note: status });
      },
    })
    .finally(() => progress.end());
  const code = await show(context, ended);
  // Somebody else has cancelled it while this command waited.
  return ended.status === "cancelled" ? EXIT.someFailed : code;
}

async function show({ io, options }: Context, state: Reread): Promise<ExitCode> {
  const { documents_processed: done, documents_total: total, documents_failed: failed } = state;
  const code = state.status === "failed" || failed > 0 ? EXIT.someFailed : EXIT.ok;
  if (options.flag("json")) {
    await printJson(io, state);
    return code;
  }
  const reason = state.error_message === null ? "" : `: ${oneLine(state.error_message)}`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  await io.out(
    `${oneLine(state.status)}, ${counted(done, "document")} of ${counted(total, "document")}${failures}${reason}\n`,
  );
  return code;
}
