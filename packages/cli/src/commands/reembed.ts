import type { Reembedding } from "@kcs/sdk";
import { type Context, onlyPositional } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { counted, createProgress } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

export const REEMBED_OPTIONS = {
  to: {
    type: "string",
    value: "MODEL",
    description: "configured embedding model to move to (default: that of new projects)",
  },
  cancel: { type: "boolean", description: "cancel the move to another embedding model" },
  status: { type: "boolean", description: "only show the progress of the move" },
} as const;

/** Moves the project to another embedding model and follows the move, which continues in the service when interrupted. */
export async function reembed(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const id =
    positionals.length === 0 ? context.projectId() : onlyPositional(positionals, "the id of the project");
  const { projects } = context.client();
  const given = [options.flag("cancel"), options.flag("status"), options.text("to") !== undefined];
  if (given.filter(Boolean).length > 1)
    throw new UsageError("--to, --status and --cancel cannot be combined");
  const call = { signal: io.signal };
  if (options.flag("cancel")) return show(context, await projects.cancelReembedding(id, call));
  if (options.flag("status")) return show(context, await projects.reembedding(id, call));
  const started = await projects.reembed(id, { embedding: options.text("to") }, call);
  // The last move, which would be followed otherwise, may be one to another model.
  if (isNoMove(started)) return show(context, started);
  const progress = createProgress(io, { unit: "chunks" });
  const moved = await projects
    .waitForReembedding(id, {
      signal: io.signal,
      onProgress({ chunks_processed: done, chunks_total: total, status }) {
        progress.update({ done, total: Math.max(done, total, status === "completed" ? 0 : 1), note: status });
      },
    })
    .finally(() => progress.end());
  const code = await show(context, moved);
  // Somebody else has cancelled it while this command waited.
  return moved.status === "cancelled" ? EXIT.someFailed : code;
}

/** Stands for the move of a project that has the model already. */
function isNoMove({ status, created_at }: Reembedding): boolean {
  return status === "completed" && created_at === null;
}

async function show({ io, options }: Context, move: Reembedding): Promise<ExitCode> {
  const code = move.status === "failed" ? EXIT.someFailed : EXIT.ok;
  if (options.flag("json")) {
    await printJson(io, move);
    return code;
  }
  if (isNoMove(move)) {
    const model = oneLine(move.to.embedding_model);
    await io.out(`not moved: the project has ${model} already, ${counted(move.chunks_total, "chunk")}\n`);
    return code;
  }
  const reason = move.error_message === null ? "" : `: ${oneLine(move.error_message)}`;
  const done = `${counted(move.chunks_processed, "chunk")} of ${counted(move.chunks_total, "chunk")}`;
  await io.out(`${oneLine(move.status)}, ${oneLine(move.to.embedding_model)}, ${done}${reason}\n`);
  return code;
}
