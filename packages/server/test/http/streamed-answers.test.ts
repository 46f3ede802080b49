/** Answers as events: the same as in JSON, and as soon as a language model writes them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { responses } from "@kcs/contract";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll } from "../support/ingestion.ts";
import { type Behaviour, say } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import type { ChatRequest } from "../support/model-server/request.ts";
import { describeOnEach, type Home, startTestService, type TestService } from "../support/service.ts";

const TEXTS = [
  { source_doc_id: "mill", text: "Larkspur Mill was founded by Odile Brandt in 1871. It is a weaving mill." },
  { source_doc_id: "founder", text: "Odile Brandt kept bees. She was born in Kestrel Bay." },
];
const QUERY = "Where was the founder of Larkspur Mill born?";
const FIRST = "Odile Brandt was born in Kestrel Bay.";
const SECOND =
  "She founded Larkspur Mill, a weaving mill, in the year of 1871, and all her life Odile Brandt kept bees.";
const INVENTED = "Her father was the painter Otto Lind, who died in 1822.";

interface ReadEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describeOnEach((setting) => {
  let answering: Behaviour = say(`${FIRST} ${SECOND}`);
  let models: ModelServer;
  let home: Home;
  let service: TestService;
  let project_id = "";

  function reply({ system }: ChatRequest): Behaviour {
    if (system.includes("You plan")) return say({ kind: "multi_hop", searches: ["Odile Brandt born"] });
    if (system.includes("You judge")) return say({ useful: [1, 2], enough: true, searches: [] });
    return answering;
  }

  before(async () => {
    models = await startModelServer({ chat: reply });
    home = await setting.createHome();
    const env = { KCS_LLM_BASE_URL: models.baseUrl, KCS_LLM_MODEL: "test-model" };
    service = await startTestService({ home, env });
    project_id = await createProject(service.owner, "Mills");
    await ingestAll(service.owner, project_id, TEXTS);
  });
  after(async () => {
    await service.stop();
    await home.remove();
    await models.close();
  });

  const answeringCalls = () => models.requests.filter(({ system }) => system.includes("You answer")).length;

  function ask(body: Record<string, unknown>) {
    return service.owner.succeed("query", { params: { project_id }, body });
  }

  async function open(
    body: Record<string, unknown>,
    { signal = null, project = project_id }: { signal?: AbortSignal | null; project?: string } = {},
  ) {
    const response = await fetch(`${service.baseUrl}/api/v1/projects/${project}/query`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${home.ownerKey}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify(body),
      signal,
    });
    assert.equal(response.status, 200);
    assert.ok(response.body);
    return readEvents(response.body);
  }

  async function stream(body: Record<string, unknown>): Promise<readonly ReadEvent[]> {
    return Array.fromAsync(await open(body));
  }

  const dynamic = (query: string) => ({ query, mode: "dynamic", include: ["provenance", "explain"] });

  for (const [name, members] of [
    ["of a static question", { mode: "static" }],
    [
      "with passages, an explanation and steps",
      { mode: "static", include: ["provenance", "explain", "steps"] },
    ],
    ["of a language model", { mode: "dynamic" }],
    ["of a language model, with citations", { mode: "dynamic", include: ["provenance", "explain"] }],
    ["of a language model, with steps", { mode: "dynamic", include: ["provenance", "explain", "steps"] }],
  ] as const) {
    test(`the events ${name} make the answer that JSON has`, async () => {
      answering = say(`${FIRST} [1][2] ${INVENTED} ${SECOND}`);
      const [one, other] = [`${QUERY} Tell me.`, `${QUERY} Tell me now.`];
      const whole = await ask({ query: one, ...members });
      assert.deepEqual(timeless(merge(await stream({ query: one, ...members }))), timeless(whole));
      const streamed = merge(await stream({ query: other, ...members }));
      assert.deepEqual(timeless(await ask({ query: other, ...members })), timeless(streamed));
    });
  }

  test("passages come before the model has written anything, a sentence before the next one is complete", async () => {
    const [begin, goOn] = [Promise.withResolvers<"go on">(), Promise.withResolvers<"go on">()];
    answering = say(`${FIRST} ${SECOND}`, { rest: { after: 0, until: begin.promise } });
    const early = await open(dynamic(`${QUERY} Early?`));
    assert.equal((await early.next()).value?.name, "chunks");
    begin.resolve("go on");
    await Array.fromAsync(early);
    answering = say(`${FIRST} ${SECOND} ${FIRST}`, {
      rest: { after: FIRST.length + 100, until: goOn.promise },
    });
    const events = await open(dynamic(`${QUERY} At once?`));
    assert.equal((await events.next()).value?.name, "chunks");
    assert.deepEqual((await events.next()).value, { name: "summary", data: { text: FIRST } });
    goOn.resolve("go on");
    const rest = await Array.fromAsync(events);
    assert.deepEqual(rest[0], { name: "summary", data: { text: ` ${SECOND}` } });
    assert.equal(rest.at(-1)?.name, "done");
  });

  test("the passages that are sent first are as many of one document as the question allows", async () => {
    const project = await createProject(service.owner, "Hives");
    const hives = Array.from(
      { length: 200 },
      (_, at) => `Hive ${at} of Odile Brandt was born in Kestrel Bay.`,
    );
    await ingestAll(service.owner, project, [...TEXTS, { source_doc_id: "hives", text: hives.join("\n\n") }]);
    answering = say(`${FIRST} ${SECOND}`);
    for (const [limits, most] of [
      [{}, 10],
      [{ max_per_document: 1 }, 3],
    ] as const) {
      const events = await Array.fromAsync(await open({ ...dynamic(QUERY), ...limits }, { project }));
      assert.equal(events[0]?.name, "chunks");
      const { chunks } = responses.queryResult.shape.results.pick({ chunks: true }).parse(events[0].data);
      assert.equal(chunks.length, most);
      const documents = new Set(chunks.map(({ source_doc_id }) => source_doc_id));
      assert.equal(documents.size === chunks.length, "max_per_document" in limits);
    }
  });

  test("without a language model the summary is one event", async () => {
    const events = await stream({ query: QUERY });
    assert.deepEqual(
      events.map(({ name }) => name),
      ["chunks", "summary", "entities", "relationships", "done"],
    );
  });

  test("what no passage supports is left out, and counted in the explanation and the metric", async () => {
    const before = await unsupportedCount();
    answering = say(`${FIRST} ${INVENTED}`);
    const { results, explain, strategy_used } = await ask(dynamic(`${QUERY} And her father?`));
    assert.deepEqual([results.summary, strategy_used], [FIRST, "dynamic_multi_hop"]);
    assert.deepEqual(explain?.check, {
      sentences: 2,
      unsupported: 1,
      left_out: [{ text: INVENTED, missing: "figure" }],
    });
    assert.equal(await unsupportedCount(), before + 1);
  });

  test("where nothing is left, the built-in summary answers and the strategy tells so", async () => {
    answering = say(INVENTED);
    const question = dynamic(`${QUERY} And who painted?`);
    const events = await stream(question);
    const answer = merge(events);
    assert.equal(answer.strategy_used, "dynamic_multi_hop_unsupported");
    assert.equal(events.filter(({ name }) => name === "summary").length, 1);
    assert.match(answer.results.summary, /Kestrel Bay/);
    assert.doesNotMatch(answer.results.summary, /Otto Lind/);
  });

  test("what the check has rejected is not answered again from the cache", async () => {
    answering = say(INVENTED);
    const question = dynamic(`${QUERY} And who sang?`);
    assert.equal((await ask(question)).strategy_used, "dynamic_multi_hop_unsupported");
    answering = say(FIRST);
    assert.deepEqual((await ask(question)).strategy_used, "dynamic_multi_hop");
    const calls = answeringCalls();
    assert.deepEqual((await ask(question)).results.summary, FIRST);
    assert.equal(answeringCalls(), calls);
  });

  test("of a model that breaks off, what was sent stays, and it is not asked again", async () => {
    const calls = answeringCalls();
    const broken = Promise.withResolvers<"break off">();
    const charged = await chargedCalls();
    answering = say(`${FIRST} ${SECOND}`, { rest: { after: FIRST.length + 100, until: broken.promise } });
    const events = await open(dynamic(`${QUERY} Broken off?`));
    await events.next();
    assert.equal((await events.next()).value?.data.text, FIRST);
    broken.resolve("break off");
    const rest = await Array.fromAsync(events);
    assert.deepEqual(
      rest.map(({ name }) => name),
      ["entities", "relationships", "explain", "done"],
    );
    assert.equal(rest.at(-1)?.data.strategy_used, "dynamic_multi_hop_fallback");
    assert.equal(answeringCalls(), calls + 1);
    assert.equal(await chargedCalls(), charged + 3, "planning, judging, and what was sent");
  });

  test("a model that refuses to stream is asked for the whole", async () => {
    const { requests } = models;
    answering = { kind: "refuse", status: 400, message: "To stream, verify your organization." };
    const before = requests.length;
    const strict = stream(dynamic(`${QUERY} Verified?`));
    const events = await strict;
    assert.equal(events.at(-1)?.name, "done");
    const asked = requests.slice(before).filter(({ system }) => system.includes("You answer"));
    assert.deepEqual(
      asked.map(({ isStream }) => isStream),
      [true, false],
    );
  });

  test("a client that leaves ends the call of the model", async () => {
    answering = say(`${FIRST} ${SECOND}`, { rest: { after: 0, until: new Promise(() => undefined) } });
    const [calls, logged] = [answeringCalls(), service.logged.length];
    const leaving = new AbortController();
    const events = await open(dynamic(`${QUERY} Leaving?`), { signal: leaving.signal });
    assert.equal((await events.next()).value?.name, "chunks");
    while (answeringCalls() === calls) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(models.open, 1);
    leaving.abort();
    while (models.open > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(service.logged.length, logged);
  });

  test("where the project is deleted, the call of the model ends, and an error is the last event", async () => {
    const project = await createProject(service.owner, "Gone");
    await ingestAll(service.owner, project, TEXTS);
    answering = say(`${FIRST} ${SECOND}`, { rest: { after: 0, until: new Promise(() => undefined) } });
    const [calls, logged] = [answeringCalls(), service.logged.length];
    const events = await open(dynamic(`${QUERY} Deleted?`), { project });
    assert.equal((await events.next()).value?.name, "chunks");
    while (answeringCalls() === calls) await new Promise((resolve) => setImmediate(resolve));
    await service.owner.succeed("deleteProject", { params: { project_id: project } });
    // At once, and not only when the service next looks whether the project is still there.
    for (let trip = 0; trip < 50 && models.open > 0; trip++) await service.owner.succeed("listProjects");
    assert.equal(models.open, 0);
    const detail = `Project ${project} not found`;
    assert.deepEqual(await Array.fromAsync(events), [{ name: "error", data: { status: 404, detail } }]);
    assert.equal(service.logged.length, logged);
  });

  test("what is wrong before the first event is an ordinary answer", async () => {
    const headers = { accept: "text/event-stream" };
    const post = (client: typeof service.owner, id: string, body: unknown) =>
      client.call("POST", `/projects/${id}/query`, { body, headers });
    assertFault(await post(service.owner, project_id, {}), 400, /^query: /);
    const unknown = `prj_${"0".repeat(32)}`;
    assertFault(await post(service.owner, unknown, { query: QUERY }), 404, `Project ${unknown} not found`);
    assertFault(
      await post(service.stranger, project_id, { query: QUERY }),
      403,
      "You don't have access to this project",
    );
  });

  async function chargedCalls(): Promise<number> {
    const { days } = await service.owner.succeed("getUsage");
    return days.reduce((sum, day) => sum + day.model_calls, 0);
  }

  async function unsupportedCount(): Promise<number> {
    const { text } = await service.owner.root("GET", "/metrics");
    return Number(/kcs_written_sentences_total\{outcome="unsupported"\} (\d+)/.exec(text)?.[1] ?? 0);
  }
});

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ReadEvent, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const name = /^event: (.+)$/m.exec(block)?.[1] ?? "";
      const data: unknown = JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? "");
      responses.queryEvent.parse(data);
      yield { name, data: data as ReadEvent["data"] };
    }
  }
}

/** The JSON answer that the events make. */
function merge(events: readonly ReadEvent[]) {
  const results: Record<string, unknown> = { summary: "" };
  let head: Record<string, unknown> = {};
  for (const { name, data } of events) {
    if (name === "summary") results["summary"] = `${String(results["summary"])}${String(data["text"])}`;
    else if (name === "explain" || name === "steps") head = { ...head, ...data };
    else if (name === "done") head = { ...head, query: data["query"], strategy_used: data["strategy_used"] };
    else Object.assign(results, data);
  }
  assert.equal(events.at(-1)?.name, "done");
  return responses.queryResult.parse({ ...head, results });
}

/** Two runs take different times, and the index is the same. */
function timeless({ explain, ...answer }: ReturnType<typeof merge>) {
  if (explain === undefined) return answer;
  const { timings_ms: _, ...rest } = explain;
  return { ...answer, explain: rest };
}
