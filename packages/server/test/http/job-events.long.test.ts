import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { type EventReader, openEvents, type ReadEvent } from "../support/event-reader.ts";
import { assertFault, createClient } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, longText, waitForJob } from "../support/ingestion.ts";
import { type Gate, startGate } from "../support/reembedding.ts";
import {
  createAccount,
  describeOnBoth,
  type TestService,
  useRestarts,
  useService,
} from "../support/service.ts";

/** Three batches of chunks. */
const LONG = { text: longText(1_400, "watched"), source_doc_id: "long" };
/** In the second batch, in the third. */
const [SECOND, THIRD] = [/entry number 800\b/, /entry number 1350\b/];
const SHORT = { text: "The lamp is lit at dusk.", source_doc_id: "short" };

const jobEvents = (service: TestService, projectId: string, jobId: string, lastEventId?: string) =>
  openEvents(
    { baseUrl: service.baseUrl, key: service.home.ownerKey },
    `/projects/${projectId}/jobs/${jobId}/events`,
    lastEventId,
  );
const projectEvents = (service: TestService, projectId: string, lastEventId?: string) =>
  openEvents(
    { baseUrl: service.baseUrl, key: service.home.ownerKey },
    `/projects/${projectId}/events`,
    lastEventId,
  );

async function nextEnd(reader: EventReader): Promise<ReadEvent> {
  for (;;) {
    const event = await reader.next();
    assert.ok(event, "the stream has ended");
    if (event.name !== "progress") return event;
  }
}

async function eventsUntil(
  reader: EventReader,
  isLast: (processed: number) => boolean,
): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for (;;) {
    const event = await reader.next();
    assert.ok(event, "the stream has ended");
    events.push(event);
    if (isLast(event.data.chunks_processed)) return events;
  }
}

describeOnBoth((setting) => {
  const use = useService(setting);
  let gate: Gate;
  const embedding = { KCS_EMBEDDING_MODEL: "new-vectors", KCS_EMBEDDING_DIMENSIONS: "16" };
  const limited = { KCS_TOKEN_LIMIT: "3000" };
  before(async () => {
    gate = await startGate();
    Object.assign(embedding, { KCS_EMBEDDING_BASE_URL: gate.server.baseUrl });
    Object.assign(limited, embedding);
  });
  afterEach(() => gate.hold(null));
  after(() => gate.close());
  /** Its batches can be held at the gate. */
  const own = useRestarts(setting, limited);

  // One of them waits while the other works.
  describe("with services of their own", { concurrency: true }, () => {
    test("a failed job is retried with its own text", async () => {
      const before = own.use().owner;
      const project_id = await createProject(before);
      const failed = await waitForJob(before, project_id, await ingest(before, project_id, LONG));
      assert.equal(failed.error_message, "Token usage limit exceeded");
      const params = { project_id, job_id: failed.job_id };
      assertFault(await before.endpoint("retryJob", { params }), 403, "Token usage limit exceeded");
      const { owner } = await own.restart(embedding);
      const accepted = await owner.succeed("retryJob", { params });
      assert.equal(accepted.status, "pending");
      const job = await waitForJob(owner, project_id, accepted.job_id);
      assert.deepEqual([job.status, job.source_doc_id], ["completed", "long"]);
      assert.ok(job.chunks_processed > failed.chunks_processed);
      const done = { project_id, job_id: accepted.job_id };
      assertFault(
        await owner.endpoint("retryJob", { params: done }),
        409,
        /is completed\. Only a failed job can be retried\.$/,
      );
    });

    test("the stream of a key that is revoked ends within seconds", async () => {
      const service = use();
      const { key, revokeKey } = await createAccount(service.nobody, service.baseUrl);
      const client = createClient(service.baseUrl, key);
      const projectId = await createProject(client);
      const reader = await openEvents({ baseUrl: service.baseUrl, key }, `/projects/${projectId}/events`);
      assert.equal(reader.status, 200);
      await revokeKey();
      const began = performance.now();
      assert.equal(await reader.next(), null);
      assert.ok(performance.now() - began < 10_000);
      client.close();
    });
  });

  test("a request that follows on the connection of a stream is handled when the stream has ended", async () => {
    const { owner, baseUrl, home } = own.use();
    const projectId = await createProject(owner);
    gate.hold(SECOND);
    const jobId = await ingest(owner, projectId, LONG);
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    const path = `/api/v1/projects/${projectId}/jobs/${jobId}`;
    const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${home.ownerKey}`;
    socket.write(`GET ${path}/events HTTP/1.1\r\n${headers}\r\n\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    const ended = once(socket, "close");
    let text = "";
    for await (const part of socket) {
      text += String(part);
      if (/"chunks_processed":[1-9]/.test(text)) gate.hold(null);
    }
    await ended;
    assert.match(String(text.split("HTTP/1.1 200 OK")[2]), /"status":"completed"/);
  });

  test("the stream of a job tells how it gets on, ends with it, and cannot be missed by coming late", async () => {
    const service = own.use();
    const { owner } = service;
    const projectId = await createProject(owner);
    gate.hold(SECOND);
    const jobId = await ingest(owner, projectId, LONG);
    const reader = await jobEvents(service, projectId, jobId);
    assert.equal(reader.status, 200);
    assert.equal(reader.headers["content-type"], "text/event-stream; charset=utf-8");
    assert.equal(reader.headers["cache-control"], "no-store");
    assert.equal(reader.headers["content-encoding"], undefined);
    assert.match(String(reader.headers["x-request-id"]), /^req_/);
    const events = await eventsUntil(reader, (processed) => processed > 0);
    gate.hold(THIRD);
    const half = events.at(-1)?.data.chunks_processed ?? 0;
    events.push(...(await eventsUntil(reader, (processed) => processed > half)));
    gate.hold(null);
    events.push(...(await reader.rest()));
    const last = events.at(-1);
    assert.ok(last);
    const job = await waitForJob(owner, projectId, jobId);
    const { chunks_total, chunks_per_second, seconds_left, ...plain } = last.data;
    assert.deepEqual(plain, job);
    assert.equal(last.name, "completed");
    assert.deepEqual([chunks_total, chunks_per_second, seconds_left], [job.chunks_processed, null, 0]);
    const before = events.slice(0, -1);
    assert.ok(before.length >= 2, `${before.length} events of progress`);
    assert.ok(before.every(({ name }) => name === "progress"));
    const counts = events.map(({ data }) => data.chunks_processed);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
    );
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    const halfway = before.filter(({ data }) => data.chunks_processed > 0);
    for (const { data } of halfway) {
      assert.ok(Math.abs((data.chunks_total ?? 0) / job.chunks_processed - 1) < 0.1, JSON.stringify(data));
      assert.ok((data.chunks_per_second ?? 0) > 0 && data.seconds_left !== null);
    }

    const late = await jobEvents(service, projectId, jobId, halfway[0]?.id);
    assert.deepEqual(
      (await late.rest()).map(({ name, data }) => [name, data.chunks_processed]),
      [["completed", job.chunks_processed]],
    );
    const knowing = await jobEvents(service, projectId, jobId, last.id);
    assert.equal(knowing.status, 204);
    knowing.close();
  });

  test("the stream of a project tells each end once, also to a reader that was away", async () => {
    const service = use();
    const { owner } = service;
    const projectId = await createProject(owner);
    await ingestAll(owner, projectId, [{ ...SHORT, source_doc_id: "before" }]);
    const reader = await projectEvents(service, projectId);
    await ingestAll(owner, projectId, [{ ...SHORT, source_doc_id: "first" }]);
    const first = await nextEnd(reader);
    assert.deepEqual([first.name, first.data.source_doc_id, first.id], ["completed", "first", "2"]);
    reader.close();
    await ingestAll(owner, projectId, [
      { ...SHORT, source_doc_id: "second" },
      { ...SHORT, source_doc_id: "third" },
    ]);
    const again = await projectEvents(service, projectId, first.id);
    const missed = [await nextEnd(again), await nextEnd(again)];
    assert.deepEqual(missed.map(({ data }) => data.source_doc_id).sort(), ["second", "third"]);
    assert.deepEqual(
      missed.map(({ id }) => id),
      ["3", "4"],
    );
    await owner.succeed("deleteProject", { params: { project_id: projectId } });
    assert.deepEqual(await again.rest(), []);
    const gone = await projectEvents(service, projectId);
    assert.equal(gone.status, 404);
    gone.close();
  });

  test("a job that is cancelled ends its stream; what it had made is gone and what was there before stays", async () => {
    const service = own.use();
    const { owner } = service;
    const projectId = await createProject(owner);
    const ids = { project_id: projectId };
    await ingestAll(owner, projectId, [{ ...LONG, text: "The old text stays." }]);
    gate.hold(SECOND);
    const jobId = await ingest(owner, projectId, LONG);
    const reader = await jobEvents(service, projectId, jobId);
    await eventsUntil(reader, (processed) => processed > 0);
    const params = { ...ids, job_id: jobId };
    const cancelled = await owner.succeed("cancelJob", { params });
    assert.deepEqual([cancelled.status, cancelled.error_message], ["failed", "Cancelled"]);
    assert.deepEqual(await owner.succeed("cancelJob", { params }), cancelled);
    const end = await nextEnd(reader);
    assert.deepEqual([end.name, end.data.error_message], ["cancelled", "Cancelled"]);
    assert.equal(await reader.next(), null);
    const answer = await owner.succeed("query", { params: ids, body: { query: "What stays?", top_k: 100 } });
    assert.deepEqual(
      answer.results.chunks.map(({ text }) => text),
      ["The old text stays."],
    );
    assertFault(await owner.endpoint("retryJob", { params }), 409, /^The text of job \S+ is no longer kept/);
    gate.hold(null);
    // The lane that lost its lease works on.
    const [next] = await ingestAll(owner, projectId, [SHORT]);
    assert.equal(next?.status, "completed");
    assertFault(
      await owner.endpoint("cancelJob", { params: { ...ids, job_id: next?.job_id ?? "" } }),
      409,
      /is completed\. Only a pending or running job can be cancelled\.$/,
    );
    assertFault(
      await owner.endpoint("cancelJob", { params: { ...ids, job_id: "job_unknown" } }),
      404,
      "Job not found",
    );
  });

  test("streams are bounded, ask for a key, and a HEAD of one ends", async () => {
    const service = use();
    const { owner, nobody } = service;
    const projectId = await createProject(owner);
    const path = `/projects/${projectId}/events`;
    const head = await owner.call("HEAD", path);
    assert.deepEqual([head.status, head.headers["content-type"]], [200, "text/event-stream; charset=utf-8"]);
    assertFault(await nobody.call("GET", path), 401, "Invalid API key");
    assertFault(await owner.call("POST", path), 405, /Use GET, HEAD/);
    const readers = await Promise.all(Array.from({ length: 8 }, () => projectEvents(service, projectId)));
    const refused = await owner.call("GET", path);
    assertFault(refused, 429, /^At most 8 event streams of an account are open at once/);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    for (const reader of readers) reader.close();
  });

  test("a service that ends closes its streams first", async () => {
    const service = own.use();
    const reader = await projectEvents(service, await createProject(service.owner));
    await own.stop();
    const began = performance.now();
    assert.deepEqual(await reader.rest(), []);
    assert.ok(performance.now() - began < 1_000);
  });
});
