import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import pg from "pg";
import { downloadPath, upload } from "../support/files.ts";
import { type Client, readSuccess } from "../support/http-client.ts";
import { createProject, waitFor, waitForJob } from "../support/ingestion.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { describeOnBoth, type Home, withHome } from "../support/service.ts";

const FILES = 12;
/** From nothing done to nearly everything. */
const ROUNDS = [0, 3, 7];

const idOf = (round: number, at: number) => `round-${round}/${at}.txt`;
/** Several pieces each, of which only a little is text for the index. */
const contentOf = (id: string) => `The gauge of ${id} is read at noon.${" ".repeat(1_200_000)}`;

/** On PostgreSQL another process could be alive, and the leases of the killed one must lapse first. */
async function lapseLeases({ databaseUrl }: Home): Promise<void> {
  if (databaseUrl === "") return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update jobs set ready_at = 1 where queue_state = 'running'");
  await client.query("update jobs set convert_at = 1 where convert_token is not null");
  await client.end();
}

async function endedJobs(owner: Client, project_id: string, ids: readonly string[]): Promise<number> {
  const { jobs } = await owner.succeed("listJobs", { params: { project_id }, query: { limit: 100 } });
  return jobs.filter(({ job_id, status }) => ids.includes(job_id) && status === "completed").length;
}

describeOnBoth((setting) => {
  let running: ServiceProcess | null = null;
  const start = async (home: Home) => {
    running = await startProcess(home);
    return running;
  };
  afterEach(async () => {
    await running?.end("SIGKILL");
    running = null;
  });

  test("killed while files arrive and are read, the service loses no accepted file and has none twice", async () => {
    await withHome(setting, async (home) => {
      const accepted: string[] = [];
      let projectId = "";
      for (const [round, enough] of ROUNDS.entries()) {
        const { owner, end } = await start(home);
        if (projectId === "") projectId = await createProject(owner);
        const parts = Array.from({ length: FILES }, (_, at) => {
          return { path: idOf(round, at), content: contentOf(idOf(round, at)) };
        });
        const { jobs } = readSuccess("uploadFiles", await upload(owner, projectId, parts));
        const ids = jobs.map(({ job_id }) => job_id);
        accepted.push(...ids);
        await waitFor(`${enough} files`, async () =>
          (await endedJobs(owner, projectId, ids)) >= enough ? true : null,
        );
        // Another upload is on its way when the process is killed.
        const cutOff = upload(owner, projectId, [
          { path: "cut-off.txt", content: contentOf("x".repeat(9_000_000)) },
        ]).then(
          ({ status }) => status,
          () => null,
        );
        await new Promise((resolve) => setTimeout(resolve, 20 * round));
        assert.equal((await end("SIGKILL")).signal, "SIGKILL");
        assert.notEqual(await cutOff, 200);
        await lapseLeases(home);
      }
      const { owner } = await start(home);
      for (const jobId of accepted) {
        const job = await waitForJob(owner, projectId, jobId);
        assert.deepEqual([job.status, job.chunks_processed], ["completed", 1], job.error_message ?? "");
      }
      const params = { project_id: projectId };
      const { documents } = await owner.succeed("listDocuments", { params });
      const expected = ROUNDS.flatMap((_, round) =>
        Array.from({ length: FILES }, (_, at) => idOf(round, at)),
      );
      assert.deepEqual(
        documents.map(({ source_doc_id }) => source_doc_id),
        expected.toSorted(),
      );
      for (const { source_doc_id } of documents) {
        const { text } = await owner.call("GET", downloadPath(projectId, source_doc_id));
        assert.ok(text === contentOf(source_doc_id));
      }
    });
  });
});
