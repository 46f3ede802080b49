import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { API_PREFIX, endpoints } from "@kcs/contract";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type Client,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  createClient,
  KcsError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type Retry,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnavailableError,
} from "../src/index.ts";
import { type Answer, fakeFetch, fault, json, own, type Sent } from "./fake-fetch.ts";

const QUICK = { minDelayMs: 0, maxDelayMs: 0 };

function clientOf(answers: readonly Answer[], options: ClientOptions = {}) {
  const { fetch, sent } = fakeFetch(...answers);
  return { client: createClient({ apiKey: "kcs_x", fetch, retry: QUICK, ...options }), sent };
}

/** One call of every method, by the name of its endpoint. */
const calls: { readonly [Name in keyof typeof endpoints]: (client: Client) => Promise<unknown> } = {
  createProject: (client) => client.projects.create({ name: "Harbour" }),
  listProjects: (client) => client.projects.list(),
  getProject: (client) => client.projects.get("p"),
  renameProject: (client) => client.projects.rename("p", { name: "x" }),
  changeProject: (client) => client.projects.change("p", { name: "New" }),
  deleteProject: (client) => client.projects.delete("p"),
  reembedProject: (client) => client.projects.reembed("p"),
  getReembedding: (client) => client.projects.reembedding("p"),
  cancelReembedding: (client) => client.projects.cancelReembedding("p"),
  rereadProject: (client) => client.projects.reread("p"),
  rereadDocuments: (client) => client.documents.reread("p", ["d"]),
  getReread: (client) => client.projects.getReread("p"),
  cancelReread: (client) => client.projects.cancelReread("p"),
  ingest: (client) => client.documents.ingest("p", { text: "x", source_doc_id: "d" }),
  ingestBatch: (client) => client.documents.ingestBatch("p", [{ text: "x", source_doc_id: "d" }]),
  uploadFiles: (client) => client.files.upload("p", [{ path: "a", content: new Blob(["x"]) }]),
  ingestUrl: (client) => client.files.ingestUrl("p", { url: "https://x.example" }),
  getDocumentFile: (client) => client.files.download("p", "d"),
  listJobs: (client) => client.jobs.list("p"),
  getJob: (client) => client.jobs.get("p", "j"),
  getQueue: (client) => client.jobs.queue("p"),
  retryJobs: (client) => client.jobs.retryAll("p"),
  cancelJobs: (client) => client.jobs.cancelAll("p"),
  recordFeedback: (client) => client.feedback.record("p", { rating: "up", query: "x", answer: "y" }),
  listFeedback: (client) => client.feedback.list("p"),
  createCorrections: (client) =>
    client.corrections.create("p", [{ kind: "rename", entity: { type: "T", name: "x" }, name: "y" }]),
  listCorrections: (client) => client.corrections.list("p"),
  listCorrectionExamples: (client) => client.corrections.examples("p"),
  addExamplesToOntology: (client) => client.corrections.addExamples("p", { bind: true }),
  getCorrectionEvidence: (client) => client.corrections.evidence("p", "c"),
  deleteCorrection: (client) => client.corrections.delete("p", "c"),
  query: (client) => client.query("p", { query: "x" }),
  suggestOntology: (client) => client.ontologies.suggest("x"),
  lintOntology: (client) => client.ontologies.lint({ schema: {} }),
  createOntology: (client) =>
    client.ontologies.create({ name: "x", schema: { ontology: { hierarchy: [] } } }),
  listOntologies: (client) => client.ontologies.list(),
  replaceOntology: (client) =>
    client.ontologies.replace("o", { name: "x", schema: { ontology: { hierarchy: [] } } }),
  importOntology: (client) => client.ontologies.import({ content: "x" }, { format: "turtle" }),
  exportOntology: (client) => client.ontologies.export("o", { format: "turtle" }),
  deleteOntology: (client) => client.ontologies.delete("o"),
  listOntologyVersions: (client) => client.ontologies.versions("o"),
  diffOntology: (client) => client.ontologies.diff("o"),
  getOntology: (client) => client.ontologies.get("o"),
  listDocuments: (client) => client.documents.list("p"),
  getDocument: (client) => client.documents.get("p", "d"),
  deleteDocument: (client) => client.documents.delete("p", "d"),
  getChunk: (client) => client.documents.chunk("p", "c"),
  listEntities: (client) => client.graph.entities("p"),
  getEntity: (client) => client.graph.entity("p", "e"),
  listRelationships: (client) => client.graph.relationships("p"),
  listProposals: (client) => client.graph.proposals("p"),
  listAssociations: (client) => client.graph.associations("p", { entity_id: "e" }),
  getGraphOverview: (client) => client.graph.overview("p"),
  findGraphPath: (client) => client.graph.path("p", { from: "e", to: "f" }),
  listUnrelatedEntities: (client) => client.graph.unrelated("p"),
  matchGraph: (client) => client.graph.match("p", { nodes: [{}] }),
  exportGraph: (client) => client.graph.export("p"),
  getGraphFit: (client) => client.graph.fit("p"),
  getProjectStats: (client) => client.projects.stats("p"),
  getProjectConfig: (client) => client.projects.config("p"),
  getUsage: (client) => client.usage(),
  watchJob: (client) => client.jobs.events("p", "j").next(),
  watchProject: (client) => client.jobs.projectEvents("p").next(),
  cancelJob: (client) => client.jobs.cancel("p", "j"),
  retryJob: (client) => client.jobs.retry("p", "j"),
  createWebhook: (client) => client.webhooks.create({ url: "https://hooks.example" }),
  listWebhooks: (client) => client.webhooks.list(),
  getWebhook: (client) => client.webhooks.get("w"),
  changeWebhook: (client) => client.webhooks.change("w", { status: "disabled" }),
  deleteWebhook: (client) => client.webhooks.delete("w"),
  listWebhookDeliveries: (client) => client.webhooks.deliveries("w"),
  testWebhook: (client) => client.webhooks.test("w"),
};

test("a change is not sent on to where a redirect leads, nor again", async (context) => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(url === "/other" ? 200 : 302, { location: "/other" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "kcs_x" });
  const isTold = (error: unknown) =>
    error instanceof KcsError && !error.mayBeDone && /redirects to another address/.test(error.message);
  await assert.rejects(client.projects.create({ name: "Harbour" }), isTold);
  assert.deepEqual(asked, ["POST /api/v1/projects"]);
});

test("a call that tells what it changed is not repeated after its answer was lost, and the error says so", async () => {
  const lost = () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
  };
  const refused = () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
  };
  for (const call of [
    (client: Client) => client.jobs.retryAll("p"),
    (client: Client) => client.jobs.cancelAll("p"),
    (client: Client) => client.projects.change("p", { ontology_version: 2 }),
    (client: Client) => client.corrections.addExamples("p"),
  ]) {
    const { client, sent } = clientOf([refused, lost, () => json({})]);
    await assert.rejects(call(client), (error) => error instanceof ConnectionError && error.mayBeDone);
    assert.equal(sent.length, 2);
    const partly = clientOf([
      fault(503, "Cancelled so far: 3 jobs.", { "retry-after": "0" }),
      () => json({}),
    ]);
    await assert.rejects(call(partly.client), /Cancelled so far: 3 jobs/);
    assert.equal(partly.sent.length, 1);
  }
  await assert.rejects(clientOf([lost]).client.projects.list(), (error) => !(error as KcsError).mayBeDone);
  const { client } = clientOf([lost, fault(401, "No.")]);
  await assert.rejects(
    client.projects.create({ name: "x" }),
    (error) => error instanceof AuthenticationError && error.mayBeDone,
  );
  const first = clientOf([fault(401, "No.")]).client;
  await assert.rejects(first.projects.create({ name: "x" }), (error) => !(error as KcsError).mayBeDone);
});

describe("every endpoint of the contract", () => {
  const ids: Readonly<Record<string, string>> = {
    project_id: "p",
    job_id: "j",
    ontology_id: "o",
    source_doc_id: "d",
    chunk_id: "c",
    entity_id: "e",
    webhook_id: "w",
    correction_id: "c",
  };
  const answerTo = ({ headers }: Sent, status: number) => {
    const accept = headers.get("accept");
    if (status === 204) return new Response(null, { status, headers: { "x-request-id": "req_1" } });
    if (accept !== "text/event-stream")
      return new Response("{}", { status, headers: accept === "*/*" ? own.file : own.json });
    return new Response('event: completed\ndata: {"job_id":"j"}\n\n', { headers: own.events });
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} is asked by a method, with the key, at its path`, async () => {
      const { method, path, success } = endpoints[name as keyof typeof endpoints]; // A key of the table above.
      const { client, sent } = clientOf([(request) => answerTo(request, success)]);
      await call(client);
      const expected =
        API_PREFIX + path.replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? "?");
      assert.deepEqual([sent[0]?.method, sent[0]?.path.split("?")[0]], [method, expected]);
      assert.equal(sent[0]?.headers.get("authorization"), "Bearer kcs_x");
    });

    test(`${name} takes nothing for the service's answer that something between wrote`, async () => {
      const { method, success } = endpoints[name as keyof typeof endpoints]; // A key of the table above.
      const html = { "content-type": "text/html" };
      const page = (headers: Record<string, string>) => () => new Response("<h1>Sign in</h1>", { headers });
      const unnamed: Answer = (request) => {
        const { status, headers, body } = answerTo(request, success);
        const others = [...headers].filter(([header]) => header !== "x-request-id");
        return new Response(body, { status, headers: others });
      };
      for (const foreign of [page(html), page({ ...html, "x-request-id": "req_of_the_proxy" }), unnamed]) {
        const { client, sent } = clientOf([foreign]);
        await assert.rejects(call(client), (error) => {
          assert.ok(error instanceof KcsError && !(error instanceof ConnectionError));
          assert.match(error.message, /^Something between answered .* instead of the service: 20\d, /);
          assert.equal(error.mayBeDone, method !== "GET");
          return true;
        });
        assert.equal(sent.length, 1);
      }
    });
  }
});

/** Errors that are not the service's: without its header, of another type, and without its `detail`. */
function pagesOf(status: number): readonly Answer[] {
  const named = { "x-request-id": "req_of_the_proxy", "retry-after": "0" };
  const page = (body: string, headers: Record<string, string>) => () =>
    new Response(body, { status, headers });
  return [
    page("404 page not found", { "content-type": "text/plain; charset=utf-8" }),
    page("<h1>Not here</h1>", { ...named, "content-type": "text/html" }),
    page('{"detail":"Not Found"}', { ...named, "content-type": "text/html" }),
    page('{"detail":"Not Found"}', { "content-type": "application/json" }),
    page('{"message":"no Route matched"}', { ...own.json, ...named }),
  ];
}

describe("a request", () => {
  test("encodes what stands in its path and leaves out what is undefined", async () => {
    const { client, sent } = clientOf([() => json({})]);
    await client.documents.get("p/../x", "häfen/log ?#%");
    await client.documents.list("p", { search: "a b&c", limit: undefined });
    assert.equal(sent[0]?.path, "/api/v1/projects/p%2F..%2Fx/documents/h%C3%A4fen%2Flog%20%3F%23%25");
    assert.equal(sent[1]?.path, "/api/v1/projects/p/documents?search=a+b%26c");
  });

  test("goes below the path of the base URL, with or without the version", async () => {
    for (const baseUrl of ["https://x.example/kb", "https://x.example/kb/", "https://x.example/kb/api/v1"]) {
      const { client, sent } = clientOf([() => json({})], { baseUrl });
      await client.usage();
      assert.equal(sent[0]?.path, "/kb/api/v1/usage");
    }
  });

  test("without a key has none, so that a page's session counts; a function is asked each time", async () => {
    const page = clientOf([() => json({})], { apiKey: undefined });
    await page.client.usage();
    assert.equal(page.sent[0]?.headers.get("authorization"), null);
    let turn = 0;
    const rotating = clientOf([fault(503, "busy"), () => json({})], { apiKey: async () => `kcs_${++turn}` });
    await rotating.client.usage();
    assert.deepEqual(
      rotating.sent.map(({ headers }) => headers.get("authorization")),
      ["Bearer kcs_1", "Bearer kcs_2"],
    );
  });

  test("that creates has one idempotency key for all attempts, another for the next call, or the caller's", async () => {
    const { client, sent } = clientOf([fault(503, "busy"), () => json({})]);
    await client.projects.create({ name: "x" });
    await client.projects.create({ name: "x" });
    await client.projects.create({ name: "x" }, { idempotencyKey: "mine" });
    await client.query("p", { query: "x" });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/);
    assert.equal(keys[1], keys[0]);
    assert.notEqual(keys[2], keys[0]);
    assert.deepEqual(keys.slice(3), ["mine", null]);
  });

  test("is repeated after a lost connection and an overload, and tells of it", async () => {
    const retries: Retry[] = [];
    const lost = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNRESET") }));
    const { client, sent } = clientOf([lost, fault(429, "slow down"), () => json({ days: [] })], {
      onRetry: (retry) => retries.push(retry),
    });
    assert.deepEqual(await client.usage(), { days: [] });
    assert.equal(sent.length, 3);
    assert.deepEqual(
      retries.map(({ error, attempt }) => [error.name, attempt]),
      [
        ["ConnectionError", 1],
        ["RateLimitError", 2],
      ],
    );
    assert.match(
      retries[0]?.error.message ?? "",
      /^Cannot reach http:\/\/127\.0\.0\.1:8080\/api\/v1\/usage: ECONNRESET$/,
    );
  });

  test("that deletes has deleted where only the answer to its first attempt was lost", async () => {
    const failed = (code: string) => () =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }));
    const gone = fault(404, "Project p not found");
    const { client } = clientOf([failed("ECONNRESET"), gone]);
    assert.equal(await client.projects.delete("p"), undefined);
    for (const answers of [
      [gone],
      [fault(503, "The database cannot be reached"), gone],
      [fault(429, "Too many requests"), gone],
      [failed("ECONNREFUSED"), gone],
    ]) {
      const { client: other } = clientOf(answers);
      await assert.rejects(other.projects.delete("p"), NotFoundError);
    }
    for (const page of pagesOf(404)) {
      const { client: other } = clientOf([failed("ECONNRESET"), page]);
      const isTold = (error: unknown) =>
        error instanceof ApiError && !(error instanceof NotFoundError) && error.mayBeDone;
      await assert.rejects(other.projects.delete("p"), isTold);
    }
  });
});

describe("an error", () => {
  const kinds = [
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [405, ApiError],
    [409, ConflictError],
    [413, TooLargeError],
    [429, RateLimitError],
    [500, ServerError],
    [503, UnavailableError],
  ] as const;
  for (const [status, Kind] of kinds) {
    test(`${status} is a ${Kind.name} with the service's words`, async () => {
      const { client } = clientOf([
        fault(status, "It says why.", { "x-request-id": "req_7", "retry-after": "61" }),
      ]);
      await assert.rejects(client.usage(), (error) => {
        assert.ok(error instanceof Kind && error instanceof ApiError);
        assert.equal(error.name, Kind.name);
        assert.deepEqual(
          [error.status, error.detail, error.requestId, error.retryAfterSeconds, error.message],
          [status, "It says why.", "req_7", 61, `${status}: It says why.`],
        );
        return true;
      });
    });
  }

  test("of a proxy is told as one, and says nothing of keys and resources", async () => {
    const ofAnyone = [...kinds, [502, ServerError] as const].filter(([status]) =>
      [413, 429, 500, 502, 503].includes(status),
    );
    const ofService = [400, 401, 403, 404, 405, 409].map((status) => [status, ApiError] as const);
    for (const [status, Kind] of [...ofAnyone, ...ofService]) {
      for (const page of pagesOf(status)) {
        const { client, sent } = clientOf([page], { retry: { maxRetries: status === 409 ? 1 : 0 } });
        await assert.rejects(client.usage(), (error) => {
          assert.ok(error instanceof ApiError);
          assert.deepEqual([error.constructor, error.status, error.requestId], [Kind, status, null]);
          assert.match(error.detail, /^Something between answered .* instead of the service: \d{3}, /);
          return true;
        });
        assert.equal(sent.length, 1);
      }
    }
  });

  test("is told of an answer that is no JSON", async () => {
    const page = clientOf([() => new Response("<h1>Hello</h1>", { headers: own.json })]);
    await assert.rejects(page.client.usage(), /a body that is not JSON: <h1>Hello/);
  });

  test("of a text that breaks off is told as others are", async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array(3));
            controller.error(new TypeError("terminated"));
          },
        }),
        { headers: own.file },
      );
    const { client } = clientOf([broken]);
    const exported = client.ontologies.export("o", { format: "turtle" }, { maxRetries: 0 });
    await assert.rejects(exported, ConnectionError);
  });

  test("is told of an answer without an end, of which no more is read than the service sends", async () => {
    let pieces = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pieces++;
            controller.enqueue(new Uint8Array(2 ** 20).fill(0x20));
          },
        }),
        { status: 400 },
      );
    const { client } = clientOf([endless]);
    await assert.rejects(client.projects.list(), ApiError);
    assert.ok(pieces < 5, String(pieces));
  });

  test("of a key that no header may have does not tell the key, and is not tried again", async () => {
    for (const apiKey of ["kcs_secret\nx", "kcs_secret\u0000", "kcs_secret€"]) {
      const { client, sent } = clientOf([() => json({})], { apiKey });
      await assert.rejects(client.usage(), (error) => {
        assert.ok(error instanceof KcsError && !(error instanceof ConnectionError));
        assert.match(error.message, /^The API key has a character that no header may have/);
        assert.doesNotMatch(inspect(error, { depth: 9 }), /kcs_secret/);
        return true;
      });
      await assert.rejects(
        client.usage({}, { headers: { "x-trace": "secret\n1" } }),
        /^KcsError: The (API key|header "x-trace") has/,
      );
      assert.equal(sent.length, 0);
    }
  });

  test("is a KcsError whatever the call was given", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const { client, sent } = clientOf([() => json({})]);
    await assert.rejects(
      client.query("p", circular as unknown as { query: string }),
      (error) => error instanceof KcsError && /cannot be written as JSON/.test(error.message),
    );
    await assert.rejects(
      async () => client.documents.get("p", "\ud800"),
      (error) => error instanceof KcsError && /lone surrogate/.test(error.message),
    );
    assert.equal(sent.length, 0);
  });

  test("is thrown after the last retry", async () => {
    const { client, sent } = clientOf([fault(503, "busy")]);
    await assert.rejects(client.usage(), UnavailableError);
    assert.equal(sent.length, 4);
    await assert.rejects(client.usage({}, { maxRetries: 0 }), UnavailableError);
    assert.equal(sent.length, 5);
  });
});

describe("time", () => {
  const never: Answer = (_request, signal) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason));
    });

  test("ends an attempt with a TimeoutError", async () => {
    const { client } = clientOf([never], { timeoutMs: 10, retry: { maxRetries: 0 } });
    await assert.rejects(client.usage(), TimeoutError);
  });

  test("of Infinity, or longer than timers can be, is no limit", async () => {
    const late: Answer = (_request, signal) =>
      new Promise((resolve, reject) => {
        const end = setTimeout(() => resolve(json({ days: [] })), 30);
        signal.addEventListener("abort", () => {
          clearTimeout(end);
          reject(signal.reason);
        });
      });
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
      const retry = { maxRetries: 0 };
      assert.deepEqual(await clientOf([late], { timeoutMs, retry }).client.usage(), { days: [] });
      assert.deepEqual(await clientOf([late], { retry }).client.usage({}, { timeoutMs }), { days: [] });
    }
  });

  test("an address with a password is refused without quoting it", () => {
    const refused = (error: unknown) => error instanceof KcsError && !error.message.includes("hidden");
    assert.throws(() => createClient({ baseUrl: "http://me:hidden@127.0.0.1:1" }), refused);
    assert.doesNotThrow(() => createClient({ baseUrl: "/behind/a/proxy" }));
  });

  test("that is no time is refused before anything is sent", async () => {
    for (const timeoutMs of [Number.NaN, -1]) {
      assert.throws(() => createClient({ timeoutMs }), /^KcsError: timeoutMs: got (NaN|-1), expected/);
      const { client, sent } = clientOf([() => json({})]);
      const isNoTime = (error: unknown) => error instanceof KcsError && /timeoutMs: got/.test(error.message);
      await assert.rejects(client.usage({}, { timeoutMs }), isNoTime);
      await assert.rejects(client.jobs.waitAll("p", ["a"], { timeoutMs }), isNoTime);
      await assert.rejects(client.jobs.wait("p", "a", { pollMs: timeoutMs }), /pollMs: got/);
      assert.equal(sent.length, 0);
    }
  });

  test("does not end a stream whose head is there", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const answer: Answer = (_request, signal) => {
      const late = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            context.mock.timers.tick(60);
            if (signal.aborted) return controller.error(signal.reason);
            controller.enqueue(new TextEncoder().encode("late"));
            controller.close();
          },
        },
        { highWaterMark: 0 }, // Pulled when it is read, not when it is made.
      );
      return new Response(late, { headers: own.file });
    };
    const { client } = clientOf([answer]);
    const stream = await client.graph.export("p", {}, { timeoutMs: 20 });
    assert.equal(await new Response(stream).text(), "late");
  });

  test("of the caller's signal ends requests, retries and waiting with the caller's reason", async () => {
    const reason = new Error("the user left");
    const running = new AbortController();
    const request = clientOf([never]).client.usage({}, { signal: running.signal });
    running.abort(reason);
    await assert.rejects(request, reason);

    const waiting = new AbortController();
    const { client } = clientOf([fault(503, "busy", { "retry-after": "50" })], {
      onRetry: () => waiting.abort(reason),
    });
    await assert.rejects(client.usage({}, { signal: waiting.signal }), reason);
  });

  test("a service that is not there is a ConnectionError", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:1", retry: { maxRetries: 0 } });
    await assert.rejects(client.usage(), ConnectionError);
  });
});

describe("lists", () => {
  test("are walked page by page, only as far as the loop goes", async () => {
    const page: Answer = ({ path }) => {
      const query = new URLSearchParams(path.split("?")[1]);
      const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
      const left = Math.max(0, 2_300 - offset);
      const jobs = Array.from({ length: Math.min(limit, left) }, (_, at) => ({ job_id: `${offset + at}` }));
      return json({ jobs });
    };
    const { client, sent } = clientOf([page]);
    const all = await Array.fromAsync(client.jobs.each("p"));
    assert.equal(all.length, 2_300);
    assert.equal(new Set(all.map((job) => job.job_id)).size, 2_300);
    assert.equal(sent.length, 3);
    for await (const job of client.jobs.each("p")) if (job.job_id === "5") break;
    assert.equal(sent.length, 4);
  });

  test("go on behind a page from which something was deleted while it was read", async () => {
    const ids = Array.from({ length: 2_300 }, (_, at) => `${at}`);
    const page: Answer = ({ path }) => {
      const query = new URLSearchParams(path.split("?")[1]);
      const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
      const found = ids.slice(offset, offset + limit);
      const total = ids.length;
      if (offset === 0) ids.shift();
      const documents = found.filter((id) => id !== "0").map((source_doc_id) => ({ source_doc_id }));
      return json({ documents, total });
    };
    const { client } = clientOf([page]);
    const all = await Array.fromAsync(client.documents.each("p"));
    assert.deepEqual(
      all.map(({ source_doc_id }) => source_doc_id),
      ids,
    );
  });

  test("that cannot be paged to their end say so", async () => {
    const full: Answer = ({ path }) => {
      const limit = Number(new URLSearchParams(path.split("?")[1]).get("limit"));
      return json({ entities: Array.from({ length: limit }, () => ({})) });
    };
    const { client } = clientOf([full]);
    await assert.rejects(Array.fromAsync(client.graph.eachEntity("p")), /more than 10500 items/);
  });
});
