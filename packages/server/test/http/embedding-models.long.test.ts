import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Client, Success } from "../support/http-client.ts";
import { ingest, waitForJob } from "../support/ingestion.ts";
import { refuse } from "../support/model-server/behaviour.ts";
import { presentEmbeddings } from "../support/model-server/embeddings.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import type { EmbeddingRequest } from "../support/model-server/request.ts";
import { describeOnBoth, useRestarts } from "../support/service.ts";

const DIMENSIONS = 48;

type Project = Success<"createProject">;

describeOnBoth((setting) => {
  let server: ModelServer;
  let refuses = (_request: EmbeddingRequest) => false;
  /** What the provider reports as the tokens of each call; null = the right number. */
  let told: number | null = null;
  const tell = (request: EmbeddingRequest) => ({
    kind: "babble" as const,
    body: JSON.stringify({ ...Object(presentEmbeddings(request)), usage: { prompt_tokens: told } }),
    contentType: "application/json",
  });
  before(async () => {
    server = await startModelServer({
      embeddings: (request) =>
        refuses(request) ? refuse(400, "No such thing.") : told === null ? null : tell(request),
    });
  });
  after(() => server.close());

  const configured = {
    KCS_EMBEDDING_BASE_URL: "",
    KCS_EMBEDDING_MODEL: "vectors",
    KCS_EMBEDDING_DIMENSIONS: String(DIMENSIONS),
  };
  before(() => {
    configured.KCS_EMBEDDING_BASE_URL = server.baseUrl;
  });
  const { use, restart } = useRestarts(setting, configured);

  const create = (owner: Client, body: object): Promise<Project> =>
    owner.succeed("createProject", { body: { name: "Harbour", ...body } });
  const ask = (owner: Client, { project_id }: Project, query: string) =>
    owner.endpoint("query", { params: { project_id }, body: { query } });
  const ingestOne = async (owner: Client, project: Project, text: string, source_doc_id: string) => {
    const job = await ingest(owner, project.project_id, { text, source_doc_id });
    return waitForJob(owner, project.project_id, job);
  };

  test("what the provider refuses fails the job and the question with its reason", async () => {
    refuses = ({ inputs }) => inputs.some((text) => text.includes("forbidden"));
    const { owner } = use();
    const project = await create(owner, { vector_only: true });
    await ingestOne(owner, project, "The lamp is lit.", "lamp");
    const failed = await ingestOne(owner, project, "A forbidden text.", "forbidden");
    assert.equal(failed.status, "failed");
    assert.match(
      String(failed.error_message),
      /"openai-compatible\/vectors" gave no vectors: it answered 400/,
    );
    const refused = await ask(owner, project, "What is forbidden?");
    assert.equal(refused.status, 503);
    assert.match(refused.text, /it answered 400/);
    assert.equal((await ask(owner, project, "Is the lamp lit?")).status, 200);
  });

  test("a provider that reports numbers of tokens which cannot be is used like any other", async (context) => {
    context.after(() => {
      told = null;
    });
    const { owner, nobody } = use();
    const project = await create(owner, { vector_only: true });
    for (const [place, tokens] of [-1e9, 1e300, 1.5].entries()) {
      told = tokens;
      const job = await ingestOne(owner, project, `The lamp number ${place} is lit.`, `lamp ${place}`);
      assert.equal(job.status, "completed", String(job.error_message));
      const answer = await ask(owner, project, `Is the lamp number ${place} lit?`);
      assert.equal(answer.status, 200, answer.text);
    }
    const { text } = await nobody.root("GET", "/metrics");
    const counted = /^kcs_embedding_tokens_total\{provider="openai-compatible"\} (\d+)$/m.exec(text);
    assert.ok(Number(counted?.[1]) < 1_000, String(counted));
  });

  test("a project keeps the embedding model that it was made with, and others go on while that is gone", async () => {
    const question = "Who lit the lamp of Varde?";
    const first = use().owner;
    const remote = await create(first, { vector_only: true });
    const graph = await create(first, {});
    for (const project of [remote, graph]) {
      assert.equal(project.config.embedding_model, "openai-compatible/vectors");
      assert.equal(project.config.embedding_dimensions, DIMENSIONS);
      const done = await ingestOne(first, project, "Tove Lind lit the lamp of Varde at dusk.", "lamp");
      assert.equal(done.status, "completed", String(done.error_message));
      const answer = await ask(first, project, question);
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.text, /Tove Lind/);
    }
    assert.ok(server.embeddingRequests.some(({ inputs }) => inputs.includes(question)));

    const { owner } = await restart();
    const asked = server.embeddingRequests.length;
    const refused = await ask(owner, remote, question);
    assert.equal(refused.status, 503);
    assert.match(refused.text, /openai-compatible\/vectors.{0,20}48 dimensions, which is not configured/);
    const failed = await ingestOne(owner, remote, "The lamp went out.", "out");
    assert.equal(failed.status, "failed");
    assert.match(String(failed.error_message), /KCS_EMBEDDING_MODEL/);
    const own = await create(owner, { vector_only: true });
    assert.notEqual(own.config.embedding_model, remote.config.embedding_model);
    const done = await ingestOne(owner, own, "The ferry to Skagen sails at noon.", "ferry");
    assert.equal(done.status, "completed");
    assert.equal((await ask(owner, own, "When does the ferry sail?")).status, 200);
    assert.equal(server.embeddingRequests.length, asked);

    const again = await restart(configured);
    assert.match((await ask(again.owner, remote, question)).text, /Tove Lind/);
  });
});
