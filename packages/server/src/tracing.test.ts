import assert from "node:assert/strict";
import { AsyncResource } from "node:async_hooks";
import { describe, test } from "node:test";
import type { RequestTrace, Span } from "./ports/tracing.ts";
import { createTracer } from "./tracing.ts";

const CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

function setUp(ratio = 1) {
  const spans: Span[] = [];
  return { spans, tracer: createTracer({ record: (span) => spans.push(span), ratio }) };
}

function within<Result>(
  tracer: ReturnType<typeof createTracer>,
  trace: RequestTrace,
  work: () => Result,
): Result {
  let result: Result | undefined;
  tracer.run(trace, () => {
    result = work();
  });
  return result as Result; // Set before `run` returns.
}

describe("a trace", () => {
  test("continues the one of a caller, if the caller records it", () => {
    const { spans, tracer } = setUp(0);
    const trace = tracer.begin(CALLER);
    assert.ok(trace !== null);
    assert.equal(trace.traceId, "0af7651916cd43dd8448eb211c80319c");
    tracer.end(trace, { name: "GET /", attributes: {}, error: null });
    assert.deepEqual([spans[0]?.parentId, spans[0]?.kind], ["b7ad6b7169203331", "server"]);
    assert.equal(tracer.begin(CALLER.replace(/01$/, "00")), null);
  });

  for (const given of [
    undefined,
    "",
    CALLER.toUpperCase(),
    CALLER.replace("00-", "ff-"),
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`,
    `${CALLER}1`,
  ])
    test(`begins anew for the header ${given}`, () => {
      const trace = setUp().tracer.begin(given);
      assert.match(trace?.traceId ?? "", /^[\da-f]{32}$/);
      assert.notEqual(trace?.traceId, "0af7651916cd43dd8448eb211c80319c");
      assert.equal(trace?.parentId, null);
    });

  test("is recorded for the given part of requests, and of jobs for the same part in every process", () => {
    const count = 2_000;
    const [one, other] = [setUp(0.25).tracer, setUp(0.25).tracer];
    const requests = Array.from({ length: count }, () => one.begin(undefined)).filter(
      (trace) => trace !== null,
    );
    const ids = Array.from({ length: count }, (_, number) => `job_${number}`);
    const jobs = ids.filter((id) => one.traceOfJob(id) !== null);
    assert.ok(Math.abs(requests.length / count - 0.25) < 0.06, `${requests.length}`);
    assert.ok(Math.abs(jobs.length / count - 0.25) < 0.06, `${jobs.length}`);
    assert.deepEqual(ids.map(other.traceOfJob), ids.map(one.traceOfJob));
  });

  test("has what is measured below what calls it, with the name of an error", async () => {
    const { spans, tracer } = setUp();
    const trace = tracer.begin(undefined);
    assert.ok(trace !== null);
    const named = (name: string) => ({ name, kind: "client", attributes: {} }) as const;
    await within(tracer, trace, () =>
      tracer.measure(named("outer"), async () => {
        await tracer.measure(named("inner"), async () => "done");
        await assert.rejects(tracer.measure(named("failing"), () => Promise.reject(new RangeError("text"))));
      }),
    );
    const [inner, failing, outer] = spans;
    assert.deepEqual([outer?.name, outer?.parentId], ["outer", trace.spanId]);
    assert.deepEqual([inner?.parentId, failing?.parentId], [outer?.context.spanId, outer?.context.spanId]);
    assert.deepEqual([inner?.error, failing?.error], [null, "RangeError"]);
    assert.equal(await tracer.measure(named("outside"), async () => "run"), "run");
    assert.equal(spans.length, 3);
  });

  test("has nothing of what goes on in its context after its end, as a thread that it started", async () => {
    const { spans, tracer } = setUp();
    const trace = tracer.begin(undefined);
    assert.ok(trace !== null);
    const later = within(tracer, trace, () => AsyncResource.bind(() => tracer.current()));
    assert.equal(later()?.traceId, trace.traceId);
    tracer.end(trace, { name: "GET /", attributes: {}, error: null });
    assert.equal(later(), null);
    const measured = within(tracer, trace, () =>
      tracer.measure({ name: "late", kind: "client", attributes: {} }, async () => "run"),
    );
    assert.equal(await measured, "run");
    assert.equal(spans.length, 1);
  });
});
