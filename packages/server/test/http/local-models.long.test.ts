/** Projects of an embedding model that runs in this process; `test/models/fixtures` has the tiny models. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { openLocalReranker } from "../../src/adapters/models/local/reranker.ts";
import type { Client } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { rankedLists, waitForMove } from "../support/reembedding.ts";
import { describeOnBoth, sqlite, startTestService, useRestarts, withHome } from "../support/service.ts";

const FIXTURES = fileURLToPath(new URL("../models/fixtures", import.meta.url));
const BUNDLED = "all-MiniLM-L6-v2";
const LOCAL = /^local\/modernbert@[0-9a-f]{8}$/;
const QUESTIONS = ["Who lit the lamp?", "When does the ferry sail?", "copper"];
const DOCUMENTS = [
  { source_doc_id: "lamp", text: "Tove Lind lit the lamp of Varde at dusk." },
  { source_doc_id: "ferry", text: "The ferry to Skagen sails at noon." },
  { source_doc_id: "copper", text: "Copper prices fell for the third week." },
];

const spaceOf = async (owner: Client, project_id: string) =>
  (await owner.succeed("getProjectConfig", { params: { project_id } })).config;
const move = async (owner: Client, project_id: string, embedding: string) => {
  await owner.succeed("reembedProject", { params: { project_id }, body: { embedding } });
  return waitForMove(owner, project_id);
};
const readiness = async (owner: Client) => JSON.parse((await owner.root("GET", "/ready")).text);

/** A models folder of its own for the surrounding `describe`, in `env`. */
function useModelsDir() {
  const env = { KCS_EMBEDDING_PROVIDER: "local", KCS_EMBEDDING_MODEL: "modernbert", KCS_MODELS_DIR: "" };
  before(async () => {
    env.KCS_MODELS_DIR = await mkdtemp(join(tmpdir(), "kcs-local-"));
    await cp(FIXTURES, env.KCS_MODELS_DIR, { recursive: true });
  });
  after(() => rm(env.KCS_MODELS_DIR, { recursive: true, force: true }));
  return env;
}

describeOnBoth((setting) => {
  const env = useModelsDir();
  const { use, restart } = useRestarts(setting, env);

  test("a project has the vectors of the local model, and can be moved to the bundled one and back", async () => {
    const { owner } = use();
    const project = await createProject(owner);
    const { embedding_model: model, embedding_dimensions } = await spaceOf(owner, project);
    assert.match(model, LOCAL);
    assert.equal(embedding_dimensions, 8);
    await ingestAll(owner, project, DOCUMENTS);
    const local = await rankedLists(owner, project, QUESTIONS);
    assert.equal(local.length, QUESTIONS.length * DOCUMENTS.length);
    const { embedding_models } = await readiness(owner);
    assert.deepEqual(
      embedding_models.map((each: Record<string, unknown>) => [each["model"], each["state"]]),
      [[model, "ok"]],
    );

    assert.equal((await move(owner, project, BUNDLED)).status, "completed");
    const bundled = await rankedLists(owner, project, QUESTIONS);
    assert.notDeepEqual(bundled, local);
    assert.equal((await spaceOf(owner, project)).embedding_model, BUNDLED);

    assert.equal((await move(owner, project, model)).status, "completed");
    assert.deepEqual(await rankedLists(owner, project, QUESTIONS), local);
  });

  test("a damaged model fails its questions and postpones its jobs with the file; others go on; repaired, it serves again", async () => {
    const first = use().owner;
    const project = await createProject(first);
    await ingestAll(first, project, DOCUMENTS);
    const weights = join(env.KCS_MODELS_DIR, "modernbert/onnx/model.onnx");
    const hashes = join(env.KCS_MODELS_DIR, "modernbert/kcs-model.json");
    const intact = await readFile(weights);
    const sha256 = createHash("sha256").update(intact).digest("hex");
    await writeFile(
      hashes,
      JSON.stringify({ files: { "onnx/model.onnx": { bytes: intact.length, sha256 } } }),
    );
    const damaged = Buffer.from(intact);
    damaged.writeUInt8(damaged.readUInt8(20_000) ^ 1, 20_000);
    await writeFile(weights, damaged);

    const service = await restart(env);
    const { owner } = service;
    const status = await waitFor("the fault in the readiness", async () => {
      const { embedding_models } = await readiness(owner);
      return embedding_models?.[0].state === "failing" ? embedding_models[0] : null;
    });
    assert.match(status.last_error, /: model\.onnx is damaged .*kcs-server models add modernbert/);
    assert.ok(service.logged.some(({ event }) => event === "local_model_unusable"));
    const params = { project_id: project };
    const refused = await owner.endpoint("query", { params, body: { query: "Who lit the lamp?" } });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /model\.onnx is damaged/);
    const job = await ingest(owner, project, { source_doc_id: "late", text: "The market opens on Tuesday." });
    const other = await createProject(owner);
    await move(owner, other, BUNDLED);
    await ingestAll(owner, other, DOCUMENTS);

    await writeFile(weights, intact);
    const repaired = await restart(env);
    assert.equal((await waitForJob(repaired.owner, project, job)).status, "completed");
    const again = await repaired.owner.endpoint("query", {
      params,
      body: { query: "When does the market open?" },
    });
    assert.match(again.text, /Tuesday/);
    await rm(hashes);
  });
});

describeOnBoth((setting) => {
  const env = useModelsDir();
  const reranked = {
    KCS_RERANK_PROVIDER: "local",
    KCS_RERANK_MODEL: "bert-reranker",
    KCS_RERANK_MS: "10000",
  };
  const { use, restart } = useRestarts(setting, {});

  test("a local reranker orders the best chunks by its own scores, and says so", async () => {
    const first = use().owner;
    const project = await createProject(first);
    await ingestAll(first, project, DOCUMENTS);
    const query = "When does the ferry sail?";
    const body = { query, include: ["explain", "provenance"] };
    const ask = (owner: Client) => owner.succeed("query", { params: { project_id: project }, body });
    const plain = await ask(first);
    assert.equal(plain.strategy_used, "hybrid");
    assert.equal(plain.explain?.rerank, undefined);

    const { owner } = await restart({ ...reranked, KCS_MODELS_DIR: env.KCS_MODELS_DIR });
    const answer = await ask(owner);
    assert.equal(answer.strategy_used, "hybrid_rerank");
    const model = await identifyModel(await describeModel(env.KCS_MODELS_DIR, "bert-reranker"));
    const reranker = await openLocalReranker(model);
    const scores = new Map<string, number>();
    for (const { source_doc_id, text } of DOCUMENTS)
      scores.set(source_doc_id, await reranker.score(query, text));
    await reranker.close();
    const expected = [...scores].toSorted(([, one], [, other]) => other - one);
    assert.deepEqual(
      answer.explain?.rerank?.scores.map(({ source_doc_id, score }) => [source_doc_id, score]),
      expected,
    );
    const { chunks } = answer.results;
    assert.deepEqual(
      chunks.map(({ source_doc_id }) => source_doc_id),
      expected.map(([id]) => id),
    );
    assert.deepEqual(
      chunks.map(({ similarity }) => similarity),
      plain.results.chunks.map(({ similarity }) => similarity),
    );
    assert.notDeepEqual(
      expected.map(([id]) => id),
      plain.results.chunks.map(({ source_doc_id }) => source_doc_id),
    );
    const { reranker: rerankerStatus, models_device } = await readiness(owner);
    assert.deepEqual([rerankerStatus.state, models_device], ["ok", "cpu"]);

    const weights = join(env.KCS_MODELS_DIR, "bert-reranker/onnx/model.onnx");
    await writeFile(weights, (await readFile(weights)).subarray(0, 1_000));
    const damaged = await restart({ ...reranked, KCS_MODELS_DIR: env.KCS_MODELS_DIR });
    const status = await waitFor("the fault in the readiness", async () => {
      const { reranker } = await readiness(damaged.owner);
      return reranker?.state === "failing" ? reranker : null;
    });
    assert.match(status.last_error, /: model\.onnx cannot be loaded/);
    const refused = await damaged.owner.endpoint("query", { params: { project_id: project }, body });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /model\.onnx cannot be loaded/);
  });
});

describe("a start with a local model", () => {
  const env = useModelsDir();

  test("a model that is missing, of another kind or too large ends it with what to do", async () => {
    const start = (over: Readonly<Record<string, string>>) =>
      withHome(sqlite, async (home) => {
        const service = await startTestService({ home, env: { ...env, ...over } });
        await service.stop();
      });
    const missing = { KCS_EMBEDDING_MODEL: "BAAI/bge-small-en-v1.5" };
    await assert.rejects(
      start(missing),
      /KCS_EMBEDDING_MODEL: There is no model BAAI.* kcs-server models add BAAI\/bge-small/,
    );
    await assert.rejects(
      start({ KCS_EMBEDDING_MODEL: "bert-reranker" }),
      /is no model for this: it is for rerank/,
    );
    // The runtime has no such device on Linux.
    await assert.rejects(
      start({ KCS_MODELS_DEVICE: "coreml" }),
      /KCS_MODELS_DEVICE: The device coreml cannot be used: .*KCS_MODELS_DEVICE=cpu/,
    );
    await assert.rejects(
      start({ KCS_MODELS_MEMORY_BYTES: "1000" }),
      /would need about 0\.1 MB \(modernbert 0\.1 MB in 2 threads\), and 0\.0 MB/,
    );
    const tokenizer = join(env.KCS_MODELS_DIR, "modernbert/tokenizer.json");
    await rename(tokenizer, `${tokenizer}.away`);
    await assert.rejects(start({}), /modernbert\/tokenizer\.json is missing/);
    await rename(`${tokenizer}.away`, tokenizer);
    await assert.rejects(start({ KCS_EMBEDDING_MODEL: "../x", KCS_EMBEDDING_PRICE: "1" }), (error: Error) => {
      assert.match(error.message, /KCS_EMBEDDING_MODEL: got "..\/x", expected OWNER\/NAME/);
      assert.match(error.message, /KCS_EMBEDDING_PRICE: not used with local/);
      return true;
    });
  });
});
