import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { after, before, mock, test } from "node:test";
import Fastify, { type FastifyRequest } from "fastify";
import { createBoundedLog } from "../bounded-log.ts";
import { errors } from "../domain/errors.ts";
import type { AnswerReader, RankedChunk } from "../domain/query.ts";
import { addAnswerBudget, type HeldAnswers } from "./answer-budget.ts";
import { streamAnswer, wantsEvents } from "./answer-stream.ts";
import { createErrorHandler, createErrorReader } from "./errors.ts";

const ignore = () => undefined;
const logged: string[] = [];
const log = createBoundedLog({
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (event) => void logged.push(event),
});
const CHUNK: RankedChunk = {
  ...{ versionId: 1, position: 0, sourceDocId: "a", text: "The tower stands.", start: 0, end: 17 },
  similarity: 0.5,
};
const [chunk] = [{ text: CHUNK.text, similarity: 0.5 }];
const ANSWER = {
  query: "?",
  strategy_used: "hybrid",
  results: { summary: "It stands. Still.", entities: [], relationships: [], chunks: [chunk] },
};

const STEPS = [{ query: "?", name: null, from: null, chunk_ids: ["1-0"] }];

type Ask = (
  reader: AnswerReader,
  signal: AbortSignal,
) => Promise<typeof ANSWER & { readonly steps?: typeof STEPS }>;

const app = Fastify({ forceCloseConnections: true });
let ask: Ask = async () => ANSWER;
let answers: HeldAnswers;
let port = 0;
let isAllowed = true;

before(async () => {
  app.setErrorHandler(createErrorHandler(log));
  answers = addAnswerBudget(app);
  const deps = { answers, isStillAllowed: async () => isAllowed, readError: createErrorReader(log) };
  app.post("/", (request, reply) =>
    streamAnswer({ request, reply }, deps, {
      ask: (reader, signal) => ask(reader, signal),
      presentChunks: (chunks) => chunks.map(({ text, similarity }) => ({ text, similarity })),
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
after(() => app.close());

async function events(next: Ask): Promise<readonly (readonly [string, unknown])[]> {
  ask = next;
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const text = await response.text();
  return [...text.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, name = "", data = ""]) => [
    name,
    JSON.parse(data),
  ]);
}

test("events are what the client asks for, where it does not prefer JSON", () => {
  const wants = (accept?: string) => wantsEvents({ headers: { accept } } as FastifyRequest);
  assert.deepEqual([undefined, "*/*", "application/json", "application/json, text/event-stream"].map(wants), [
    false,
    false,
    false,
    false,
  ]);
  assert.ok(wants("text/event-stream") && wants("application/json;q=0.5, text/event-stream"));
  // A range that names neither stands for JSON, and the name says more than it.
  for (const range of ["*/*", "application/*"]) {
    assert.ok(!wants(`text/event-stream;q=0.9,${range};q=1`), range);
    assert.ok(
      wants(`text/event-stream, ${range}`) && wants(`text/event-stream;q=0.5, ${range};q=0.1`),
      range,
    );
  }
  assert.ok(wants("text/event-stream;q=0.5, application/json;q=0.4, */*"));
});

test("an answer that is there at once is sent in the order of the events", async () => {
  const sent = await events(async () => ANSWER);
  assert.deepEqual(
    sent.map(([name]) => name),
    ["chunks", "summary", "entities", "relationships", "done"],
  );
  assert.deepEqual(sent[1], ["summary", { text: "It stands. Still." }]);
  assert.match(JSON.stringify(sent.at(-1)), /"strategy_used":"hybrid"/);
});

test("the steps are an event before the last one", async () => {
  const sent = await events(async () => ({ ...ANSWER, steps: STEPS }));
  assert.deepEqual(sent.at(-2), ["steps", { steps: STEPS }]);
  assert.deepEqual([sent.length, sent.at(-1)?.[0]], [6, "done"]);
});

test("what was sent while it was made is not sent again", async () => {
  const sent = await events(async (reader) => {
    reader.found([CHUNK]);
    reader.wrote("It stands.");
    reader.wrote(" Still.");
    return ANSWER;
  });
  assert.deepEqual(sent.slice(0, 4), [
    ["chunks", { chunks: [chunk] }],
    ["summary", { text: "It stands." }],
    ["summary", { text: " Still." }],
    ["entities", { entities: [] }],
  ]);
});

test("an error before the first event is an ordinary answer", async () => {
  ask = () => Promise.reject(errors.busy("Later.", 3));
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "3"]);
  assert.deepEqual(await response.json(), { detail: "Later." });
});

test("an error after it is the last event, and a bug is logged", async () => {
  const failing =
    (error: Error): Ask =>
    async (reader) => {
      reader.found([CHUNK]);
      throw error;
    };
  const refused = await events(failing(errors.unavailable("Not now.", { retryAfterSeconds: 1 })));
  assert.deepEqual(refused.at(-1), ["error", { status: 503, detail: "Not now." }]);
  logged.length = 0;
  const broken = await events(failing(new Error("a secret")));
  const [name, data] = broken.at(-1) ?? [];
  assert.equal(name, "error");
  assert.match(JSON.stringify(data), /^\{"status":500,"detail":"Internal error\./);
  assert.deepEqual(logged, ["request_failed"]);
});

test("where the key is revoked, the work ends and an error is the last event", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const ended = Promise.withResolvers<string>();
    const sent = await events(
      (reader, signal) =>
        new Promise((_, reject) => {
          reader.found([CHUNK]);
          signal.addEventListener("abort", () => {
            ended.resolve(String(signal.reason));
            reject(signal.reason);
          });
          isAllowed = false;
          mock.timers.tick(5_000);
        }),
    );
    assert.deepEqual(sent.slice(1), [["error", { status: 401, detail: "Invalid API key" }]]);
    assert.match(await ended.promise, /disconnected/);
  } finally {
    mock.timers.reset();
    isAllowed = true;
  }
});

test("a client that leaves ends the work, and nothing of the answer is held any longer", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<void>();
  ask = (reader, signal) =>
    new Promise((_, reject) => {
      reader.found([{ ...CHUNK, text: "x".repeat(100_000) }]);
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        ended.resolve();
      });
      begun.resolve(signal);
    });
  const client = connect(port, "127.0.0.1");
  client.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  const signal = await begun.promise;
  await once(client, "data");
  assert.ok(answers.heldBytes() >= 200_000);
  assert.equal(signal.aborted, false);
  logged.length = 0;
  client.destroy();
  await ended.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answers.heldBytes(), 0);
  assert.deepEqual(logged, []);
});
