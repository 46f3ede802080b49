/** Definition of a tool: its description for the model, input, output, and the handling of its result. */
import type {
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { ActAs } from "../ports/current-work.ts";
import { describeOnce } from "./describe-once.ts";
import { failureText, type OnFailure, runWithDeadline } from "./failures.ts";
import type { Wire } from "./presenters.ts";

/** Context of a running call. */
export interface Call {
  readonly caller: Caller;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Whether the key is still valid; for calls that last. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Does nothing if the client did not request progress, or if `done` has not increased: the protocol requires that it does. */
  reportProgress(progress: { readonly done: number; readonly total: number | null }): void;
}

export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** The model decides by this text whether to call the tool. */
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly input: Input;
  readonly output: Output;
  /** `text` has the content of `structured` for clients that pass only text to the model. */
  run(
    args: z.output<Input>,
    call: Call,
  ): Promise<{ readonly structured: Wire<Output>; readonly text: string }>;
}

/** Context of one HTTP request, which may have several calls. */
export interface Session {
  readonly caller: Caller;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  readonly isStillAllowed: () => Promise<boolean>;
  readonly actAs: ActAs;
  readonly onFailure: OnFailure;
  readonly onCall: (call: { readonly tool: string; readonly outcome: "ok" | "refused" | "failed" }) => void;
}

export type AddTool = (server: McpServer, session: Session) => void;

/** Annotations of a tool that only reads data of the caller. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Longer than the longest `wait_for_job`. */
const DEADLINE_MS = 60_000;

/** Returns a function that adds the tool to a server. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): AddTool {
  const { name, title, description, annotations } = tool;
  const config = {
    ...{ title, description, annotations },
    inputSchema: describeOnce(tool.input, "input"),
    outputSchema: describeOnce(tool.output, "output"),
  };
  return (server, session) => {
    const answer = async (args: z.output<Input>, context: ServerContext) => {
      const call = callOf(context, session);
      const run = () => tool.run(args, call);
      try {
        const work = annotations.readOnlyHint ? () => readFor(session, call.signal, run) : run;
        const { structured, text } = await runWithDeadline(work, DEADLINE_MS);
        session.onCall({ tool: name, outcome: "ok" });
        // Plain JSON data, which the library validates against the output schema.
        const structuredContent = structured as Record<string, unknown>;
        return { content: [{ type: "text" as const, text }], structuredContent };
      } catch (error) {
        const failure = failureText(error, session.onFailure);
        session.onCall({ tool: name, outcome: failure.isServiceFault ? "failed" : "refused" });
        return { content: [{ type: "text" as const, text: failure.text }], isError: true };
      }
    };
    // The library derives the argument type from the schema type, which is generic here.
    server.registerTool<StandardSchemaWithJSON, StandardSchemaWithJSON>(
      name,
      config,
      answer as (args: unknown, context: ServerContext) => ReturnType<typeof answer>,
    );
  };
}

/** Reads that have not begun when the signal is aborted never do. */
export async function readFor<T>(
  { caller, actAs }: Pick<Session, "caller" | "actAs">,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  actAs({ accountId: caller.accountId, signal }, () => void read().then(resolve, reject));
  try {
    return await promise;
  } catch (error) {
    // A client that cancels the call gives a reason of its own.
    throw signal.aborted && error === signal.reason ? errors.abandoned() : error;
  }
}

function callOf({ mcpReq }: ServerContext, { caller, disconnected, isStillAllowed }: Session): Call {
  const token = mcpReq._meta?.progressToken;
  let reported = -1;
  return {
    caller,
    isStillAllowed,
    signal: AbortSignal.any([mcpReq.signal, disconnected]),
    reportProgress({ done, total }) {
      if (token === undefined || done <= reported) return;
      reported = done;
      const params = { progressToken: token, progress: done, ...(total === null ? {} : { total }) };
      // Fails when the client has disconnected, which ends the call by its signal anyway.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}
