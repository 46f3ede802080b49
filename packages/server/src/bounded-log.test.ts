import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import Fastify from "fastify";
import { createBoundedLog } from "./bounded-log.ts";
import { errors } from "./domain/errors.ts";
import { createErrorHandler } from "./http/errors.ts";
import { failureText } from "./mcp/failures.ts";
import type { LogFields } from "./ports/log.ts";

interface Entry {
  readonly level: string;
  readonly event: string;
  readonly fields: LogFields;
}

function setUp() {
  const entries: Entry[] = [];
  const write =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void entries.push({ level, event, fields });
  const log = createBoundedLog({
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  });
  return { log, entries };
}

async function answerMany(context: TestContext, { count, fail }: { count: number; fail: () => Error }) {
  const { log, entries } = setUp();
  const app = Fastify();
  context.after(() => app.close());
  app.setErrorHandler(createErrorHandler(log));
  app.get("/", async () => Promise.reject(fail()));
  const answers: { status: number; detail: string }[] = [];
  for (let at = 0; at < count; at++) {
    const { statusCode: status, body } = await app.inject("/");
    answers.push({ status, detail: JSON.parse(body).detail });
  }
  return { log, entries, answers };
}

test("a burst of refusals writes the first ones and one count, by status and code", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const fail = () => errors.unavailable("Busy.", { retryAfterSeconds: 1, severity: "warn" });
  const { log, entries, answers } = await answerMany(context, { count: 500, fail });
  assert.equal(answers.filter(({ status }) => status === 503).length, 500);
  assert.equal(entries.length, 10);
  log.warn("request_refused", { status: 500, code: "internal" });
  assert.equal(entries.length, 11, "of another status");
  context.mock.timers.tick(60_000);
  assert.deepEqual(entries.slice(11), [
    {
      level: "warn",
      event: "repeats_omitted",
      fields: { repeated: "request_refused", omitted: 490, status: 503, code: "unavailable" },
    },
  ]);
  log.warn("request_refused", { status: 503, code: "unavailable" });
  assert.equal(entries.length, 13, "the next interval begins anew");
});

test("an answer names the request id only when the log has it", async (context) => {
  const { entries, answers } = await answerMany(context, { count: 12, fail: () => new Error("a bug") });
  assert.equal(entries.length, 10);
  assert.match(answers[9]?.detail ?? "", /under the request id req-/);
  assert.equal(answers[10]?.detail, "Internal error. The log has its cause under those of earlier requests.");
  const text = (id: string | null) => failureText(new Error("a bug"), () => id).text;
  assert.match(text("req-1"), /under the request id req-1\.$/);
  assert.match(text(null), /under those of earlier requests\.$/);
});

test("errors with other causes are other kinds; the number of kinds is bounded", () => {
  const { log, entries } = setUp();
  const failure = (cause: number) => new Error("failed", { cause: new Error(`cause ${cause}`) });
  for (let at = 0; at < 1_000; at++) log.error("request_failed", { error: failure(at) });
  assert.equal(entries.length, 110);
  log.flush();
  assert.deepEqual(
    entries.slice(110).map(({ event, fields }) => ({ event, ...fields })),
    [{ event: "repeats_omitted", repeated: "other", omitted: 890 }],
  );
});

test("information is not bounded", () => {
  const { log, entries } = setUp();
  for (let at = 0; at < 50; at++) log.info("listening");
  assert.equal(entries.length, 50);
});
