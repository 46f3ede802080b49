/** Projects whose entities and relations a local reader reads; `test/models/gliner` has the tiny models. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { openLocalReader } from "../../src/adapters/models/local/gliner/reader.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { parseOntology } from "../../src/domain/ontology-schema.ts";
import { askForTypes } from "../../src/engine/ingest/extract/reader/label-texts.ts";
import type { Client } from "../support/http-client.ts";
import { ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { describeOnBoth, sqlite, startTestService, useRestarts, withHome } from "../support/service.ts";

const FIXTURES = fileURLToPath(new URL("../models/gliner", import.meta.url));
const OTHERS = fileURLToPath(new URL("../models/fixtures", import.meta.url));
const TEXT = "Maud Pell lit the lamp of Orrin Point.";
/** The random weights take words for a person that are none to anybody else. */
const ODD = "lit the lamp";
const SCHEMA = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Person: { description: "", properties: [] },
          Place: { description: "", properties: [] },
          Vessel: { description: "", properties: [] },
        },
      },
    ],
    edge_types: ["LIVES_IN", "MET"].map((name) => ({
      name,
      source_types: ["Person", "Place", "Vessel"],
      target_types: ["Person", "Place", "Vessel"],
      temporal: false,
      properties: [],
    })),
  },
};
const THRESHOLD = 0.2;

const readiness = async (owner: Client) => JSON.parse((await owner.root("GET", "/ready")).text);

/** A models folder of its own for the surrounding `describe`, in `env`. */
function useModelsDir() {
  const env = {
    KCS_EXTRACTION_PROVIDER: "local",
    KCS_EXTRACTION_MODEL: "relex",
    KCS_EXTRACTION_THRESHOLD: String(THRESHOLD),
    // Every relation that is read is asserted.
    KCS_CONFIDENCE: "0.5,0.4",
    KCS_MODELS_DIR: "",
  };
  before(async () => {
    env.KCS_MODELS_DIR = await mkdtemp(join(tmpdir(), "kcs-reader-"));
    await cp(FIXTURES, env.KCS_MODELS_DIR, { recursive: true });
    for (const name of ["bert", "bert-reranker", "bert-answers"])
      await cp(join(OTHERS, name), join(env.KCS_MODELS_DIR, name), { recursive: true });
  });
  after(() => rm(env.KCS_MODELS_DIR, { recursive: true, force: true }));
  return env;
}

/** What the model itself reads in the text, with the names and types that the graph gives them. */
async function readAlone(modelsDir: string) {
  const model = await identifyModel(await describeModel(modelsDir, "relex"));
  assert.ok(model.reader !== null);
  const reader = await openLocalReader({
    ...model,
    reader: { ...model.reader, threshold: THRESHOLD, relationThreshold: THRESHOLD },
  });
  const { labels, types, edges } = askForTypes(parseOntology(JSON.stringify(SCHEMA)));
  const { entities, relations } = await reader.read(TEXT, labels);
  await reader.close();
  const named = entities.map(({ start, end, label }) => ({
    name: TEXT.slice(start, end),
    type: types[label],
  }));
  return {
    entities: named,
    relations: relations.map(({ source, target, label, confidence }) => ({
      ...{ type: edges[label]?.name, confidence },
      ...{ source: named[source]?.name, target: named[target]?.name },
    })),
  };
}

describeOnBoth((setting) => {
  const env = useModelsDir();
  const { use, restart } = useRestarts(setting, env);

  async function createBoundProject(owner: Client): Promise<string> {
    const { id } = await owner.succeed("createOntology", { body: { name: "Coast", schema: SCHEMA } });
    const { project_id } = await owner.succeed("createProject", { body: { name: "Coast", ontology_id: id } });
    return project_id;
  }

  test("the graph has the entities and relations that the local model reads", async () => {
    const { owner } = use();
    const project_id = await createBoundProject(owner);
    const { config } = await owner.succeed("getProjectConfig", { params: { project_id } });
    assert.equal(config.extraction, "model");
    await ingestAll(owner, project_id, [{ source_doc_id: "a", text: TEXT }]);
    const expected = await readAlone(env.KCS_MODELS_DIR);
    assert.deepEqual(
      expected.entities.find(({ name }) => name === ODD),
      { name: ODD, type: "Person" },
    );
    const { entities } = await owner.succeed("listEntities", { params: { project_id } });
    const names = entities.filter(({ type }) => type === "Person").map(({ name }) => name);
    for (const name of ["Maud Pell", ODD]) assert.ok(names.includes(name), `${name}: ${names}`);
    const { relationships } = await owner.succeed("listRelationships", { params: { project_id } });
    const between = expected.relations.filter(
      ({ source, target, confidence }) =>
        confidence >= 0.5 && [source, target].includes(ODD) && [source, target].includes("Maud Pell"),
    );
    assert.ok(between.length > 0);
    for (const { type, source, target, confidence } of between) {
      const found = relationships.find(
        (one) => one.type === type && one.source.name === source && one.target.name === target,
      );
      assert.ok(Math.abs((found?.confidence ?? 0) - confidence) < 0.001, `${source} ${type} ${target}`);
      assert.equal(found?.evidence[0]?.text, TEXT);
    }
    const { extraction_model, models_device } = await readiness(owner);
    assert.deepEqual([extraction_model.state, models_device], ["ok", "cpu"]);
  });

  test("a project can have a local embedding model, reader, reranker and answerer at once", async () => {
    const limits = { KCS_RERANK_MS: "10000", KCS_ANSWER_MS: "10000" };
    const models = {
      ...{ KCS_EMBEDDING_PROVIDER: "local", KCS_EMBEDDING_MODEL: "bert" },
      ...{ KCS_RERANK_PROVIDER: "local", KCS_RERANK_MODEL: "bert-reranker" },
      ...{ KCS_ANSWER_PROVIDER: "local", KCS_ANSWER_MODEL: "bert-answers" },
    };
    const { owner } = await restart({ ...env, ...models, ...limits });
    const project_id = await createBoundProject(owner);
    const params = { project_id };
    const { config } = await owner.succeed("getProjectConfig", { params });
    assert.match(config.embedding_model, /^local\/bert@/);
    await ingestAll(owner, project_id, [
      { source_doc_id: "a", text: TEXT },
      { source_doc_id: "b", text: "The ferry to Skagen sails at noon." },
    ]);
    const { entities } = await owner.succeed("listEntities", { params });
    assert.ok(entities.some(({ name, type }) => name === ODD && type === "Person"));
    const body = { query: "Who lit the lamp?", include: ["explain"] };
    const { strategy_used, explain } = await owner.succeed("query", { params, body });
    assert.match(strategy_used, /_rerank_answer$/);
    assert.equal(explain?.rerank?.scores.length, 2);
    assert.ok(explain?.answer !== undefined);
    const ready = await readiness(owner);
    for (const { state } of [
      ...ready.embedding_models,
      ready.reranker,
      ready.answerer,
      ready.extraction_model,
    ])
      assert.equal(state, "ok");
    await restart(env);
  });

  test("a project that was created without a reader is read by the built-in engine alone", async () => {
    const { owner } = await restart({});
    const project_id = await createBoundProject(owner);
    assert.equal((await readiness(owner)).extraction_model, undefined);
    const again = (await restart(env)).owner;
    const { config } = await again.succeed("getProjectConfig", { params: { project_id } });
    assert.equal(config.extraction, "built_in");
    await ingestAll(again, project_id, [{ source_doc_id: "a", text: TEXT }]);
    const { entities } = await again.succeed("listEntities", { params: { project_id } });
    assert.ok(!entities.some(({ name }) => name === ODD));
  });

  test("a damaged model is named at the start and in the readiness, and its jobs wait until it is repaired", async () => {
    const project_id = await createBoundProject(use().owner);
    const weights = join(env.KCS_MODELS_DIR, "relex/onnx/relations.onnx");
    const intact = await readFile(weights);
    const sha256 = createHash("sha256").update(intact).digest("hex");
    const hashes = join(env.KCS_MODELS_DIR, "relex/kcs-model.json");
    const files = { "onnx/relations.onnx": { bytes: intact.length, sha256 } };
    await writeFile(hashes, JSON.stringify({ files }));
    const damaged = Buffer.from(intact);
    damaged.writeUInt8(damaged.readUInt8(500) ^ 1, 500);
    await writeFile(weights, damaged);

    const service = await restart(env);
    const {
      state,
      last_error,
      last_call_at: known,
    } = await waitFor("the readiness", async () => (await readiness(service.owner)).extraction_model ?? null);
    assert.equal(state, "failing");
    assert.match(last_error, /: relations\.onnx is damaged .*kcs-server models add relex/);
    assert.ok(service.logged.some(({ event }) => event === "local_model_unusable"));
    const job = await ingest(service.owner, project_id, { source_doc_id: "late", text: TEXT });
    await waitFor("the thread's report", async () => {
      const { last_call_at } = (await readiness(service.owner)).extraction_model;
      return last_call_at > known ? last_call_at : null;
    });
    const params = { project_id, job_id: job };
    assert.notEqual((await service.owner.succeed("getJob", { params })).status, "failed");

    await writeFile(weights, intact);
    const repaired = await restart(env);
    assert.equal((await waitForJob(repaired.owner, project_id, job)).status, "completed");
    await rm(hashes);
  });
});

describe("a start with a local reader", () => {
  const env = useModelsDir();

  test("a model that is missing, of another kind or too large ends it, and so does an odd threshold", async () => {
    const start = (over: Readonly<Record<string, string>>) =>
      withHome(sqlite, async (home) => {
        const service = await startTestService({ home, env: { ...env, ...over } });
        await service.stop();
      });
    await assert.rejects(
      start({ KCS_EXTRACTION_MODEL: "urchade/gliner_small-v2.1" }),
      /KCS_EXTRACTION_MODEL: There is no model urchade.* kcs-server models add urchade\/gliner_small/,
    );
    await assert.rejects(
      start({ KCS_EXTRACTION_MODEL: "bert" }),
      /bert is no model for this: it is for embedding/,
    );
    await assert.rejects(
      start({ KCS_MODELS_MEMORY_BYTES: "1000" }),
      /would need about 0\.\d MB \(relex 0\.\d MB in \d threads\), and 0\.0 MB/,
    );
    await assert.rejects(
      start({ KCS_EXTRACTION_THRESHOLD: "1.5" }),
      /KCS_EXTRACTION_THRESHOLD: got "1\.5", expected a number between 0 and 1/,
    );
    await rm(join(env.KCS_MODELS_DIR, "relex/onnx/relations.onnx"));
    await assert.rejects(start({}), /relations\.onnx is missing\. Export the model with scripts\/models/);
  });
});
