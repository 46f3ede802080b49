import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import type { IngestionService } from "../../services/ingestion.ts";
import type { ProgressService } from "../../services/progress.ts";
import { createWaitForJobTool } from "./jobs.ts";

test("a wait for a job ends when its key is revoked, and tells nothing", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const watching = Promise.withResolvers<void>();
    let isAllowed = true;
    let isStopped = false;
    const progress: Pick<ProgressService, "watchJob"> = {
      watchJob: async () => () => {
        watching.resolve();
        return () => {
          isStopped = true;
        };
      },
    };
    const addTool = createWaitForJobTool({
      progress: progress as ProgressService, // Has the method that is called.
      ingestion: {} as IngestionService, // Not called.
      present: { job: () => assert.fail("nothing is told"), progress: () => assert.fail("nothing is told") },
    });
    let wait: ((args: unknown, context: unknown) => Promise<unknown>) | undefined;
    const server = {
      registerTool: (_name: string, _config: unknown, callback: typeof wait) => {
        wait = callback;
      },
    };
    const { signal } = new AbortController();
    // The only member that it uses.
    addTool(server as unknown as McpServer, {
      caller: { accountId: "acc_1", via: "api_key" },
      disconnected: signal,
      isStillAllowed: async () => isAllowed,
      onFailure: () => assert.fail("it is nobody's fault"),
      onCall: () => undefined,
      actAs: (_work, run) => run(),
    });
    const args = { project_id: "prj_1", job_id: "job_1", timeout_seconds: 50 };
    const ended = wait?.(args, { mcpReq: { signal } });
    await watching.promise;
    mock.timers.tick(5_000);
    assert.equal(isStopped, false);
    isAllowed = false;
    mock.timers.tick(1_000);
    assert.deepEqual(await ended, {
      content: [{ type: "text", text: "Invalid API key." }],
      isError: true,
    });
    assert.equal(isStopped, true);
  } finally {
    mock.timers.reset();
  }
});
