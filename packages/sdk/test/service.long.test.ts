/** The SDK against the real service: its examples as they are, and what only a service can show. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { sqlite, useService } from "../../server/test/support/service.ts";
import { type Client, createClient, NotFoundError, PermissionError } from "../src/index.ts";
import { createRetriever } from "../src/langchain.ts";

const use = useService(sqlite);
const connect = (): Client => createClient({ baseUrl: use().baseUrl, apiKey: use().home.ownerKey });

async function runExample(name: string, ...args: readonly string[]): Promise<string> {
  const { baseUrl, home } = use();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "../../../examples/sdk", name), ...args],
    {
      env: { KCS_URL: baseUrl, KCS_KEY: home.ownerKey },
      timeout: 60_000,
    },
  );
  return stdout;
}

async function makeProject(client: Client, text: string): Promise<string> {
  const { project_id } = await client.projects.create({ name: "Harbour" });
  const { job_id } = await client.documents.ingest(project_id, { source_doc_id: "log", text });
  await client.jobs.wait(project_id, job_id);
  return project_id;
}

describe("the examples", () => {
  test("quickstart: from nothing to an answer", async () => {
    const said = await runExample("quickstart.ts");
    assert.match(said, /completed: 1 chunks\n/);
    assert.match(said, /The crane on pier 3 lifts forty tonnes/);
  });

  test("many documents: batch, progress, iteration", async () => {
    assert.match(await runExample("many-documents.ts"), /50 of 50, 50 chunks\n50 chunks in total\n$/);
  });

  test("agents: a retriever and a tool", async () => {
    const projectId = await makeProject(connect(), "The lamp of Orrin was lit in 1852.");
    const said = await runExample("agents.ts", projectId, "When was the lamp lit?");
    assert.match(said, /^log The lamp of Orrin was lit in 1852\.\n\{"summary":/);
    const tool = JSON.parse(said.trim().split("\n").at(-1) ?? "");
    assert.deepEqual(tool.passages, [{ text: "The lamp of Orrin was lit in 1852.", document: "log" }]);
  });

  test("agents: the guide shows what the example runs", async () => {
    const root = join(import.meta.dirname, "../../..");
    const guide = await readFile(join(root, "docs/sdk.md"), "utf8");
    const example = (await readFile(join(root, "examples/sdk/agents.ts"), "utf8")).split("\n");
    const section = guide.slice(guide.indexOf("## LangChain and the AI SDK"));
    const shown = [...section.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = ""]) => code.split("\n"));
    assert.ok(shown.length > 5);
    assert.deepEqual(
      shown.filter((line) => !example.includes(line)),
      [],
    );
  });
});

describe("with a service", () => {
  test("errors are those of their status", async () => {
    const client = connect();
    await assert.rejects(client.projects.get("prj_none"), NotFoundError);
    const stranger = createClient({ baseUrl: use().baseUrl, apiKey: await use().stranger.readKey() });
    const { project_id } = await client.projects.create({ name: "Mine" });
    await assert.rejects(stranger.projects.get(project_id), (error) => {
      assert.ok(error instanceof PermissionError);
      assert.match(error.requestId ?? "", /^req_/);
      return true;
    });
  });

  test("a creation that is repeated with its key happens once", async () => {
    const client = connect();
    const body = { name: "Once" };
    const first = await client.projects.create(body, { idempotencyKey: "once-1" });
    const second = await client.projects.create(body, { idempotencyKey: "once-1" });
    assert.equal(second.project_id, first.project_id);
  });

  test("a job is followed by its events, and those of a project come until the loop is left", async () => {
    const client = connect();
    const { project_id } = await client.projects.create({ name: "Events", vector_only: true });
    const stop = new AbortController();
    const watching = (async () => {
      for await (const event of client.jobs.projectEvents(project_id, { signal: stop.signal })) {
        if (event.type === "completed") return event.job.source_doc_id;
      }
      return null;
    })();
    const { job_id } = await client.documents.ingest(project_id, {
      source_doc_id: "log",
      text: "A lamp was lit.",
    });
    const types: string[] = [];
    for await (const event of client.jobs.events(project_id, job_id)) types.push(event.type);
    assert.equal(types.at(-1), "completed");
    assert.equal(await watching, "log");
    stop.abort();
  });

  test("a retriever is a function, has invoke and batch, and obeys a signal", async () => {
    const projectId = await makeProject(connect(), "The lamp of Orrin was lit in 1852.");
    const retriever = createRetriever({ client: connect(), projectId, topK: 1 });
    const [document] = await retriever("Which lamp?");
    assert.equal(document?.pageContent, "The lamp of Orrin was lit in 1852.");
    assert.equal(document?.metadata["source_doc_id"], "log");
    assert.ok(document?.id);
    assert.deepEqual(await retriever.batch(["Which lamp?", "Which lamp?"]), [[document], [document]]);
    await assert.rejects(retriever.invoke("x", { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
  });
});
