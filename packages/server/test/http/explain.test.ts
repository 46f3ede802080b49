import assert from "node:assert/strict";
import { test } from "node:test";
import { createProject, ingestAll, longText } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const MILL = { source_doc_id: "mill", text: "The mill at Vorrendal grinds rye. It was sold in May 1954." };
const LOG = { source_doc_id: "log", text: longText(300, "Pellinge") };
const COMPANY = {
  source_doc_id: "company",
  text: "Nordvik Robotics\n\nNordvik Robotics was founded in 1987 by Maria Gonzalez.",
};
const FOUNDER = {
  source_doc_id: "founder",
  text: "Maria Gonzalez\n\nMaria Gonzalez was born in Porto in 1951.",
};
const SHIPS = [
  {
    source_doc_id: "skarvik",
    text: "Skarvik\n\nSkarvik was launched in 1994 at Tylle. The captain of Skarvik is Dorota Kvist.",
  },
  {
    source_doc_id: "hohenfirn",
    text: "Hohenfirn\n\nHohenfirn was launched in May 1968. The captain of Hohenfirn is Anselm Pryce.",
  },
  { source_doc_id: "kvist", text: "Dorota Kvist\n\nDorota Kvist was born in Quenby on 3 March 1971." },
  { source_doc_id: "pryce", text: "Anselm Pryce\n\nAnselm Pryce was born in 1959." },
];

describeOnEach((setting) => {
  const use = useService(setting);

  async function ask(project_id: string, body: Record<string, unknown>) {
    return use().owner.succeed("query", { params: { project_id }, body });
  }

  test("an explanation is there only where it is asked for, and changes nothing else", async () => {
    const project = await createProject(use().owner);
    await ingestAll(use().owner, project, [MILL, LOG]);
    const body = { query: "What does the mill grind?", top_k: 3 };
    const plain = await ask(project, body);
    assert.ok(!("explain" in plain));
    const { explain, ...answer } = await ask(project, { ...body, include: ["explain"] });
    assert.deepEqual(answer, plain);
    assert.ok(explain);
  });

  test("it shows what each retriever found alone, both together, and what was behind", async () => {
    const project = await createProject(use().owner);
    await ingestAll(use().owner, project, [MILL, LOG]);
    const include = ["explain", "provenance"];
    const { results, explain } = await ask(project, { query: "Who grinds rye?", top_k: 3, include });
    assert.ok(explain);
    const { plan, candidates, fused, ranked, dropped, graph, timings_ms } = explain;
    assert.deepEqual([plan.strategy, plan.graph, plan.looks, graph], ["hybrid", "none", 1, null]);
    assert.ok(plan.terms.length >= 2);
    // No other chunk has any of the words.
    assert.deepEqual(
      candidates.lexical.map(({ source_doc_id }) => source_doc_id),
      ["mill"],
    );
    assert.ok(candidates.dense.length > 20);
    for (const list of [candidates.lexical, candidates.dense, fused]) {
      const scores = list.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }
    assert.deepEqual(
      ranked.filter(({ returned }) => returned).map(({ chunk_id, similarity }) => [chunk_id, similarity]),
      results.chunks.map(({ chunk_id, similarity }) => [chunk_id, similarity]),
    );
    assert.equal(ranked.length, 10);
    assert.equal(ranked.length + dropped.length, Math.min(100, fused.length));
    assert.equal(new Set([...ranked, ...dropped].map(({ chunk_id }) => chunk_id)).size, fused.length);
    assert.ok(dropped.every(({ reason }) => reason === "top_k"));
    assert.ok(timings_ms.total >= timings_ms.search + timings_ms.embed);
  });

  test("with a graph it shows the names of the question and the steps that led on from them", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Open" } });
    await ingestAll(owner, project_id, [COMPANY, FOUNDER, MILL]);
    const query = "Where was the founder of Nordvik Robotics born?";
    const { explain, results } = await ask(project_id, { query, include: ["explain", "provenance"] });
    assert.ok(explain?.graph);
    const { plan, graph } = explain;
    assert.equal(plan.strategy, "hybrid_graph");
    const [linked] = plan.entities;
    assert.equal(query.slice(linked?.start, linked?.end), "Nordvik Robotics");
    const documentOf = new Map(results.chunks.map((chunk) => [chunk.chunk_id, chunk.source_doc_id]));
    const steps = graph.paths.map(({ from_chunk_id, name, to_chunk_id }) =>
      [documentOf.get(from_chunk_id), name, documentOf.get(to_chunk_id)].join(" > "),
    );
    assert.ok(steps.includes("company > maria gonzalez > founder"), steps.join("; "));
    const dynamic = await ask(project_id, { query, mode: "dynamic", include: ["explain"] });
    assert.match(dynamic.strategy_used, /^dynamic_/);
    assert.deepEqual(dynamic.explain?.plan, plan);
  });

  test("what a document has too much of is told apart from what ranks too low", async () => {
    const project = await createProject(use().owner);
    await ingestAll(use().owner, project, [MILL, LOG]);
    const body = { query: "What does Pellinge repair?", top_k: 2, max_per_document: 1, include: ["explain"] };
    const { explain } = await ask(project, body);
    const returned = explain?.ranked.filter((chunk) => chunk.returned).map((chunk) => chunk.source_doc_id);
    assert.deepEqual(returned?.toSorted(), ["log", "mill"]);
    assert.deepEqual([...new Set(explain?.dropped.map(({ reason }) => reason))], ["max_per_document"]);
  });

  test("the steps of a dynamic answer lead from the question through a name in a passage to the next passage", async () => {
    const { owner } = use();
    for (const graph of [true, false]) {
      const body = { name: "Steps", vector_only: !graph };
      const { project_id } = await owner.succeed("createProject", { body });
      await ingestAll(owner, project_id, [COMPANY, FOUNDER, MILL]);
      const query = "Where was the founder of Nordvik Robotics born?";
      const asked = await ask(project_id, { query, mode: "dynamic", include: ["steps", "provenance"] });
      const documentOf = new Map(
        asked.results.chunks.map((chunk) => [chunk.chunk_id, chunk.source_doc_id] as const),
      );
      const step = asked.steps?.find(({ name }) => name === "Maria Gonzalez");
      const sentence = "Nordvik Robotics was founded in 1987 by Maria Gonzalez.";
      assert.deepEqual([step?.from?.source_doc_id, step?.from?.sentence], ["company", sentence]);
      assert.equal(COMPANY.text.slice(step?.from?.start, step?.from?.end), sentence);
      assert.equal(documentOf.get(step?.from?.chunk_id ?? ""), "company");
      assert.equal(documentOf.get(step?.chunk_ids[0] ?? ""), "founder");
      assert.ok(asked.steps?.[0]?.chunk_ids.includes(step?.from?.chunk_id ?? ""));
    }
  });

  test("what a question describes is read first; a comparison by time gets a verdict and both sentences", async () => {
    const { owner } = use();
    const project = await createProject(owner);
    await ingestAll(owner, project, [COMPANY, FOUNDER, MILL, ...SHIPS]);
    const nested = await ask(project, {
      query: "Where was the founder of Nordvik Robotics born?",
      mode: "dynamic",
      include: ["steps"],
    });
    assert.ok(nested.steps?.some(({ query }) => query === "Where was Maria Gonzalez born?"));
    assert.match(nested.results.summary, /^Maria Gonzalez was born in Porto in 1951\./);
    const verdict = async (query: string) =>
      (await ask(project, { query, mode: "dynamic" })).results.summary.split("\n");
    assert.deepEqual(await verdict("Which ferry was launched earlier, Skarvik or Hohenfirn?"), [
      "Going by these sentences, Hohenfirn was launched earlier: 1968 against 1994.",
      "Skarvik was launched in 1994 at Tylle.",
      "Hohenfirn was launched in May 1968.",
    ]);
    const [whose = ""] = await verdict(
      "Which ferry has the captain who was born later, Skarvik or Hohenfirn?",
    );
    assert.equal(
      whose,
      "Going by these sentences, Skarvik, whose captain Dorota Kvist was born later: 1971 against 1959.",
    );
  });

  test("a step takes no name from a document that the filter excludes", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Filtered" } });
    await ingestAll(owner, project_id, [COMPANY, FOUNDER, MILL]);
    const query = "Where was the founder of Nordvik Robotics born?";
    const filter = { source_doc_id: ["mill", "founder"] };
    const { steps } = await ask(project_id, { query, mode: "dynamic", include: ["steps"], filter });
    assert.ok(steps?.every(({ from }) => from?.source_doc_id !== "company"));
  });

  test("a project with nothing in it is explained too", async () => {
    const project = await createProject(use().owner);
    const { explain } = await ask(project, { query: "Anything?", include: ["explain"] });
    assert.deepEqual([explain?.ranked, explain?.fused, explain?.dropped], [[], [], []]);
  });
});
