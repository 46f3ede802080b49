/** Every example as it is, against one service. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createClient } from "@kcs/sdk";
import { waitFor } from "../../packages/server/test/support/ingestion.ts";
import { say } from "../../packages/server/test/support/model-server/behaviour.ts";
import { startModelServer } from "../../packages/server/test/support/model-server/model-server.ts";
import { sqlite, useService } from "../../packages/server/test/support/service.ts";
import { GET, POST } from "../next-route/route.ts";

const use = useService(sqlite, { KCS_WEBHOOK_PRIVATE: "allow" });
const folder = await mkdtemp(join(tmpdir(), "kcs-examples-"));
after(() => rm(folder, { recursive: true }));

const connect = () => createClient({ baseUrl: use().baseUrl, apiKey: use().home.ownerKey });
const programOf = (name: string) => join(import.meta.dirname, "..", name, "main.ts");
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  KCS_URL: use().baseUrl,
  KCS_KEY: use().home.ownerKey,
  ...more,
});

async function runExample(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const options = { env: environment(env), timeout: 60_000 };
  return promisify(execFile)(process.execPath, [programOf(name), ...args], options);
}

async function makeProject(text: string): Promise<string> {
  const client = connect();
  const { project_id } = await client.projects.create({ name: "Harbour", vector_only: true });
  const { job_id } = await client.documents.ingest(project_id, { source_doc_id: "log", text });
  await client.jobs.wait(project_id, job_id);
  return project_id;
}

test("answers from a folder: a changed file is read again, and a removed one is forgotten", async () => {
  const docs = join(folder, "docs");
  await mkdir(join(docs, "boats"), { recursive: true });
  await writeFile(join(docs, "lamp.md"), "# Lamp\n\nThe lamp of Orrin was lit in 1852.");
  await writeFile(join(docs, "boats", "wanda.txt"), "The dredger Wanda has a crew of nine.");
  const question = ["folder-answers", [docs, "When was the lamp lit?"]] as const;
  const first = await runExample(...question);
  assert.match(first.stdout, /lit in 1852[\s\S]*\n {2}lamp\.md \(similarity 0\.\d\d\)/);
  assert.match(
    (await runExample("folder-answers", [docs, "Crew of Wanda?"])).stdout,
    / {2}boats\/wanda\.txt/,
  );

  await writeFile(join(docs, "lamp.md"), "# Lamp\n\nThe lamp of Orrin was lit in 1853.");
  await rm(join(docs, "boats", "wanda.txt"));
  const second = await runExample(...question);
  assert.match(second.stdout, /lit in 1853/);
  assert.doesNotMatch(second.stdout, /wanda/);
  const names = await Array.fromAsync(connect().projects.each(), ({ name }) => name);
  assert.equal(names.filter((name) => name === "Folder docs").length, 1);
});

test("an agent over MCP: the model calls a tool, reads its answer and answers", async () => {
  const projectId = await makeProject("The ferry leaves the east quay at six.");
  const model = await startModelServer({
    chat: ({ messages, tools, prompt }) => {
      assert.ok(tools.includes("query") && !tools.includes("ingest_text"));
      const last = messages.at(-1);
      if (last?.role === "user") return { kind: "call_tool", name: "ingest_text", arguments: "{}" };
      if (last?.content === "Error: there is no tool ingest_text.") {
        const args = JSON.stringify({ project_id: projectId, query: prompt });
        return { kind: "call_tool", name: "query", arguments: args };
      }
      assert.match(last?.content ?? "", /document "log".*\n> The ferry leaves the east quay at six\./);
      return say("At six (log).");
    },
  });
  try {
    const env = { MODEL_URL: model.baseUrl, MODEL: "test-model" };
    const { stdout, stderr } = await runExample("mcp-agent", ["When does the ferry leave?"], env);
    assert.equal(stdout, "At six (log).\n");
    assert.match(stderr, /^ingest_text \{\}\nquery \{/);
    assert.equal(model.requests.length, 3);
  } finally {
    await model.close();
  }
});

test("a route handler: an answer has sources, a bad question is answered 400, a failing service 502", async (t) => {
  t.mock.method(console, "error", () => undefined);
  const url = "http://localhost:3000/api/ask";
  Object.assign(
    process.env,
    environment({ KCS_PROJECT: await makeProject("The crane lifts forty tonnes.") }),
  );
  const body = JSON.stringify({ question: "What does the crane lift?" });
  const answers = [
    await POST(new Request(url, { method: "POST", body })),
    await GET(new Request(`${url}?question=What+does+the+crane+lift%3F`)),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      answer: "The crane lifts forty tonnes.",
      sources: [{ document: "log", text: "The crane lifts forty tonnes." }],
    });
  }
  for (const wrong of ["no JSON", "{}", '{"question": " "}', "null"]) {
    assert.equal((await POST(new Request(url, { method: "POST", body: wrong }))).status, 400);
  }
  process.env["KCS_KEY"] = "kcs_wrong";
  assert.equal((await POST(new Request(url, { method: "POST", body }))).status, 502);
});

test("a receiver of webhooks: genuine messages are handled once, others are refused", async () => {
  const port = await freePort();
  const client = connect();
  const { secret, webhook_id } = await client.webhooks.create({ url: `http://127.0.0.1:${port}/hook` });
  const env = environment({ WEBHOOK_SECRET: secret, PORT: String(port) });
  const receiver = spawn(process.execPath, [programOf("webhook-receiver")], { env });
  let output = "";
  receiver.stdout.on("data", (part: Buffer) => {
    output += part.toString();
  });
  try {
    await waitFor("the receiver", async () => (output.includes("Receives webhooks") ? true : null));
    await makeProject("A lamp was lit.");
    await waitFor("the message", async () => (/job_\w+: log is ready\n/.test(output) ? true : null));
    await client.webhooks.test(webhook_id);
    await waitFor("the test message", async () => (output.includes("webhook.test\n") ? true : null));

    const url = `http://127.0.0.1:${port}/hook`;
    const headers = { "webhook-id": "msg_1", "webhook-signature": "v1,AAAA" };
    const forged = { method: "POST", body: '{"type": "forged", "data": {}}' };
    const now = String(Math.floor(Date.now() / 1000));
    for (const timestamp of [now, "1", "now"]) {
      const answer = await fetch(url, { ...forged, headers: { ...headers, "webhook-timestamp": timestamp } });
      assert.equal(answer.status, 401);
    }
    assert.equal((await fetch(url)).status, 405);
    assert.doesNotMatch(output, /forged/);
  } finally {
    receiver.kill();
    await once(receiver, "exit");
    await client.webhooks.delete(webhook_id);
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  assert.ok(address !== null && typeof address === "object");
  return address.port;
}
