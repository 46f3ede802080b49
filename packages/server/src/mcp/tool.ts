/** One tool: what a model is told about it, what it takes and gives, and how its outcome is answered. */
import type { McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Caller } from "../domain/account.ts";
import { failureText, type OnFailure, runWithDeadline } from "./failures.ts";
import type { Wire } from "./presenters.ts";

/** Who calls, and what a running call may use. */
export interface Call {
  readonly caller: Caller;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Does nothing where the client asked for no progress. */
  tellProgress(progress: { readonly done: number; readonly total: number | null }): void;
}

export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Read by a model, which decides by it whether to call the tool. */
  readonly description: string;
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly input: Input;
  readonly output: Output;
  /** `text` says what `structured` holds, for clients that show a model text alone. */
  run(
    args: z.output<Input>,
    call: Call,
  ): Promise<{ readonly structured: Wire<Output>; readonly text: string }>;
}

/** Of one request: whose it is, and who is told how its calls end. */
export interface Session {
  readonly caller: Caller;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
  readonly onFailure: OnFailure;
  readonly onCall: (call: { readonly tool: string; readonly outcome: "ok" | "refused" | "failed" }) => void;
}

export type AddTool = (server: McpServer, session: Session) => void;

/** Reads nothing but what the caller owns; may be called again at will. */
export const READS = {
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

/** Longer than a wait for a job may take. */
const DEADLINE_MS = 60_000;

/** Binds a tool's types together; what it returns adds the tool to a server. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): AddTool {
  const { name, title, description, annotations, input, output } = tool;
  return (server, session) => {
    const config = { title, description, annotations, inputSchema: input, outputSchema: output };
    const answer = async (args: z.output<Input>, context: ServerContext) => {
      try {
        const call = callOf(context, session);
        const { structured, text } = await runWithDeadline(() => tool.run(args, call), DEADLINE_MS);
        session.onCall({ tool: name, outcome: "ok" });
        // Plain data of the contract; the library checks it against the schema of the output.
        const structuredContent = structured as Record<string, unknown>;
        return { content: [{ type: "text" as const, text }], structuredContent };
      } catch (error) {
        const failure = failureText(error, session.onFailure);
        session.onCall({ tool: name, outcome: failure.isOurs ? "failed" : "refused" });
        return { content: [{ type: "text" as const, text: failure.text }], isError: true };
      }
    };
    // The library computes the type of arguments from the schema's type, which is not known here.
    server.registerTool<z.ZodObject, z.ZodObject>(
      name,
      config,
      answer as (args: unknown, context: ServerContext) => ReturnType<typeof answer>,
    );
  };
}

function callOf({ mcpReq }: ServerContext, { caller, gone }: Session): Call {
  const token = mcpReq._meta?.progressToken;
  return {
    caller,
    signal: AbortSignal.any([mcpReq.signal, gone]),
    tellProgress({ done, total }) {
      if (token === undefined) return;
      const params = { progressToken: token, progress: done, ...(total === null ? {} : { total }) };
      // Whoever has gone is told nothing; the call itself ends by its signal.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}
