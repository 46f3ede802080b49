import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { defineTool, READS, type Session } from "./tool.ts";

const session: Session = {
  caller: { accountId: "acc_1", via: "api_key" },
  disconnected: new AbortController().signal,
  onFailure: () => "",
  onCall: () => undefined,
};

/** The values of the progress notifications of a call whose tool reports `done`. */
async function notifiedProgress(done: readonly number[]): Promise<readonly number[]> {
  const values: number[] = [];
  const addTool = defineTool({
    name: "work",
    title: "Work",
    description: "Works.",
    annotations: READS,
    input: z.object({}),
    output: z.object({}),
    async run(_args, call) {
      for (const value of done) call.reportProgress({ done: value, total: null });
      return { structured: {}, text: "" };
    },
  });
  let answer: ((args: unknown, context: unknown) => Promise<unknown>) | undefined;
  const server = {
    registerTool: (_name: string, _config: unknown, callback: typeof answer) => {
      answer = callback;
    },
  };
  addTool(server as unknown as McpServer, session); // The only member that it uses.
  const notify = async ({ params }: { params: { progress: number } }) => void values.push(params.progress);
  const mcpReq = { signal: session.disconnected, _meta: { progressToken: 1 }, notify };
  await answer?.({}, { mcpReq });
  return values;
}

// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
test("the progress of a call increases with each notification", async () => {
  assert.deepEqual(await notifiedProgress([0, 0, 3, 3, 2, 5]), [0, 3, 5]);
});
