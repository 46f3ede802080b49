import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  ConnectionError,
  createClient,
  JobFailedError,
  type JobsProgress,
  KcsError,
  TimeoutError,
} from "../src/index.ts";
import { type Answer, fakeFetch, fault, json, own } from "./fake-fetch.ts";

function clientOf(answer: Answer) {
  const { fetch, sent } = fakeFetch(answer);
  return { client: createClient({ apiKey: "kcs_x", fetch, retry: { minDelayMs: 0, maxDelayMs: 0 } }), sent };
}

const job = (id: string, status: string, chunks = 0) => ({
  job_id: id,
  source_doc_id: `doc-${id}`,
  status,
  chunks_processed: chunks,
  error_message: status === "failed" ? "Database connection lost" : null,
});

const event = (type: string, id: string, value: unknown) =>
  `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(value)}\n\n`;

function events(...parts: readonly string[]): Response {
  return new Response(parts.join(""), { headers: own.events });
}

test("a job is followed by its events, and resumed where its stream broke", async () => {
  let connections = 0;
  const { client, sent } = clientOf(() => {
    connections++;
    if (connections === 1) return events(event("progress", "a", job("j", "running", 3)), ": heartbeat\n\n");
    return events(
      event("progress", "b", job("j", "running", 5)),
      event("completed", "c", job("j", "completed", 8)),
    );
  });
  const seen: number[] = [];
  const ended = await client.jobs.wait("p", "j", {
    onProgress: (state) => seen.push(state.chunks_processed),
  });
  assert.equal(ended.status, "completed");
  assert.deepEqual(seen, [3, 5, 8]);
  assert.deepEqual(
    sent.map(({ headers }) => headers.get("last-event-id")),
    [null, "a"],
  );
});

const BEGIN = "retry: 2000\nid: 41\nevent: begin\ndata: {}\n\n";

test("a stream that broke before its first event goes on from where it began", async () => {
  for (const begin of [BEGIN, "retry: 2000\n\nid: 41\n\n"]) {
    let connections = 0;
    const { client, sent } = clientOf(() => {
      connections++;
      if (connections === 1) return events(begin);
      return events(event("completed", "42", job("j", "completed", 8)));
    });
    const { value } = await client.jobs.projectEvents("p").next();
    assert.equal(value?.job.job_id, "j");
    assert.deepEqual(
      sent.map(({ headers }) => headers.get("last-event-id")),
      [null, "41"],
    );
  }
});

/** Lets the clock run until the promise is settled, for at most 2,000 seconds. */
async function passTime(context: TestContext, promise: Promise<unknown>): Promise<void> {
  let isDone = false;
  const note = () => {
    isDone = true;
  };
  promise.then(note, note);
  for (let turn = 0; !isDone && turn < 2_000; turn++) {
    context.mock.timers.tick(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a stream that only ever begins is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { client } = clientOf(() => events(BEGIN));
  const first = client.jobs.projectEvents("p").next();
  await passTime(context, first);
  await assert.rejects(first, /repeatedly ended without an event/);
});

test("a stream that is ended now and then while nothing happens is followed as long as it is read", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  context.mock.method(performance, "now", () => now);
  let connections = 0;
  const { client } = clientOf(() => {
    connections++;
    now += 30 * 60_000;
    if (connections <= 20) return events(": heartbeat\n\n");
    return events(event("completed", "1", job("j", "completed")));
  });
  const first = client.jobs.events("p", "j").next();
  await passTime(context, first);
  assert.equal((await first).value?.type, "completed");
});

test("a job is polled where events do not get through", async () => {
  let looks = 0;
  const { client } = clientOf((request, signal) => {
    if (request.path.endsWith("/events")) return fault(404, "There is nothing here")(request, signal);
    looks++;
    return json(job("j", looks < 3 ? "running" : "completed", looks));
  });
  const ended = await client.jobs.wait("p", "j", { pollMs: 1 });
  assert.deepEqual([ended.status, looks], ["completed", 3]);
});

test("a job that fails rejects with the job, a missing one with what the service says", async () => {
  const failing = clientOf(() => json(job("j", "failed", 4)));
  await assert.rejects(failing.client.jobs.wait("p", "j", { useEvents: false }), (error) => {
    assert.ok(error instanceof JobFailedError && error instanceof KcsError);
    assert.equal(error.job.chunks_processed, 4);
    assert.equal(error.message, 'j of "doc-j" failed: Database connection lost');
    return true;
  });
  const missing = clientOf(fault(404, "Job not found"));
  await assert.rejects(missing.client.jobs.wait("p", "j"), /404: Job not found/);
});

test("waiting has a limit and obeys the signal", async () => {
  const { client } = clientOf(() => json(job("j", "running")));
  await assert.rejects(
    client.jobs.wait("p", "j", { useEvents: false, pollMs: 1, timeoutMs: 20 }),
    TimeoutError,
  );
  const stop = new AbortController();
  const waiting = client.jobs.wait("p", "j", { useEvents: false, signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
});

/** Answers to requests for lists and for single jobs; `now` are the jobs of the project as they are then, newest first. */
function listsOf(
  now: () => readonly ReturnType<typeof job>[],
  onListed: (jobs: number) => void = () => {},
): Answer {
  return ({ path }) => {
    const [place = "", query] = path.split("?");
    const single = now().find(({ job_id }) => place.endsWith(`/${job_id}`));
    if (single !== undefined) return json(single);
    const parameters = new URLSearchParams(query);
    const status = parameters.get("status");
    const offset = Number(parameters.get("offset"));
    const found = now().filter((each) => status === null || each.status === status);
    const jobs = found.slice(offset, offset + Number(parameters.get("limit")));
    onListed(jobs.length);
    return json({ jobs });
  };
}

test("of thousands of jobs only those are read again that have changed", async () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `j${at}`);
  let ended = 0;
  let listed = 0;
  let requests = 0;
  const statusOf = (at: number) => {
    const age = ids.length - at;
    return age <= ended ? "completed" : age <= ended + 8 ? "running" : "pending";
  };
  const answer = listsOf(
    () => ids.map((id, at) => job(id, statusOf(at), 1)),
    (jobs) => {
      listed += jobs;
    },
  );
  const { client } = clientOf((request, signal) => {
    requests++;
    return answer(request, signal);
  });
  let polls = 0;
  const jobs = await client.jobs.waitAll("p", ids, {
    pollMs: 1,
    onProgress() {
      polls++;
      ended += 400;
    },
  });
  assert.ok(jobs.every(({ status }) => status === "completed"));
  assert.ok(polls >= 20, String(polls));
  assert.ok(listed < 6 * ids.length, `${listed} jobs in ${requests} requests`);
  assert.ok(requests < 10 * polls, `${requests} requests in ${polls} polls`);
});

test("a job that was at work is seen to have ended at once, behind any number of newer ones", async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `j${at}`);
  const others = Array.from({ length: 500 }, (_, at) => job(`other${at}`, "completed"));
  let polls = 0;
  const statusOf = (at: number) => {
    if (at === 299) return polls < 2 ? "running" : "completed";
    return polls < 9 ? "pending" : "completed";
  };
  const { client } = clientOf(listsOf(() => [...others, ...ids.map((id, at) => job(id, statusOf(at)))]));
  const seen: number[] = [];
  await client.jobs.waitAll("p", ids, {
    pollMs: 1,
    onProgress({ completed }) {
      polls++;
      seen.push(completed);
    },
  });
  assert.deepEqual(seen.slice(0, 4), [0, 0, 1, 1]);
});

test("jobs that end behind those of others are found", async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `j${at}`);
  const others = Array.from({ length: 200 }, (_, at) => job(`other${at}`, "completed"));
  let polls = 0;
  const { client } = clientOf(
    listsOf(() => [...others, ...ids.map((id, at) => job(id, at % 2 < polls ? "completed" : "pending"))]),
  );
  const jobs = await client.jobs.waitAll("p", ids, {
    pollMs: 1,
    onProgress() {
      polls++;
    },
  });
  assert.ok(jobs.every(({ status }) => status === "completed"));
  assert.ok(polls < 20, String(polls));
});

test("many jobs are waited for by lists, the failed ones among them, in the order asked for", async () => {
  const ids = Array.from({ length: 1_500 }, (_, at) => `j${at}`);
  let lists = 0;
  const { client, sent } = clientOf(
    listsOf(() => {
      const isFirst = ++lists <= 2;
      return ids.map((id, at) =>
        job(id, isFirst && at > 900 ? "running" : at === 7 ? "failed" : "completed", 1),
      );
    }),
  );
  const told: JobsProgress[] = [];
  const jobs = await client.jobs.waitAll("p", ids, {
    pollMs: 1,
    onProgress: (progress) => told.push(progress),
  });
  assert.deepEqual(
    jobs.map(({ job_id }) => job_id),
    ids,
  );
  assert.equal(jobs.filter(({ status }) => status === "failed").length, 1);
  assert.ok(sent.length <= 9, `${sent.length} requests`);
  const ended = told.flatMap((progress) => progress.ended.map(({ job_id }) => job_id));
  assert.deepEqual(new Set(ended), new Set(ids));
  assert.equal(ended.length, ids.length);
  assert.deepEqual(
    [told.at(-1)?.total, told.at(-1)?.completed, told.at(-1)?.failed, told.at(-1)?.chunks],
    [1_500, 1_499, 1, 1_500],
  );
});

test("a few jobs are asked for one by one, none at once", async () => {
  const { client, sent } = clientOf(({ path }) => json(job(path.split("/").at(-1) ?? "", "completed")));
  assert.equal((await client.jobs.waitAll("p", ["a", "b"])).length, 2);
  assert.deepEqual(await client.jobs.waitAll("p", []), []);
  assert.equal(sent.length, 2);
});

test("a stream that breaks again and again, or has no JSON, ends with a ConnectionError", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const broken = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new TypeError("terminated"));
        },
      }),
      { headers: own.events },
    );
  for (const answer of [broken, () => events("event: progress\ndata: {\n\n")]) {
    const first = clientOf(answer).client.jobs.projectEvents("p").next();
    await passTime(context, first);
    await assert.rejects(first, ConnectionError);
  }
});
