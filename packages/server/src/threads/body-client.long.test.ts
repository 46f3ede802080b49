import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { createTestThreads, startHangingThread } from "../../test/support/threads.ts";
import { encodeText } from "../adapters/database/operations/encoding.ts";
import { ServiceError } from "../domain/errors.ts";
import { NO_GRAPH } from "../domain/ontology/compare.ts";
import { MAX_VALUES } from "../http/json-size.ts";
import { type BodyForm, type Content, createReadBody } from "../http/large-body.ts";
import { type BodyThread, createBodyThread } from "./body-client.ts";
import type { BodyThreadData } from "./body-thread.ts";
import { THREAD_KINDS } from "./kinds.ts";

type DocumentForm = "document" | "batch";

const maxTextBytes = 4096;
const NOTE = { text: "Terns nest on the shingle.", source_doc_id: "terns" };

let thread: BodyThread | null = null;
const start = (options: Partial<Parameters<typeof createBodyThread>[0]> = {}): BodyThread => {
  thread = createBodyThread({ maxTextBytes, ...options }, createTestThreads().deps);
  return thread;
};
afterEach(() => thread?.close());

const startReal = (data: BodyThreadData) =>
  new Worker(new URL("./body-thread.ts", import.meta.url), { workerData: data });

/** The bytes as they come from sockets: cut anywhere, each piece in a buffer of its own. */
function bodyOf<Form extends BodyForm>(form: Form, bytes: Uint8Array, cutAt = bytes.length >> 1) {
  return { form, pieces: [new Uint8Array(bytes.subarray(0, cutAt)), new Uint8Array(bytes.subarray(cutAt))] };
}

const jsonOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** The result of reading a body: the documents with encoded texts, or the fault and when it was thrown. */
async function outcomeOf(read: () => Content<DocumentForm> | Promise<Content<DocumentForm>>) {
  let when = "at once";
  try {
    const documents = await read();
    when = "when asked";
    return documents().map(({ text, ...rest }) => {
      const encoded = typeof text === "string" ? encodeText(text) : text;
      return { ...rest, text: { ...encoded, bytes: Buffer.from(encoded.bytes) } };
    });
  } catch (error) {
    assert(error instanceof ServiceError, String(error));
    return { when, kind: error.kind, detail: error.message, retry: error.retryAfterSeconds };
  }
}

const document = fc.record(
  {
    text: fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((text) => text.repeat(60)),
      fc.string({ unit: "binary" }),
      fc.constant(null),
    ),
    source_doc_id: fc.oneof(fc.string({ unit: "grapheme" }), fc.integer()),
    metadata: fc.oneof(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()), fc.constant(null)),
  },
  { requiredKeys: [] },
);
const valid = fc.record({
  text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((text) => `a${text.repeat(60)}`),
  source_doc_id: fc.string({ unit: "grapheme", maxLength: 20 }).map((id) => `d${id}`),
  metadata: fc.constantFrom({}, { year: 1988, place: "Skarvik" }),
});
const anyBytes = fc.oneof(
  fc.oneof(valid, document, fc.record({ documents: fc.array(fc.oneof(valid, document)) })).map(jsonOf),
  fc.array(valid, { minLength: 1 }).map((documents) => jsonOf({ documents })),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array(),
);

test("a body has the same documents or faults in the thread as in this one, reported at the same time", async () => {
  const work = start();
  const readHere = createReadBody(maxTextBytes);
  const compare = async (form: DocumentForm, bytes: Uint8Array, cutAt?: number) => {
    const here = await outcomeOf(() => readHere(form, bytes));
    assert.deepEqual(await outcomeOf(() => work.read(bodyOf(form, bytes, cutAt))), here);
    return here;
  };
  const property = async (form: DocumentForm, bytes: Uint8Array, cutAt: number) => {
    await compare(form, bytes, cutAt);
  };
  await fc.assert(fc.asyncProperty(fc.constantFrom("document", "batch"), anyBytes, fc.nat(200), property), {
    numRuns: 300,
  });
  const summaryOf = async (form: DocumentForm, bytes: Uint8Array) => {
    const outcome = await compare(form, bytes);
    return "when" in outcome ? [outcome.when, outcome.kind, outcome.detail] : outcome.length;
  };
  assert.equal(
    await summaryOf("batch", jsonOf({ documents: [NOTE, { ...NOTE, text: "é→𝄞\0".repeat(300) }] })),
    2,
  );
  assert.deepEqual(await summaryOf("document", Buffer.from('{"text":')), [
    "at once",
    "invalid_input",
    "body: is not valid JSON, expected a JSON object",
  ]);
  assert.deepEqual((await summaryOf("batch", Buffer.from([0x22, 0xff, 0x22]))) as unknown, [
    "at once",
    "invalid_input",
    "body: is not valid UTF-8, expected a JSON object",
  ]);
  const long = await summaryOf(
    "batch",
    jsonOf({ documents: [{ ...NOTE, text: "x".repeat(maxTextBytes + 1) }] }),
  );
  assert.deepEqual(Array.isArray(long) ? long.slice(0, 2) : long, ["when asked", "too_large"]);
});

test("the pieces of a body move to the thread, and its texts come back in one buffer", async () => {
  const body = bodyOf("batch", jsonOf({ documents: [NOTE, { ...NOTE, source_doc_id: "more" }] }));
  const documents = (await start().read(body))();
  assert.deepEqual(
    body.pieces.map(({ byteLength }) => byteLength),
    [0, 0],
  );
  const buffers = documents.map(({ text }) => (typeof text === "string" ? text : text.bytes.buffer));
  assert(buffers[0] instanceof ArrayBuffer && buffers[0] === buffers[1]);
});

test("work on an ontology that takes too long is ended, with an answer that says so", async () => {
  const types = Array.from({ length: 2_000 }, (_, at) => `Type${at}`);
  const schema = JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: Object.fromEntries(types.map((type) => [type, {}])) }],
      edge_types: types.map((type, at) => ({
        name: `E${at}`,
        source_types: [type],
        target_types: types.slice(0, 50),
      })),
    },
  });
  const bodies: Readonly<Partial<Record<BodyForm, string>>> = {
    ontology: `{"name":"A","schema":${schema}}`,
    schema: `{"schema":${schema}}`,
    comparison: `{"before":${schema},"after":${schema},"graph":${JSON.stringify(NO_GRAPH)}}`,
    ontologyFile: JSON.stringify({ content: `{"$defs":${schema}}` }),
    ontologyText: `{"given":{"format":"turtle","name":"A"},"schema":${schema}}`,
    corrections: `{"given":{"corrections":[],"graphTypes":{"nodes":[],"edges":[]}},"schema":${schema}}`,
    examples: `{"given":{"nodeTypes":[],"edgeTypes":[]},"schema":${schema}}`,
    sitemap: `<urlset>${"<url><loc>https://example.org/a</loc></url>".repeat(10_000)}</urlset>`,
  };
  for (const limitMs of [1, undefined]) {
    const work = start({
      startWorker: (data) => startReal(limitMs === undefined ? data : { ...data, limitMs }),
    });
    for (const [form, text] of Object.entries(bodies)) {
      const body = () => bodyOf(form as BodyForm, Buffer.from(text)); // A key of the bodies.
      const read = await readWhenFree(() => work.read({ ...body(), format: "json-schema" }));
      const message = /^[a-z]+: took longer than 0\.001 seconds, expected less to read, compare or write$/;
      if (limitMs !== undefined) assert.throws(read, { message }, form);
      else assert.doesNotThrow(read, form);
    }
    await work.close();
  }
});

/** In a millisecond the thread may not get the processor. */
async function readWhenFree<Read>(read: () => Promise<Read>): Promise<Read> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      if (!refused(error)) throw error;
    }
}

const refused = (error: unknown) =>
  error instanceof ServiceError && error.kind === "unavailable" && error.retryAfterSeconds !== null;

test("a thread that dies refuses what it had, and the next body starts another", async () => {
  const starts: ((data: BodyThreadData) => Worker)[] = [
    () => new Worker("process.exit(3)", { eval: true }),
    () => new Worker("throw new Error('out of memory')", { eval: true }),
    startReal,
  ];
  const work = start({ startWorker: (data) => (starts.shift() ?? startReal)(data) });
  const body = () => bodyOf("document", jsonOf(NOTE));
  const both = await Promise.allSettled([work.read(body()), work.read(body())]);
  for (const read of both) assert(read.status === "rejected" && refused(read.reason));
  await assert.rejects(work.read(body()), refused);
  assert.equal((await work.read(body()))().length, 1);
});

test("a body that takes more memory than the thread has is refused, and the next body starts another", async () => {
  const resourceLimits = { ...THREAD_KINDS.body.heap, maxOldGenerationSizeMb: 24 };
  const startSmall = (data: BodyThreadData) =>
    new Worker(new URL("./body-thread.ts", import.meta.url), { workerData: data, resourceLimits });
  const work = start({ startWorker: startSmall });
  const hostile = Buffer.from(`{"documents":[${"[0],".repeat(450_000)}[0]]}`);
  await assert.rejects(work.read(bodyOf("batch", hostile)), refused);
  assert.equal((await work.read(bodyOf("document", jsonOf(NOTE))))().length, 1);
});

test("a body of too many values or levels is refused before it is parsed, and the thread goes on", async () => {
  let starts = 0;
  const startWorker = (data: BodyThreadData) => {
    starts++;
    return startReal(data);
  };
  const work = start({ startWorker });
  const refusals = { "{},": "has too many values, expected at most 1000000", "[": "is nested too deeply" };
  for (const [unit, refusal] of Object.entries(refusals)) {
    const hostile = Buffer.from(`{"documents":[${unit.repeat(4 << 20)}`);
    await assert.rejects(work.read(bodyOf("batch", hostile)), new RegExp(`^ServiceError: body: ${refusal}`));
  }
  assert.equal((await work.read(bodyOf("document", jsonOf(NOTE))))().length, 1);
  assert.equal(starts, 2, "one for long bodies and one for others");
});

test("an ontology is read and checked in the thread as in this one", async () => {
  const work = start();
  const readHere = createReadBody(maxTextBytes);
  const schema = (types: string) => `{"ontology":{"hierarchy":[{"level":0,"node_types":${types}}]}}`;
  const body = (types: string) => Buffer.from(`{"name":"sea","schema":${schema(types)}}`);
  const names = Array.from({ length: MAX_VALUES.mainThread }, (_, at) => `"Type${at}":{}`);
  for (const types of ['{"Ship":{"a" : 1.0}}', '{"Ship":{},"Ship":{}}', "[]", `{${names.join()}}`]) {
    const created = (await work.read(bodyOf("ontology", body(types))))();
    assert.deepEqual(created, readHere("ontology", body(types))());
    assert.equal(created.schemaJson, schema(types));
    const checked = (await work.read(bodyOf("schema", body(types))))();
    assert.deepEqual(checked, readHere("schema", body(types))());
    assert.equal(created.faults === null, checked.faultCount === 0);
  }
  const empty = await work.read(bodyOf("ontology", Buffer.from('{"name":"a","schema":{}}')));
  assert.throws(empty, { message: "Invalid ontology schema: missing hierarchy definition" });
});

test("accounts take turns", async () => {
  const work = start();
  const order: string[] = [];
  const read = async (account: string) => {
    await work.read(bodyOf("document", jsonOf(NOTE)), account);
    order.push(account);
  };
  await Promise.all(["busy", "busy", "busy", "other"].map(read));
  assert.deepEqual(order, ["busy", "busy", "other", "busy"]);
});

test("a short body does not wait for a long one, of whatever account", async () => {
  const hanging = startHangingThread("body");
  let starts = 0;
  const { read, close } = start({
    startWorker: (data) => (starts++ === 0 ? hanging.worker : startReal(data)),
  });
  const long = read(bodyOf("schema", Buffer.from(" ".repeat(100_000))), "a");
  await hanging.hangs;
  assert.equal((await read(bodyOf("document", jsonOf(NOTE)), "b"))().length, 1);
  const refused = assert.rejects(long, ServiceError);
  await close();
  await refused;
});

test("a thread that has nothing to do ends, and the next body starts another", async () => {
  const ended: Promise<unknown>[] = [];
  const work = start({
    kind: { ...THREAD_KINDS.body, idleMs: 1 },
    startWorker(data) {
      const worker = startReal(data);
      ended.push(new Promise((resolve) => worker.once("exit", resolve)));
      return worker;
    },
  });
  await work.read(bodyOf("document", jsonOf(NOTE)));
  await ended[0];
  assert.equal((await work.read(bodyOf("document", jsonOf(NOTE))))().length, 1);
  assert.equal(ended.length, 2);
});

test("bodies beyond the limit of the queue are refused, but a single one never is", async () => {
  const bytes = jsonOf(NOTE);
  const work = start({ maxQueuedBytes: bytes.length * 2 - 1 });
  const first = work.read(bodyOf("document", bytes));
  await assert.rejects(work.read(bodyOf("document", bytes)), refused);
  assert.equal((await first)().length, 1);
  const large = jsonOf({ documents: Array.from({ length: 10 }, () => NOTE) });
  assert.equal((await work.read(bodyOf("batch", large)))().length, 10);
});

test("closing refuses what is being read, and later bodies", async () => {
  const work = start();
  const reading = assert.rejects(work.read(bodyOf("document", jsonOf(NOTE))), refused);
  await work.close();
  await reading;
  await assert.rejects(work.read(bodyOf("document", jsonOf(NOTE))), refused);
});

test("a thread that hangs is ended, refuses the body that it has, and is replaced", async () => {
  const { deps, board, passSilence } = createTestThreads();
  const first = startHangingThread("body");
  const starts = [() => first.worker];
  const startWorker = (data: BodyThreadData) => (starts.shift() ?? (() => startReal(data)))();
  thread = createBodyThread({ maxTextBytes, startWorker }, deps);
  const exited = once(first.worker, "exit");
  const served = once(first.worker, "message");
  const hung = assert.rejects(thread.read(bodyOf("document", jsonOf(NOTE))), refused);
  const waiting = thread.read(bodyOf("document", jsonOf(NOTE)));
  await first.hangs;
  // What waits goes to the next thread only if this one has given a sign of life.
  await served;
  passSilence("body");
  await hung;
  assert.equal((await waiting)().length, 1);
  assert.equal((await thread.read(bodyOf("document", jsonOf(NOTE))))().length, 1);
  await exited;
  assert.deepEqual([board.read("body", "hung"), board.read("body", "pending")], [1, 0]);
});
