/** Dynamic questions with a reranker at a provider that answers over HTTP, as it should and as it should not. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { type Behaviour, hang, refuse, say } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import type { ChatRequest, RerankRequest } from "../support/model-server/request.ts";
import { describeOnBoth, useRestarts } from "../support/service.ts";

const KEY = "sk-key-of-the-operator";
const DOCUMENTS = [
  { source_doc_id: "ferry", text: "The ferry to Skagen sails at noon from the east quay." },
  { source_doc_id: "lamp", text: "The lamp of Varde was lit by Tove Lind when the ferry had sailed." },
  { source_doc_id: "market", text: "The fish market opens on Tuesdays, and no ferry sails then." },
];
const QUERY = "When does the ferry sail?";

/** Prefers the passages in the reverse of the order in which they are sent. */
const reversed = ({ passages }: RerankRequest): Behaviour => ({
  kind: "babble",
  body: JSON.stringify({ results: passages.map((_, index) => ({ index, relevance_score: index / 10 })) }),
  contentType: "application/json",
});

/** Invents an answer. */
const invented = ({ system }: ChatRequest): Behaviour => {
  if (system.includes("You plan")) return say({ kind: "fact", searches: ["ferry"] });
  if (system.includes("You judge")) return say({ useful: [1], enough: true, searches: [] });
  return say("The painter Otto Lind sails on it in 1822.");
};

interface Status {
  readonly state: string;
  readonly model: string;
  readonly last_error?: string;
}

describeOnBoth((setting) => {
  let server: ModelServer;
  let script: (request: RerankRequest) => Behaviour | null = reversed;
  const env = { KCS_RERANK_BASE_URL: "", KCS_RERANK_MODEL: "cross", KCS_RERANK_API_KEY: KEY };
  before(async () => {
    server = await startModelServer({ apiKey: KEY, chat: invented, rerank: (request) => script(request) });
    env.KCS_RERANK_BASE_URL = server.baseUrl;
  });
  after(() => server.close());
  const { use, restart } = useRestarts(setting, env);
  let project_id = "";
  before(async () => {
    project_id = await createProject(use().owner);
    await ingestAll(use().owner, project_id, DOCUMENTS);
  });

  function ask(mode: "static" | "dynamic", members: Record<string, unknown> = {}) {
    const body = { query: QUERY, mode, include: ["explain", "provenance"], ...members };
    return use().owner.succeed("query", { params: { project_id }, body });
  }

  async function status(): Promise<Status> {
    const { json } = await use().nobody.root("GET", "/ready");
    return (json as { readonly reranker: Status }).reranker; // Compared by the tests.
  }

  async function metric(outcome: string): Promise<number> {
    const { text } = await use().nobody.root("GET", "/metrics");
    const line = new RegExp(
      `^kcs_rerank_calls_total\\{provider="openai-compatible",outcome="${outcome}"\\} (\\d+)$`,
      "m",
    );
    return Number(line.exec(text)?.[1] ?? 0);
  }

  const idsOf = (list: readonly { readonly source_doc_id?: string | undefined }[]) =>
    list.map(({ source_doc_id }) => source_doc_id);

  test("a static question never calls the provider", async () => {
    const answer = await ask("static");
    assert.equal(answer.strategy_used.includes("rerank"), false);
    assert.equal(answer.explain?.rerank, undefined);
    assert.equal(server.rerankRequests.length, 0);
    await waitFor("readiness", async () => ((await status())?.state === "unused" ? true : null));
    assert.deepEqual(await status(), { model: "openai-compatible/cross", state: "unused" });
  });

  test("a dynamic question is ordered by the provider's scores, and strategy, explanation, metric and usage say so", async () => {
    script = reversed;
    const plain = await ask("static");
    const answer = await ask("dynamic");
    assert.match(answer.strategy_used, /^dynamic_builtin_\w+_rerank$/);
    assert.equal(server.rerankRequests.length, 1);
    const [request] = server.rerankRequests;
    assert.equal(request?.query, QUERY);
    assert.deepEqual(
      request?.passages,
      plain.results.chunks.map(({ text }) => text),
    );
    const best = idsOf(plain.results.chunks).toReversed();
    assert.equal(answer.results.chunks[0]?.source_doc_id, best[0]);
    const { rerank, plan, ranked } = answer.explain ?? {};
    assert.deepEqual(idsOf(rerank?.scores ?? []), best);
    assert.deepEqual(
      rerank?.scores.map(({ score }) => score),
      [0.2, 0.1, 0],
    );
    assert.deepEqual(
      [rerank?.model, rerank?.limit_ms, rerank?.error],
      ["openai-compatible/cross", 2_000, undefined],
    );
    assert.match(plan?.strategy ?? "", /_rerank$/);
    assert.deepEqual(idsOf(ranked ?? []), best);
    assert.equal(await metric("answered"), 1);
    assert.equal((await status()).state, "ok");
    const { days } = await use().owner.succeed("getUsage");
    assert.equal(
      days.reduce((sum, day) => sum + day.model_calls, 0),
      1,
    );
  });

  for (const [failure, behaviour, told] of [
    ["a refusal that quotes the key", refuse(403, `The key ${KEY} is blocked`), /it answered 403/],
    ["too few scores", { kind: "babble", body: '{"results": []}' }, /0 scores for 3 passages/],
    ["prose", { kind: "babble", body: `No, ${KEY}.` }, /its reply is not JSON/],
  ] as const) {
    test(`${failure} leaves the order of the search, tells why, and tells the key nowhere`, async () => {
      script = () => null;
      await ask("dynamic"); // Closes the circuit breaker.
      script = () => behaviour;
      const failedBefore = (await metric("refused")) + (await metric("unavailable"));
      const plain = await ask("static");
      const answer = await ask("dynamic");
      assert.match(answer.strategy_used, /^dynamic_builtin_\w+_rerank_failed$/);
      assert.equal(answer.results.chunks[0]?.source_doc_id, plain.results.chunks[0]?.source_doc_id);
      assert.deepEqual(answer.explain?.rerank?.scores, []);
      assert.match(answer.explain?.rerank?.error ?? "", told);
      assert.equal((await metric("refused")) + (await metric("unavailable")), failedBefore + 1);
      assert.match((await status()).last_error ?? "", told);
      const pages = await Promise.all(["/ready", "/metrics"].map((path) => use().nobody.root("GET", path)));
      for (const shown of [...pages.map(({ text }) => text), JSON.stringify([answer, use().logged])])
        assert.ok(!shown.includes(KEY));
    });
  }

  test("a provider that never answers costs no more than its time, and an account over its limit is not sent there", async () => {
    script = () => hang;
    await restart({ ...env, KCS_RERANK_MS: "50" });
    const late = await ask("dynamic");
    assert.match(late.strategy_used, /_rerank_failed$/);
    assert.match(late.explain?.rerank?.error ?? "", /gave no scores in time/);
    script = reversed;
    await restart({ ...env, KCS_TOKEN_LIMIT: "1" });
    const asked = server.rerankRequests.length;
    assert.match((await ask("dynamic")).strategy_used, /^dynamic_builtin_\w+_token_limit$/);
    assert.equal(server.rerankRequests.length, asked);
  });

  test("where a language model writes, too, the strategy ends with the reranker, and the explanation has both", async () => {
    script = reversed;
    const model = { KCS_LLM_BASE_URL: server.baseUrl, KCS_LLM_API_KEY: KEY, KCS_LLM_MODEL: "test-model" };
    await restart({ ...env, ...model });
    const answer = await ask("dynamic", { include: ["explain", "provenance", "steps"] });
    assert.equal(answer.strategy_used, "dynamic_fact_unsupported_rerank");
    assert.deepEqual([answer.explain?.check?.unsupported, answer.explain?.rerank?.scores.length], [1, 3]);
    assert.deepEqual(
      answer.steps?.map(({ query }) => query),
      [QUERY, "ferry"],
    );
    script = () => refuse(400, "No.");
    assert.equal((await ask("dynamic")).strategy_used, "dynamic_fact_unsupported_rerank_failed");
  });
});
