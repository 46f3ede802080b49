/** What is committed is told, whatever becomes of the process. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createProject, ingest, waitForJob } from "../support/ingestion.ts";
import { startProcess } from "../support/process.ts";
import { useDatabase, withHome } from "../support/service.ts";
import { assertSigned, startWebhookReceiver } from "../support/webhook-receiver.ts";

const NOTE = { text: "The sluice opens at six.", source_doc_id: "note" };
const env = { KCS_WEBHOOK_PRIVATE: "allow" };

const database = useDatabase();

describe("a process that is killed between a commit and the delivery of its event", () => {
  test("leaves it to its next start, under the same id", async () => {
    await withHome(database, async (home) => {
      const hooks = await startWebhookReceiver();
      hooks.answer("hang");
      const first = await startProcess(home, env);
      const { secret } = await first.owner.succeed("createWebhook", { body: { url: hooks.url } });
      const projectId = await createProject(first.owner);
      const jobId = await ingest(first.owner, projectId, NOTE);
      await waitForJob(first.owner, projectId, jobId);
      // The message has left; whether it was heard nobody knows when the process is gone.
      await hooks.receive(1);
      await first.end("SIGKILL");
      hooks.answer(204);
      const second = await startProcess(home, env);
      const [sent, again] = await hooks.receive(2);
      await second.end("SIGTERM");
      assert.ok(sent && again);
      assert.deepEqual([again.id, again.body], [sent.id, sent.body]);
      assert.deepEqual((again.message.data as { job_id?: string }).job_id, jobId); // A job, by its type.
      assertSigned(again, secret);
      await hooks.close();
    });
  });
});
