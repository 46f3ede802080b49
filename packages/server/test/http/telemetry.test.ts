import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { ingestAll } from "../support/ingestion.ts";
import { useDatabase, withHome, withService } from "../support/service.ts";

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const DOCUMENT = "Quellbert Maier keeps the lighthouse of Nordsand.";

describe("traces, with a collector", () => {
  const bodies: string[] = [];
  const spans: ReceivedSpan[] = [];
  const collector = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const { resourceSpans = [] } = JSON.parse(body) as {
      resourceSpans?: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.end("{}");
  });
  let jobId = "";
  let ownerKey = "";

  before(async () => {
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const { port } = collector.address() as AddressInfo; // It listens on a port.
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    await withHome(useDatabase(), async (home) => {
      ownerKey = home.ownerKey;
      await withService({ home, env }, async ({ owner, nobody }) => {
        const { project_id } = await owner.succeed("createProject", { body: { name: "Lights" } });
        const [job] = await ingestAll(owner, project_id, [{ text: DOCUMENT, source_doc_id: "one" }]);
        jobId = job?.job_id ?? "";
        const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
        const body = { query: "Who keeps the lighthouse?" };
        await owner.call("POST", `/projects/${project_id}/query`, { body, headers });
        await nobody.root("GET", "/health");
      });
    });
  });
  after(() => void collector.close());

  const children = (of: ReceivedSpan | undefined) => spans.filter((span) => span.parentSpanId === of?.spanId);
  const named = (name: RegExp, among: readonly ReceivedSpan[] = spans) =>
    among.find((span) => name.test(span.name));
  const attributeOf = (span: ReceivedSpan | undefined, key: string) =>
    Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

  test("a question is one trace, below its caller's span and through the threads", () => {
    const request = named(/^POST .*\/query$/);
    assert.deepEqual([request?.traceId, request?.parentSpanId], [TRACE, CALLER]);
    assert.equal(attributeOf(request, "http.response.status_code"), "200");
    const asked = named(/^query thread search$/, children(request));
    const search = named(/^search$/, children(asked));
    assert.ok(Number(attributeOf(search, "kcs.stage.total_ms")) > 0, JSON.stringify(spans));
    assert.equal(search?.traceId, TRACE);
  });

  test("a request that writes has the calls of the database below it", () => {
    const request = named(/^POST .*\/projects$/);
    const call = named(/^createProject$/, children(request));
    assert.ok(call !== undefined, JSON.stringify(children(request).map(({ name }) => name)));
  });

  test("a job is one trace, with its batches", () => {
    const job = named(/^job$/);
    assert.deepEqual(
      [attributeOf(job, "kcs.job.id"), attributeOf(job, "kcs.job.result")],
      [jobId, "completed"],
    );
    assert.deepEqual(
      children(job)
        .map(({ name }) => name)
        .sort(),
      ["commit", "embed and read"],
    );
  });

  test("nothing is sent of texts, names and keys, and nothing of signs of life", () => {
    assert.ok(bodies.length > 0);
    for (const secret of ["Quellbert", "lighthouse", "Lights", ownerKey])
      assert.ok(!bodies.some((body) => body.includes(secret)), secret);
    assert.equal(named(/health/), undefined);
  });
});
