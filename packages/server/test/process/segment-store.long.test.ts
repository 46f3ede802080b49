/** Services whose segments are outside of the database: the same answers, and what becomes of them when the store or a process fails. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { examine } from "../../src/doctor-command.ts";
import { runExport, runImport } from "../../src/transfer-commands.ts";
import { queryNumber, queryRows } from "../release/open-data.ts";
import { type BucketServer, startBucketServer } from "../support/bucket-server.ts";
import type { Client } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  longText,
  placedChunks,
  waitFor,
  waitForJob,
} from "../support/ingestion.ts";
import { keysIn, MARKER } from "../support/outside.ts";
import { startProcess } from "../support/process.ts";
import { describeOnBoth, environmentOf, type Home, withHome, withService } from "../support/service.ts";

const DOCUMENTS = Array.from({ length: 10 }, (_, at) => ({
  source_doc_id: `document ${at}`,
  text: longText(20 + at, `shelf ${at}`),
}));
const QUESTIONS = ["Which ledgers does a lantern describe?", "What is on shelf 3?", "entry number 17"];
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Documents, one by one, so that there are segments to merge; two of them replaced and one deleted. */
async function fill(owner: Client): Promise<string> {
  const projectId = await createProject(owner);
  for (const document of DOCUMENTS) await ingestAll(owner, projectId, [document]);
  const [first, second] = DOCUMENTS;
  for (const { source_doc_id } of [first, second].filter((each) => each !== undefined))
    await ingestAll(owner, projectId, [{ source_doc_id, text: longText(9, `the new ${source_doc_id}`) }]);
  const params = { project_id: projectId, source_doc_id: "document 4" };
  await owner.succeed("deleteDocument", { params });
  return projectId;
}

/** Without ids, which differ between projects. */
async function answersOf(owner: Client, project_id: string): Promise<unknown> {
  const answers: unknown[] = [];
  for (const query of QUESTIONS) {
    const params = { project_id };
    const { results } = await owner.succeed("query", { params, body: { query, top_k: 20 } });
    const placed = await placedChunks(owner, project_id, query);
    answers.push(
      results.summary,
      placed.map(({ chunk_id: _, ...chunk }) => chunk),
    );
  }
  return answers;
}

async function retryHeader(owner: Client, projectId: string): Promise<string | null> {
  const reply = await owner.endpoint("query", {
    params: { project_id: projectId },
    body: { query: "ledgers" },
  });
  assert.ok([200, 503].includes(reply.status), reply.text);
  if (reply.status === 200) return null;
  assert.match(reply.text, /The segment store \(KCS_SEGMENT_STORE\) cannot be used/);
  return String(reply.headers["retry-after"]);
}

const outside = (home: Home) =>
  queryNumber(home, "select count(*) from segments where object_key is not null");
const inside = (home: Home) => queryNumber(home, "select count(*) from segment_blobs");

async function metric(owner: Client, name: string): Promise<number> {
  const { text } = await owner.root("GET", "/metrics");
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** As if an hour had passed since they were written, or their segments removed. */
async function letObjectsLapse(home: Home): Promise<void> {
  await queryRows(home, "update segment_objects set remove_at = 1");
}

describeOnBoth((setting) => {
  let server: BucketServer;
  before(async () => {
    server = await startBucketServer();
  });
  after(() => server.close());
  const keys = () => [...server.objects.keys()].filter((key) => !key.endsWith(MARKER)).sort();
  const bucket = (prefix: string, env: Readonly<Record<string, string>> = {}) => ({
    ...server.environment(prefix),
    ...env,
  });

  test("answers are the same with segments in the database, in a folder and in a bucket, also after a start and a move", async () => {
    await withHome(setting, async (home) => {
      const folder = { KCS_SEGMENT_STORE: join(home.dataDir, "segments") };
      const rows = await withService({ home }, async ({ owner }) => {
        const projectId = await fill(owner);
        return { projectId, answers: await answersOf(owner, projectId) };
      });
      assert.equal(await outside(home), 0);
      // Turned on later: those in the database stay where they are until they are merged.
      await withService({ home, env: folder }, async ({ owner }) => {
        assert.deepEqual(await answersOf(owner, rows.projectId), rows.answers);
        const projectId = await fill(owner);
        assert.deepEqual(await answersOf(owner, projectId), rows.answers);
        assert.ok((await outside(home)) > 0 && (await inside(home)) > 0);
        assert.ok(keysIn(folder.KCS_SEGMENT_STORE).length >= (await outside(home)));
      });
      // Neither without the setting nor with another store.
      await assert.rejects(
        withService({ home }, async () => undefined),
        /but KCS_SEGMENT_STORE is not set\. Set it as it was/,
      );
      await assert.rejects(
        withService({ home, env: bucket("other") }, async () => undefined),
        /KCS_SEGMENT_STORE is not the store that has the segments of this database/,
      );
      await withService({ home, env: folder }, async ({ owner }) => {
        assert.deepEqual(await answersOf(owner, rows.projectId), rows.answers);
      });
    });
    await withHome(setting, async (home) => {
      const env = bucket("answers");
      const asked = await withService({ home, env }, async ({ owner }) => {
        const projectId = await fill(owner);
        return { projectId, answers: await answersOf(owner, projectId) };
      });
      assert.equal(await inside(home), 0);
      const copies = readdirSync(join(home.dataDir, "segment-cache")).length;
      assert.ok(copies > 0);
      // From the copies on the disk, and from the bucket.
      for (const clear of [false, true]) {
        if (clear) rmSync(join(home.dataDir, "segment-cache"), { recursive: true });
        server.requests.length = 0;
        await withService({ home, env }, async ({ owner }) => {
          assert.deepEqual(await answersOf(owner, asked.projectId), asked.answers);
        });
        const read = server.requests.filter(({ method, key }) => method === "GET" && !key.endsWith(MARKER));
        assert.equal(read.length > 0, clear);
      }
    });
  });

  test("while the bucket is out of reach questions are told to come again, documents wait, and nothing is damaged", async () => {
    await withHome(setting, async (home) => {
      const env = bucket("outage", { KCS_SEGMENT_CACHE_BYTES: "0" });
      const { projectId, answers } = await withService({ home, env }, async ({ owner }) => {
        const projectId = await fill(owner);
        return { projectId, answers: await answersOf(owner, projectId) };
      });
      await withService({ home, env }, async ({ owner, logged }) => {
        assert.equal(await metric(owner, "kcs_segment_store_up"), 1);
        server.requests.length = 0;
        server.behave = () => 503;
        try {
          assert.match((await retryHeader(owner, projectId)) ?? "", /^[1-9]\d*$/);
          const jobId = await ingest(owner, projectId, {
            source_doc_id: "late",
            text: "The late ferry is blue.",
          });
          const params = { project_id: projectId, job_id: jobId };
          await waitFor("a try of the job", async () =>
            (await owner.succeed("getJob", { params })).status === "running" ? true : null,
          );
          await waitFor("readiness to tell it", async () => {
            const ready = await owner.root("GET", "/ready");
            if (ready.status === 200) return null;
            assert.match(ready.text, /The segment store \(KCS_SEGMENT_STORE\)/);
            return true;
          });
          await waitFor("the metric", async () =>
            (await metric(owner, "kcs_segment_store_up")) === 0 ? true : null,
          );
          assert.match((await retryHeader(owner, projectId)) ?? "", /^[1-9]\d*$/);
          server.behave = () => "answer";
          const job = await waitForJob(owner, projectId, jobId);
          assert.equal(job.status, "completed");
        } finally {
          server.behave = () => "answer";
        }
        await waitFor("an answer", async () =>
          (await retryHeader(owner, projectId)) === null ? true : null,
        );
        await waitFor("readiness", async () =>
          (await owner.root("GET", "/ready")).status === 200 ? true : null,
        );
        await owner.succeed("deleteDocument", { params: { project_id: projectId, source_doc_id: "late" } });
        assert.deepEqual(await answersOf(owner, projectId), answers);
        assert.equal(await metric(owner, "kcs_damaged_segments_total"), 0);
        const told = logged.filter(({ event }) => event === "store_unavailable");
        assert.equal(told.length, 1, JSON.stringify(logged));
        assert.equal(told[0]?.["reason"], "segment_store");
      });
    });
  });

  test("an object whose process was killed before its segment was committed is removed, and the document is there", async () => {
    await withHome(setting, async (home) => {
      const env = bucket("killed");
      const first = await startProcess(home, env);
      const projectId = await createProject(first.owner);
      await ingestAll(first.owner, projectId, DOCUMENTS.slice(0, 2));
      const isSegment = (key: string) => key.includes(projectId);
      const before = keys().filter(isSegment);
      server.behave = ({ method, key }) => (method === "PUT" && isSegment(key) ? "swallow" : "answer");
      await ingest(first.owner, projectId, { source_doc_id: "kept", text: "The kept ledger is green." });
      await waitFor("the upload", async () =>
        keys().filter(isSegment).length > before.length ? true : null,
      );
      await first.end("SIGKILL");
      server.behave = () => "answer";
      const orphans = keys().filter((key) => isSegment(key) && !before.includes(key));
      assert.equal(await outside(home), before.length);
      const second = await startProcess(home, env);
      await waitFor("the document", async () => {
        const placed = await placedChunks(second.owner, projectId);
        return placed.some(({ source_doc_id }) => source_doc_id === "kept") ? true : null;
      });
      for (const orphan of orphans) assert.ok(server.objects.has(orphan));
      const answers = await placedChunks(second.owner, projectId);
      await second.end("SIGTERM");
      await letObjectsLapse(home);
      const third = await startProcess(home, env);
      await waitFor("the removal", async () =>
        orphans.some((key) => server.objects.has(key)) ? null : true,
      );
      assert.deepEqual(await placedChunks(third.owner, projectId), answers);
      await third.end("SIGTERM");
      assert.equal(keys().filter(isSegment).length, await outside(home));
    });
  });

  test("a missing object and a changed one are built again from their chunks", async () => {
    await withHome(setting, async (home) => {
      const env = bucket("damaged", { KCS_SEGMENT_CACHE_BYTES: "0" });
      const { projectId, answers } = await withService({ home, env }, async ({ owner }) => {
        const projectId = await fill(owner);
        return { projectId, answers: await answersOf(owner, projectId) };
      });
      const own = (await queryRows(home, "select object_key from segments")).map(
        (row) => `damaged/${row["object_key"]}`,
      );
      const [missing = "", changed = ""] = own;
      server.objects.delete(missing);
      server.objects.get(changed)?.fill(7, 100, 200);
      await withService({ home, env }, async ({ owner }) => {
        await waitFor("the repair", async () => {
          const params = { project_id: projectId };
          const reply = await owner.endpoint("query", { params, body: { query: "ledgers" } });
          return reply.status === 200 ? true : null;
        });
        assert.deepEqual(await answersOf(owner, projectId), answers);
        await waitFor("both to be found", async () =>
          (await metric(owner, "kcs_damaged_segments_total")) === 2 ? true : null,
        );
      });
    });
  });

  test("an export has the bytes of all segments, and those that are lost are built again after an import", async () => {
    await withHome(setting, async (home) => {
      const env = bucket("exported");
      const { projectId, answers } = await withService({ home, env }, async ({ owner }) => {
        const projectId = await fill(owner);
        return { projectId, answers: await answersOf(owner, projectId) };
      });
      const config = loadConfig(environmentOf(home, env));
      const file = join(home.dataDir, "whole.kcs");
      assert.match(await runExport(file, config), /^Exported \d+ rows of \d+ tables\.$/);
      await assert.rejects(
        runExport(join(home.dataDir, "none.kcs"), { ...config, segmentStore: null }),
        /Set KCS_SEGMENT_STORE as the service has it/,
      );
      const [key = ""] = keys().filter((each) => each.includes(projectId));
      const bytes = server.objects.get(key);
      const part = join(home.dataDir, "part.kcs");
      const isListed =
        (await queryNumber(home, `select count(*) from segments where object_key = '${key.slice(9)}'`)) > 0;
      server.objects.delete(key);
      const said = await runExport(part, config);
      if (isListed)
        assert.match(
          said,
          / 1 segments were not in the segment store or could not be read; the service builds them again after an import\.$/,
        );
      if (bytes !== undefined) server.objects.set(key, bytes);
      for (const [path, store] of [
        [file, {}],
        [part, {}],
        [file, bucket("imported")],
      ] as const) {
        await withHome(setting, async (empty) => {
          const target = { ...empty, ownerKey: home.ownerKey };
          await runImport(path, loadConfig(environmentOf(target, store)), log);
          assert.equal(await outside(target), 0);
          await withService({ home: target, env: store }, async ({ owner }) => {
            await waitFor("the segments", async () => {
              const params = { project_id: projectId };
              const reply = await owner.endpoint("query", { params, body: { query: "ledgers" } });
              return reply.status === 200 ? true : null;
            });
            assert.deepEqual(await answersOf(owner, projectId), answers);
          });
        });
      }
    });
  });

  test("the doctor writes, reads and removes an object, and says what is wrong", async () => {
    await withHome(setting, async (home) => {
      const env = bucket("doctor");
      const look = async (given: Readonly<Record<string, string>>) =>
        examine(loadConfig(environmentOf(home, given)));
      const before = server.objects.size;
      // PostgreSQL's database of the tests has its tables already.
      assert.match(
        (await look({})).text,
        /^ok {5}database: (?:none yet; the first start makes it|PostgreSQL, schema version .*)\nok {5}segment store: none; segments are in the database$/,
      );
      await withService({ home, env }, async ({ owner }) => {
        await ingestAll(owner, await createProject(owner), DOCUMENTS.slice(0, 1));
        const { isWell, text } = await look(env);
        assert.ok(isWell, text);
        assert.match(
          text,
          /ok {5}database: (?:SQLite|PostgreSQL), schema version (\d+) of \1\nok {5}segment store: s3:\/\/kcs-tests\/doctor\/, 65536 bytes written, read and removed; 1 segments read, chosen at random$/,
        );
      });
      assert.equal(server.objects.size, before + 2); // The segment and the marker of the store.
      assert.match(
        (await look({})).text,
        /fault {2}segment store: Segments of this database are in a segment store, but KCS_SEGMENT_STORE is not set/,
      );
      assert.match(
        (await look(bucket("elsewhere"))).text,
        /fault {2}segment store: KCS_SEGMENT_STORE is not the store/,
      );
      server.behave = ({ method }) => (method === "DELETE" ? 403 : "answer");
      const refused = await look(env);
      assert.equal(refused.isWell, false);
      assert.match(refused.text, /fault {2}segment store: .* status 403, SlowDown/);
      const [{ object_key: key = "" } = {}] = await queryRows(home, "select object_key from segments");
      server.behave = (asked) => (asked.key.endsWith(String(key)) ? 403 : "answer");
      const unread = await look(env);
      const exported = runExport(join(home.dataDir, "unread.kcs"), loadConfig(environmentOf(home, env)));
      assert.match(await exported, / 1 segments were not in the segment store or could not be read;/);
      server.behave = () => "answer";
      assert.equal(unread.isWell, false);
      assert.match(
        unread.text,
        new RegExp(
          `fault {2}segment store: 1 of 1 segments cannot be read\\.\\nThe object ${key} .* cannot be read: status 403`,
        ),
      );
    });
  });

  if (setting.database === "postgres") {
    test("two processes share a bucket: each answers from what the other wrote, and removes it", async () => {
      await withHome(setting, async (home) => {
        const other = await setting.createHome();
        mkdirSync(other.dataDir, { recursive: true });
        const env = bucket("shared");
        const one = await startProcess(home, env);
        const two = await startProcess({ ...home, dataDir: other.dataDir }, env);
        const projectId = await createProject(one.owner);
        await Promise.all(
          DOCUMENTS.map((document, at) => ingestAll((at % 2 === 0 ? one : two).owner, projectId, [document])),
        );
        assert.deepEqual(await answersOf(one.owner, projectId), await answersOf(two.owner, projectId));
        await one.end("SIGKILL");
        assert.equal((await placedChunks(two.owner, projectId)).length > 20, true);
        await two.owner.succeed("deleteProject", { params: { project_id: projectId } });
        await two.end("SIGTERM");
        await letObjectsLapse(home);
        const last = await startProcess(home, env);
        await waitFor("the removal", async () =>
          keys().some((key) => key.startsWith("shared/") && key.includes(projectId)) ? null : true,
        );
        await last.end("SIGTERM");
        await other.remove();
      });
    });
  }
});
