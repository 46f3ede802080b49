import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createCallTurns } from "../adapters/database/call-turns.ts";
import { type CurrentWork, ownWork } from "../ports/current-work.ts";
import { defineTool, READS, type Session } from "./tool.ts";

const session: Session = {
  caller: { accountId: "acc_1", via: "api_key" },
  disconnected: new AbortController().signal,
  isStillAllowed: async () => true,
  onFailure: () => "",
  onCall: () => undefined,
  actAs: (_work, run) => run(),
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

interface Setting {
  readonly readOnly: boolean;
  readonly disconnected?: AbortSignal;
  readonly cancelled?: AbortSignal;
}

/** Calls a tool that reads the store once, with one call before it in the queue. The read begins with `free`. */
function callTool({ readOnly, disconnected = never, cancelled = never }: Setting) {
  const acting = new AsyncLocalStorage<CurrentWork>();
  const inTurn = createCallTurns({ atOnce: 1, currentWork: () => acting.getStore() ?? ownWork() });
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  void inTurn("write", () => busy);
  const outcomes: string[] = [];
  const addTool = defineTool({
    name: "work",
    title: "Work",
    description: "Works.",
    annotations: { ...READS, readOnlyHint: readOnly },
    input: z.object({}),
    output: z.object({}),
    async run() {
      await inTurn("read", async () => outcomes.push("read"));
      return { structured: {}, text: "" };
    },
  });
  let answer: ((args: unknown, context: unknown) => Promise<unknown>) | undefined;
  const server = {
    registerTool: (_name: string, _config: unknown, callback: typeof answer) => {
      answer = callback;
    },
  };
  addTool(server as unknown as McpServer, {
    ...session,
    disconnected,
    onCall: ({ outcome }) => outcomes.push(outcome),
    onFailure: () => assert.fail("it is nobody's fault"),
    actAs: (work, run) => acting.run(work, run),
  });
  const ended = answer?.({}, { mcpReq: { signal: cancelled } });
  return { ended, outcomes, free };
}

const never = new AbortController().signal;

for (const end of ["disconnected", "cancelled"] as const) {
  test(`a read of a call does not begin when its client has ${end} before`, async () => {
    const client = new AbortController();
    const { ended, outcomes, free } = callTool({ readOnly: true, [end]: client.signal });
    client.abort(new Error("gone"));
    free();
    await ended;
    assert.deepEqual(outcomes, ["refused"]);
  });
}

test("a call that changes something is carried out for a client that has gone, too", async () => {
  const client = new AbortController();
  const { ended, outcomes, free } = callTool({ readOnly: false, disconnected: client.signal });
  client.abort(new Error("gone"));
  free();
  await ended;
  assert.deepEqual(outcomes, ["read", "ok"]);
});

test("the JSON Schemas of a tool are made once, not for each list of tools", async () => {
  let made = 0;
  const count = <Schema extends z.ZodObject>(schema: Schema, side: "input" | "output"): Schema => {
    const standard = schema["~standard"];
    const describe: typeof standard.jsonSchema.input = (options) => {
      made++;
      return standard.jsonSchema[side](options);
    };
    const value = { ...standard, jsonSchema: { ...standard.jsonSchema, [side]: describe } };
    return Object.defineProperty(schema, "~standard", { value });
  };
  const addTool = defineTool({
    ...{ name: "work", title: "Work", description: "Works.", annotations: READS },
    input: count(z.object({ project_id: z.string() }), "input"),
    output: count(z.object({ total: z.int() }), "output"),
    run: async () => ({ structured: { total: 1 }, text: "1" }),
  });
  for (let request = 0; request < 3; request++) {
    const server = new McpServer({ name: "test", version: "1.0.0" }, { capabilities: { tools: {} } });
    addTool(server, session);
    const [client, own] = InMemoryTransport.createLinkedPair();
    const answered = Promise.withResolvers<unknown>();
    client.onmessage = answered.resolve;
    await client.start();
    await server.connect(own);
    await client.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const listed = JSON.stringify(await answered.promise);
    assert.match(listed, /"inputSchema":\{.*"project_id".*"outputSchema":\{.*"total"/);
    await server.close();
  }
  assert.equal(made, 2);
});
