/** Summaries that begin with what a model of this process finds; `test/models/fixtures` has the tiny models. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openLocalAnswerFinder } from "../../src/adapters/models/local/answer-finder.ts";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import type { FoundAnswers } from "../../src/ports/answer-finder.ts";
import type { Client } from "../support/http-client.ts";
import { createProject, ingestAll, waitFor } from "../support/ingestion.ts";
import { describeOnBoth, sqlite, startTestService, useRestarts, withHome } from "../support/service.ts";

const FIXTURES = fileURLToPath(new URL("../models/fixtures", import.meta.url));
const DENIED = "No passage that was found answers this.";
const DOCUMENTS = [
  { source_doc_id: "lamp", text: "Tove Lind lit the lamp of Varde at dusk." },
  { source_doc_id: "ferry", text: "The ferry to Skagen sails at noon 🛳 from the old pier." },
  { source_doc_id: "copper", text: "Copper prices fell for the third week." },
];
const QUESTIONS = [
  "Who lit the lamp?",
  "When does the ferry sail?",
  "What fell?",
  "copper",
  "Skagen at noon",
];

/** A models folder of its own for the surrounding `describe`. */
function useAnswers() {
  const env = {
    ...{ KCS_ANSWER_PROVIDER: "local", KCS_ANSWER_MODEL: "bert-answers", KCS_ANSWER_MS: "10000" },
    KCS_MODELS_DIR: "",
  };
  before(async () => {
    env.KCS_MODELS_DIR = await mkdtemp(join(tmpdir(), "kcs-answers-"));
    await cp(FIXTURES, env.KCS_MODELS_DIR, { recursive: true });
  });
  after(() => rm(env.KCS_MODELS_DIR, { recursive: true, force: true }));
  return env;
}

/** What the model says of each document, without the service. */
async function readAll(questions: readonly string[], documents: typeof DOCUMENTS) {
  const finder = await openLocalAnswerFinder(
    await identifyModel(await describeModel(FIXTURES, "bert-answers")),
  );
  const readings: { readonly question: string; readonly found: ReadonlyMap<string, FoundAnswers> }[] = [];
  for (const question of questions) {
    const found = new Map<string, FoundAnswers>();
    for (const { source_doc_id, text } of documents)
      found.set(source_doc_id, await finder.find(question, text));
    readings.push({ question, found });
  }
  await finder.close();
  return readings;
}

type Reading = Awaited<ReturnType<typeof readAll>>[number];

const scoreOf = ({ spans, noAnswerScore }: FoundAnswers) => {
  const score = spans[0]?.score ?? 0;
  return score > noAnswerScore ? score : 0;
};
/** The document that answers best; null when none does. */
function bestOf({ found }: Reading): string | null {
  const [best] = [...found].toSorted(([, one], [, other]) => scoreOf(other) - scoreOf(one));
  return best === undefined || scoreOf(best[1]) === 0 ? null : best[0];
}

const ask = (owner: Client, project_id: string, over: Readonly<Record<string, unknown>>) =>
  owner.succeed("query", {
    params: { project_id },
    body: { query: "", include: ["explain", "provenance"], ...over },
  });

const readiness = async (owner: Client) => JSON.parse((await owner.root("GET", "/ready")).text);

describeOnBoth((setting) => {
  const env = useAnswers();
  const { use, restart } = useRestarts(setting, {});

  test("a summary begins with the sentence that a local model finds, and says where it is; a damaged model is named", async () => {
    const first = use().owner;
    const project = await createProject(first);
    await ingestAll(first, project, DOCUMENTS);
    const plain = new Map<string, Awaited<ReturnType<typeof ask>>>();
    for (const query of QUESTIONS) plain.set(query, await ask(first, project, { query }));
    const readings = await readAll(QUESTIONS, DOCUMENTS);
    // A question whose answer the model finds in another place than the built-in summary.
    const reading = readings.find((each) => {
      const text = DOCUMENTS.find(({ source_doc_id }) => source_doc_id === bestOf(each))?.text;
      return text !== undefined && plain.get(each.question)?.results.summary.startsWith(text) === false;
    });
    assert.ok(reading);
    const { question: query, found } = reading;
    const best = DOCUMENTS.find(({ source_doc_id }) => source_doc_id === bestOf(reading));
    assert.ok(best);
    assert.equal(plain.get(query)?.strategy_used, "hybrid");
    assert.equal(plain.get(query)?.explain?.answer, undefined);

    const { owner } = await restart(env);
    const answer = await ask(owner, project, { query });
    assert.equal(answer.strategy_used, "hybrid_answer");
    assert.equal(answer.explain?.plan.strategy, "hybrid_answer");
    assert.ok(answer.results.summary.startsWith(best.text), answer.results.summary);
    const idsOf = (answered: typeof answer | undefined) =>
      answered?.results.chunks.map(({ chunk_id }) => chunk_id);
    assert.deepEqual(idsOf(answer), idsOf(plain.get(query)));
    const explained = answer.explain?.answer;
    assert.equal(explained?.limit_ms, 10_000);
    assert.match(explained.model, /^local\/bert-answers@[0-9a-f]{8}$/);
    assert.deepEqual(
      explained.passages.map(({ source_doc_id, span, no_answer_score, chosen }) => ({
        ...{ source_doc_id, no_answer_score, chosen, start: span?.start, end: span?.end, score: span?.score },
      })),
      answer.results.chunks.map(({ source_doc_id = "" }) => {
        const { spans, noAnswerScore } = found.get(source_doc_id) ?? { spans: [], noAnswerScore: 1 };
        return {
          ...{ source_doc_id, no_answer_score: noAnswerScore, chosen: source_doc_id === best.source_doc_id },
          ...spans[0],
        };
      }),
    );
    const span = explained.passages.find(({ chosen }) => chosen)?.span;
    assert.equal(best.text.slice(span?.start, span?.end), span?.text);
    assert.equal((await readiness(owner)).answerer.state, "ok");

    const dynamic = await ask(owner, project, { query, mode: "dynamic" });
    assert.match(dynamic.strategy_used, /^dynamic_builtin_/);
    assert.ok(dynamic.results.summary.startsWith(best.text), dynamic.results.summary);

    const reranked = {
      ...env,
      KCS_RERANK_PROVIDER: "local",
      KCS_RERANK_MODEL: "bert-reranker",
      KCS_RERANK_MS: "10000",
    };
    const both = await ask((await restart(reranked)).owner, project, { query });
    assert.equal(both.strategy_used, "hybrid_rerank_answer");
    assert.ok(both.results.summary.startsWith(best.text), both.results.summary);

    const weights = join(env.KCS_MODELS_DIR, "bert-answers/onnx/model.onnx");
    const intact = await readFile(weights);
    await writeFile(weights, intact.subarray(0, 1_000));
    const damaged = await restart(env);
    const status = await waitFor("the fault in the readiness", async () => {
      const { answerer } = await readiness(damaged.owner);
      return answerer?.state === "failing" ? answerer : null;
    });
    assert.match(status.last_error, /^The model \S+ cannot be used: model\.onnx cannot be loaded/);
    const refused = await damaged.owner.endpoint("query", {
      params: { project_id: project },
      body: { query },
    });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /model\.onnx cannot be loaded/);
    await writeFile(weights, intact);
  });

  test("a summary says so where the model finds no answer in any passage", async () => {
    const [, document] = DOCUMENTS;
    assert.ok(document);
    // Each has a word that the text does not have: what a text covers is not denied.
    const near = ["sail", "wait", "turn", "stay", "moor"].flatMap((verb) => [
      `When does the ferry to Skagen ${verb} on Sunday?`,
      `At which pier does the ferry to Skagen ${verb} for captains?`,
      `Does the ferry from the old pier ${verb} before Christmas?`,
    ]);
    const readings = await readAll([...near, ...QUESTIONS], [document]);
    const answered = readings.find((reading) => bestOf(reading) !== null);
    const first = (await restart({})).owner;
    const project = await createProject(first);
    await ingestAll(first, project, [document]);
    let denied: Reading | null = null;
    for (const reading of readings.slice(0, near.length)) {
      const { results } = await ask(first, project, { query: reading.question });
      if (bestOf(reading) === null && results.summary === document.text) denied ??= reading;
    }
    assert.ok(denied && answered);

    const { owner } = await restart(env);
    const { results, explain } = await ask(owner, project, { query: denied.question });
    assert.equal(results.summary, `${DENIED} What comes nearest:\n${document.text}`);
    assert.deepEqual(
      explain?.answer?.passages.map(({ chosen }) => chosen),
      [false],
    );
    const other = await ask(owner, project, { query: answered.question });
    assert.ok(other.results.summary.startsWith(document.text), other.results.summary);
    // Without a passage there is nothing to read.
    const empty = await ask(owner, await createProject(owner), { query: denied.question });
    assert.equal(empty.strategy_used, "hybrid");
  });
});

describe("a start with a model for answers", () => {
  const env = useAnswers();

  test("one that is missing, of another kind or too large ends it with what to do", async () => {
    const start = (over: Readonly<Record<string, string>>) =>
      withHome(sqlite, async (home) => {
        const service = await startTestService({ home, env: { ...env, ...over } });
        await service.stop();
      });
    await assert.rejects(
      start({ KCS_ANSWER_MODEL: "deepset/tinyroberta-squad2" }),
      /KCS_ANSWER_MODEL: There is no model deepset.* kcs-server models add deepset\/tinyroberta/,
    );
    await assert.rejects(
      start({ KCS_ANSWER_MODEL: "bert-reranker" }),
      /KCS_ANSWER_MODEL: bert-reranker is no model for this: it is for rerank/,
    );
    await assert.rejects(
      start({ KCS_RERANK_PROVIDER: "local", KCS_RERANK_MODEL: "bert-answers" }),
      /KCS_RERANK_MODEL: bert-answers is no model for this: it is for answer/,
    );
    await assert.rejects(
      start({ KCS_MODELS_MEMORY_BYTES: "1000" }),
      /would need about \d\.\d MB \(bert-answers \d\.\d MB in \d threads\), and 0\.0 MB/,
    );
  });
});
