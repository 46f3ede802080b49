import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { errors } from "../../domain/errors.ts";
import type { IngestionService } from "../../services/ingestion.ts";
import type { ProgressEvent, ProgressReader, ProgressService } from "../../services/progress.ts";
import type { Presenters } from "../presenters.ts";
import { createWaitForJobTool } from "./jobs.ts";

const nothingTold = {
  job: () => assert.fail("nothing is told"),
  progress: () => assert.fail("nothing is told"),
};

/** A call of the tool. `watch` gets what the progress of the job is sent to. */
function waitForJob(deps: {
  readonly watch: (reader: ProgressReader) => () => void;
  readonly getJob?: () => Promise<object>;
  readonly present?: object;
  readonly isStillAllowed?: () => Promise<boolean>;
}): Promise<unknown> {
  const progress: Pick<ProgressService, "watchJob"> = { watchJob: async () => deps.watch };
  const getJob = deps.getJob ?? (() => assert.fail("the job is not read"));
  const addTool = createWaitForJobTool({
    progress: progress as ProgressService, // Has the method that is called.
    ingestion: { getJob } as unknown as IngestionService, // Likewise.
    present: (deps.present ?? nothingTold) as Presenters, // Likewise.
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
    isStillAllowed: deps.isStillAllowed ?? (async () => true),
    onFailure: () => assert.fail("it is nobody's fault"),
    onCall: () => undefined,
    actAs: (_work, run) => run(),
  });
  const args = { project_id: "prj_1", job_id: "job_1", timeout_seconds: 50 };
  return wait?.(args, { mcpReq: { signal } }) ?? assert.fail();
}

test("a wait for a job ends when its key is revoked, and tells nothing", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const watching = Promise.withResolvers<void>();
    let isAllowed = true;
    let isStopped = false;
    const ended = waitForJob({
      watch() {
        watching.resolve();
        return () => {
          isStopped = true;
        };
      },
      isStillAllowed: async () => isAllowed,
    });
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

const running = { job_id: "job_1", source_doc_id: "a", status: "running", chunks_processed: 3 };
const runningEvent = {
  kind: "progress",
  progress: { job: { chunksProcessed: 3 }, chunksTotal: 9 },
} as ProgressEvent; // The members that the tool reads.

/** Sends one event, and then nothing more. */
function sendsOnce({ send, end }: ProgressReader): () => void {
  send(runningEvent);
  end();
  return () => undefined;
}

test("a job whose project is deleted during the wait is not said to run", async () => {
  const answer = await waitForJob({
    watch: sendsOnce,
    getJob: async () => {
      throw errors.projectNotFound("prj_1");
    },
    present: { progress: () => running },
  });
  const [text, isError] = textOf(answer);
  assert.equal(isError, true);
  assert.match(text, /^Project prj_1 not found\./);
});

test("a job that ends after the last event of the wait is told as it is then", async () => {
  const done = { ...running, status: "completed", chunks_processed: 9, nodes_created: 2, edges_created: 1 };
  const answer = await waitForJob({
    watch: sendsOnce,
    getJob: async () => ({ completedAt: 1 }),
    present: { job: () => done, progress: () => running },
  });
  assert.match(textOf(answer)[0], / is completed \(chunks: 9, /);
});

test("a job that runs on after the wait is told with its estimates", async () => {
  const answer = await waitForJob({
    watch: sendsOnce,
    getJob: async () => ({ completedAt: null }),
    present: { progress: () => ({ ...running, chunks_total: 9, seconds_left: 6 }) },
  });
  assert.match(textOf(answer)[0], / is running: 3 of about 9 chunks done, about 6 seconds left\./);
});

function textOf(answer: unknown): readonly [text: string, isError: boolean] {
  const { content, isError } = answer as { content: [{ text: string }]; isError?: boolean }; // A tool's result.
  return [content[0].text, isError === true];
}
