import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertFault, type Client, createClient } from "../support/http-client.ts";
import { createProject, ingestAll, longText, type Text, waitFor } from "../support/ingestion.ts";
import { refuse } from "../support/model-server/behaviour.ts";
import {
  environmentOf,
  type Gate,
  NEW_MODEL,
  OLD_MODEL,
  rankedLists,
  startGate,
  waitForMove,
} from "../support/reembedding.ts";
import { describeOnEach, type TestService, useRestarts } from "../support/service.ts";

/** More than one batch of chunks, and fewer than 100: a question shows them all. */
const DOCUMENTS: readonly Text[] = Array.from({ length: 6 }, (_, at) => ({
  text: longText(130, `quay ${at}`),
  source_doc_id: `doc-${at}`,
  metadata: { quay: at },
}));
const QUESTIONS = ["Which lantern describes old ledgers?", "Who repairs copper seals of quay 3?"];
const BUNDLED = "all-MiniLM-L6-v2";

describeOnEach((setting) => {
  let gate: Gate;
  before(async () => {
    gate = await startGate();
  });
  afterEach(() => {
    gate.misbehave(null);
    gate.hold(null);
  });
  after(() => gate.close());

  const settings: Record<string, string> = {};
  before(() => Object.assign(settings, environmentOf(gate.server)));
  const { use, restart } = useRestarts(setting, settings);

  /** Runs a test on the service of this file that knows both models; `logged` begins with the test. */
  async function withBoth(run: (service: TestService) => Promise<void>): Promise<void> {
    const service = use();
    const before = service.logged.length;
    await run({
      ...service,
      get logged() {
        return service.logged.slice(before);
      },
    });
  }

  async function ingested(owner: Client, documents: readonly Text[]): Promise<string> {
    const projectId = await createProject(owner);
    await ingestAll(owner, projectId, documents);
    return projectId;
  }

  /** Moved while it is empty, so that the documents are never in another space. */
  async function ingestedAnew(owner: Client, documents: readonly Text[]): Promise<string> {
    const projectId = await createProject(owner);
    await move(owner, projectId, NEW_MODEL.name);
    assert.equal((await waitForMove(owner, projectId)).status, "completed");
    await ingestAll(owner, projectId, documents);
    return projectId;
  }

  const configOf = async (owner: Client, project_id: string) =>
    (await owner.succeed("getProjectConfig", { params: { project_id } })).config.embedding_model;
  const move = (owner: Client, project_id: string, embedding: string = NEW_MODEL.name) =>
    owner.succeed("reembedProject", { params: { project_id }, body: { embedding } });
  /** Until one batch is staged and the next one waits at the gate. */
  const waitForHalf = (owner: Client, project_id: string) =>
    waitFor("the second batch", async () => {
      const half = await owner.succeed("getReembedding", { params: { project_id } });
      return gate.waiting > 0 && half.chunks_processed > 0 ? half : null;
    });

  test("a moved project answers as one that was ingested in the new space, questions are answered all the time, and what is ingested, replaced and deleted meanwhile is so", async () => {
    await withBoth(async (service) => {
      const { owner } = service;
      const projectId = await ingested(owner, DOCUMENTS);
      const params = { project_id: projectId };
      const old = await rankedLists(owner, projectId, QUESTIONS);
      gate.hold(/quay 5/);
      const begun = await move(owner, projectId);
      assert.deepEqual(
        [begun.from.embedding_model, begun.to.embedding_model, begun.to.embedding_dimensions],
        [OLD_MODEL.name, NEW_MODEL.name, NEW_MODEL.dimensions],
      );
      assert.equal((await waitForHalf(owner, projectId)).status, "running");
      assert.equal(await configOf(owner, projectId), OLD_MODEL.name);
      assert.equal((await move(owner, projectId)).created_at, begun.created_at);
      assert.deepEqual(await rankedLists(owner, projectId, QUESTIONS), old);

      const added = { text: longText(40, "the new pier"), source_doc_id: "added" };
      const replaced = { text: longText(60, "quay 1 again"), source_doc_id: "doc-1" };
      await ingestAll(owner, projectId, [added, replaced]);
      for (const source_doc_id of ["doc-0", "doc-5"])
        await owner.succeed("deleteDocument", { params: { ...params, source_doc_id } });
      const isMoved = async () => (await configOf(owner, projectId)) === NEW_MODEL.name;
      const asking = askUntil(owner, projectId, isMoved);
      gate.hold(null);
      const moved = await waitForMove(owner, projectId);
      assert.deepEqual([moved.status, moved.error_message], ["completed", null]);
      assert.equal(moved.chunks_processed, moved.chunks_total);
      assert.ok((await asking) > 0);

      const kept = DOCUMENTS.filter(({ source_doc_id: id }) => !["doc-0", "doc-1", "doc-5"].includes(id));
      const fresh = await ingestedAnew(owner, [...kept, added, replaced]);
      const questions = [...QUESTIONS, "the new pier"];
      assert.deepEqual(
        await rankedLists(owner, projectId, questions),
        await rankedLists(owner, fresh, questions),
      );
      const again = await move(owner, projectId);
      assert.deepEqual([again.status, again.from], ["completed", again.to]);
      assert.deepEqual(service.logged, []);
    });
  });

  test("what the provider refuses fails the move with its reason; retried it goes on and pays nothing twice", async () => {
    await withBoth(async ({ owner }) => {
      const projectId = await ingested(owner, DOCUMENTS);
      const old = await rankedLists(owner, projectId, QUESTIONS);
      const paid = gate.answered.length;
      gate.misbehave(({ inputs }) =>
        inputs.some((text) => /quay 5/.test(text)) ? refuse(400, "No.") : null,
      );
      await move(owner, projectId);
      const failed = await waitForMove(owner, projectId);
      assert.equal(failed.status, "failed");
      assert.match(
        String(failed.error_message),
        /"openai-compatible\/new-vectors" gave no vectors: it answered 400/,
      );
      assert.ok(failed.chunks_processed > 0);
      assert.equal(await configOf(owner, projectId), OLD_MODEL.name);
      assert.deepEqual(await rankedLists(owner, projectId, QUESTIONS), old);
      gate.misbehave(null);
      assert.equal((await move(owner, projectId)).status, "pending");
      const moved = await waitForMove(owner, projectId);
      assert.equal(moved.status, "completed", String(moved.error_message));
      assert.equal(gate.answered.length - paid, moved.chunks_total);
      // And back, to where it was.
      await owner.succeed("reembedProject", { params: { project_id: projectId } });
      assert.equal((await waitForMove(owner, projectId)).to.embedding_model, OLD_MODEL.name);
      assert.deepEqual(await rankedLists(owner, projectId, QUESTIONS), old);
    });
  });

  test("while the provider is away the move waits, the old vectors answer, and readiness and metrics say so", async () => {
    await withBoth(async (service) => {
      const { owner } = service;
      const project_id = await ingested(owner, DOCUMENTS.slice(0, 1));
      gate.misbehave(() => refuse(503));
      await move(owner, project_id);
      const waiting = await waitFor("the first failure", async () => {
        const states = await readiness(owner);
        return states.some(({ state }) => state === "failing") ? states : null;
      });
      assert.deepEqual(
        waiting.map(({ model, state }) => [model, state]),
        [
          [OLD_MODEL.name, "ok"],
          [NEW_MODEL.name, "failing"],
        ],
      );
      assert.match(String(waiting[1]?.last_error), /gave no vectors after 3 retries/);
      assert.equal((await owner.succeed("getReembedding", { params: { project_id } })).status, "running");
      assert.ok((await rankedLists(owner, project_id, QUESTIONS)).length > 0);
      const metrics = (await owner.root("GET", "/metrics")).text;
      assert.match(
        metrics,
        /kcs_embedding_calls_total\{provider="openai-compatible",outcome="unavailable"\} 1/,
      );
      assert.match(metrics, /kcs_embedding_call_seconds_count\{provider="openai-compatible"\} \d/);
      assert.match(metrics, /kcs_embedding_tokens_total\{provider="openai-compatible"\} [1-9]/);
      assert.equal(
        (await owner.succeed("cancelReembedding", { params: { project_id } })).status,
        "cancelled",
      );
      assert.ok(service.logged.every(({ level }) => level === "warn"));
    });
  });

  test("a cancelled move leaves the project where it is, another can begin, and a deleted project's ends", async () => {
    await withBoth(async (service) => {
      const { owner } = service;
      const projectId = await ingested(owner, DOCUMENTS);
      const params = { project_id: projectId };
      const old = await rankedLists(owner, projectId, QUESTIONS);
      assertFault(await owner.endpoint("cancelReembedding", { params }), 409, /nothing to cancel/);
      gate.hold(/quay 5/);
      await move(owner, projectId);
      await waitForHalf(owner, projectId);
      assertFault(
        await owner.endpoint("reembedProject", { params, body: { embedding: BUNDLED } }),
        409,
        /being moved to another embedding model, openai-compatible\/new-vectors/,
      );
      for (const _ of [1, 2])
        assert.equal((await owner.succeed("cancelReembedding", { params })).status, "cancelled");
      assert.deepEqual(await rankedLists(owner, projectId, QUESTIONS), old);
      gate.hold(null);
      await move(owner, projectId);
      assert.equal((await waitForMove(owner, projectId)).status, "completed");

      const other = await ingested(owner, DOCUMENTS);
      gate.hold(/quay 5/);
      await move(owner, other);
      await waitForHalf(owner, other);
      await owner.succeed("deleteProject", { params: { project_id: other } });
      gate.hold(null);
      const gone = await owner.endpoint("getReembedding", { params: { project_id: other } });
      assertFault(gone, 404, `Project ${other} not found`);
      const last = await createProject(owner);
      await move(owner, last);
      assert.equal((await waitForMove(owner, last)).status, "completed");
      assert.deepEqual(service.logged, []);
    });
  });

  test("chunks are charged when they are moved, and nothing is begun over the limit", async () => {
    const tokensUsed = async (owner: Client) => (await owner.succeed("getUsage")).limits.tokens_used;
    const { stranger } = use();
    const project_id = await ingested(stranger, DOCUMENTS.slice(0, 1));
    const before = await tokensUsed(stranger);
    await move(stranger, project_id);
    await waitForMove(stranger, project_id);
    assert.equal(await tokensUsed(stranger), 2 * before);
    const { baseUrl } = await restart({ ...settings, KCS_TOKEN_LIMIT: String(2 * before) });
    const client = createClient(baseUrl, await stranger.readKey());
    const body = { embedding: BUNDLED };
    assertFault(
      await client.endpoint("reembedProject", { params: { project_id }, body }),
      403,
      "Token usage limit exceeded",
    );
    assert.equal((await move(client, project_id)).status, "completed");
    client.close();
  });

  test("a project is moved to the bundled model and stays reachable when the others are not configured", async () => {
    const documents = [{ text: "Tove Lind lit the lamp of Varde at dusk.", source_doc_id: "lamp" }];
    const question = ["Who lit the lamp?"];
    const before = use().stranger;
    const project_id = await ingested(before, documents);
    const params = { project_id };
    const { config, in_use } = await before.succeed("getProjectConfig", { params });
    assert.equal(config.embedding_model, OLD_MODEL.name);
    assert.deepEqual(in_use.embedding_models, [OLD_MODEL.name, NEW_MODEL.name, BUNDLED]);
    const elsewhere = { params, body: { embedding: "https://elsewhere.example/v1" } };
    const known = in_use.embedding_models.join(", ");
    const told = `embedding: got "https://elsewhere.example/v1", expected one that is configured: ${known}`;
    assertFault(await before.endpoint("reembedProject", elsewhere), 400, told);
    const settled = await before.succeed("getReembedding", { params });
    assert.deepEqual([settled.status, settled.chunks_total, settled.created_at], ["completed", 1, null]);
    await move(before, project_id, BUNDLED);
    assert.equal((await waitForMove(before, project_id)).status, "completed");
    const owner = createClient((await restart()).baseUrl, await before.readKey());
    const fresh = await ingested(owner, documents);
    const expected = await rankedLists(owner, fresh, question);
    assert.equal(expected.length, 1);
    assert.deepEqual(await rankedLists(owner, project_id, question), expected);
    owner.close();
  });
});

/** Asks one question after the other until `isOver`; each is answered in full. Returns how many. */
async function askUntil(owner: Client, projectId: string, isOver: () => Promise<boolean>): Promise<number> {
  const query = "Which lantern describes old ledgers?";
  for (let asked = 0; ; asked++) {
    const over = await isOver();
    const { results } = await owner.succeed("query", {
      params: { project_id: projectId },
      body: { query: `${query} ${asked}`, top_k: 10 },
    });
    assert.equal(results.chunks.length, 10);
    if (over) return asked;
  }
}

interface Readiness {
  readonly model: string;
  readonly state: string;
  readonly last_error?: string;
}

async function readiness(owner: Client): Promise<readonly Readiness[]> {
  const { json } = await owner.root("GET", "/ready");
  return (json as { embedding_models: readonly Readiness[] }).embedding_models; // As the service writes it.
}
