import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll, longText } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const MISSING = "prj_00000000000000000000000000000000";
const TEXTS = [
  {
    source_doc_id: "mill",
    text: "# The mill\n\nThe mill at Vorrendal grinds rye. It was sold in May 1954 to a baker.",
  },
  {
    source_doc_id: "choir",
    text: "The choir of Pellinge sings on Thursdays. 🎵 Its hall burned down, and was rebuilt.",
  },
  { source_doc_id: "log", text: longText(300, "Pellinge") },
];

describeOnEach((setting) => {
  const use = useService(setting);
  let projectId = "";
  before(async () => {
    projectId = await createProject(use().owner);
    await ingestAll(use().owner, projectId, TEXTS);
  });
  const ask = (body: unknown) => use().owner.succeed("query", { params: { project_id: projectId }, body });
  const refuse = (body: unknown) =>
    use().owner.endpoint("query", { params: { project_id: projectId }, body });

  test("a question is answered with exactly the documented members, ten chunks at most", async () => {
    const answer = await ask({ query: "What does the mill grind?" });
    assert.equal(answer.query, "What does the mill grind?");
    assert.equal(answer.strategy_used, "hybrid");
    assert.deepEqual([answer.results.entities, answer.results.relationships], [[], []]);
    assert.equal(answer.results.chunks.length, 10);
    for (const chunk of answer.results.chunks) assert.deepEqual(Object.keys(chunk), ["text", "similarity"]);
    assert.match(answer.results.chunks[0]?.text ?? "", /grinds rye/);
    assert.match(answer.results.summary, /grinds rye/);
  });

  test("chunks are ordered by their similarity, which is between 0 and 1", async () => {
    const { results } = await ask({ query: "Which entry repairs old ledgers?", top_k: 100 });
    const similarities = results.chunks.map((chunk) => chunk.similarity);
    assert.deepEqual(
      similarities,
      similarities.toSorted((a, b) => b - a),
    );
    assert.ok(similarities.every((value) => value >= 0 && value <= 1));
    assert.ok(new Set(similarities).size > 10);
  });

  test("top_k says how many chunks come back; the first of many are the few", async () => {
    const query = "What does the choir sing?";
    const many = (await ask({ query, top_k: 100 })).results.chunks;
    for (const top_k of [1, 7, 10, 25]) {
      assert.deepEqual((await ask({ query, top_k })).results.chunks, many.slice(0, top_k));
    }
  });

  test("provenance names each chunk and where it stands in its document, in UTF-16 code units", async () => {
    const body = { query: "When was the mill sold?", top_k: 100, include: ["provenance"] };
    const { chunks } = (await ask(body)).results;
    const texts = new Map(TEXTS.map((document) => [document.source_doc_id, document.text]));
    for (const chunk of chunks) {
      const members = ["text", "similarity", "chunk_id", "source_doc_id", "start", "end"];
      assert.deepEqual(Object.keys(chunk), members);
      assert.equal(texts.get(chunk.source_doc_id ?? "")?.slice(chunk.start, chunk.end), chunk.text);
    }
    assert.equal(new Set(chunks.map((chunk) => chunk.chunk_id)).size, chunks.length);
    assert.ok(chunks.some((chunk) => chunk.text.includes("🎵")));
    const plain = (await ask({ ...body, include: [] })).results.chunks;
    assert.deepEqual(
      plain,
      chunks.map(({ text, similarity }) => ({ text, similarity })),
    );
  });

  test("max_per_document leaves the places behind the best chunks of a document to other documents", async () => {
    const body = { query: "Which tides of Pellinge does the archive measure?", include: ["provenance"] };
    for (const mode of ["static", "dynamic"]) {
      const many = (await ask({ ...body, mode, top_k: 5 })).results.chunks;
      assert.deepEqual([...new Set(many.map((chunk) => chunk.source_doc_id))], ["log"]);
      for (const max_per_document of [1, 2, 3]) {
        const { summary, chunks } = (await ask({ ...body, mode, top_k: 5, max_per_document })).results;
        const documents = chunks.map((chunk) => chunk.source_doc_id);
        assert.deepEqual(documents.toSorted(), ["choir", ...Array(max_per_document).fill("log"), "mill"]);
        const texts = chunks.map((chunk) => chunk.text.replace(/\s+/g, " ")).join(" ");
        const quoted = summary.replace(/^No passage that was found answers this\. What comes nearest:\n/, "");
        for (const sentence of quoted.replace(/\s+/g, " ").split(/(?<=[.!?]) /))
          assert.ok(texts.includes(sentence));
      }
      const filter = { source_doc_id: ["log", "mill"] };
      const filtered = (await ask({ ...body, mode, top_k: 5, max_per_document: 1, filter })).results.chunks;
      assert.deepEqual(filtered.map((chunk) => chunk.source_doc_id).toSorted(), ["log", "mill"]);
    }
    const all = (await ask({ ...body, top_k: 100 })).results.chunks;
    const { results: unlimited } = await ask({ ...body, top_k: 3 });
    assert.deepEqual((await ask({ ...body, top_k: 3, max_per_document: 4 })).results, unlimited);
    const spread = (await ask({ ...body, top_k: 100, max_per_document: 2 })).results.chunks;
    const first = all.filter((chunk) => chunk.source_doc_id === "log").slice(0, 2);
    assert.deepEqual(
      spread.filter((chunk) => chunk.source_doc_id === "log"),
      first,
    );
  });

  test("a dynamic summary by steps quotes only chunks that are returned", async () => {
    const id = await createProject(use().owner);
    const texts = {
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `note${at}`,
          `Note ${at}. The director of the film Harbour ${at} was born in a town. Where the director of Grey Sheds was born is asked often.`,
        ]),
      ),
      sheds: "Grey Sheds\n\nGrey Sheds is a film directed by Ida Vell. It was shown in Velden.",
      vell: "Ida Vell\n\nIda Vell was born in Orrin in 1921. She married Tove Lank in 1950.",
      lank: "Tove Lank\n\nTove Lank was a painter who was born in Kestrel Bay in 1919. Tove Lank died in 1990.",
      visit: "Visitors of Grey Sheds. Where was the director born? Grey Sheds is loved in Orrin.",
    };
    const documents = Object.entries(texts).map(([source_doc_id, text]) => ({ source_doc_id, text }));
    await ingestAll(use().owner, id, documents);
    const summaries = new Set<string>();
    for (const query of [
      "Where was the director of Grey Sheds born?",
      "Where was the spouse of the director of Grey Sheds born?",
    ])
      for (const top_k of [2, 3, 5, 10]) {
        const body = { query, mode: "dynamic", top_k, max_per_document: 1 };
        const { results } = await use().owner.succeed("query", { params: { project_id: id }, body });
        const returned = results.chunks.map((chunk) => chunk.text.replace(/\s+/g, " ")).join(" ");
        const said = results.summary.replace(/^No passage that was found.*\n/, "");
        for (const sentence of said.split(/\n|(?<=[.!?]) /)) assert.ok(returned.includes(sentence), sentence);
        summaries.add(results.summary);
      }
    assert.ok([...summaries].some((summary) => summary.includes("Ida Vell was born in Orrin")));
  });

  test("the steps of an answer are there only where they are asked for, and change nothing else", async () => {
    for (const mode of ["static", "dynamic"]) {
      const body = { query: "Who bought the mill at Vorrendal?", mode, top_k: 3 };
      const plain = await ask({ ...body, include: ["provenance"] });
      assert.ok(!("steps" in plain));
      const { steps, ...answer } = await ask({ ...body, include: ["provenance", "steps"] });
      assert.deepEqual(answer, plain);
      const [first, ...further] = steps ?? [];
      assert.deepEqual([first?.query, first?.name, first?.from], [body.query, null, null]);
      const returned = answer.results.chunks.map((chunk) => chunk.chunk_id);
      if (mode === "static") assert.deepEqual([first?.chunk_ids, further], [returned, []]);
      else assert.ok(returned.every((id) => steps?.some((step) => step.chunk_ids.includes(id ?? ""))));
    }
  });

  test("the mode is static unless it is said to be dynamic; null members are absent ones", async () => {
    const query = "Who bought the mill?";
    const plain = await ask({ query });
    assert.deepEqual(await ask({ query, mode: "static" }), plain);
    const absent = { mode: null, top_k: null, max_per_document: null, include: null };
    assert.deepEqual(await ask({ query, ...absent }), plain);
    assert.equal((await ask({ query, mode: "dynamic" })).query, query);
  });

  test("the same question is answered with the same bytes", async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => refuse({ query: "Which tides does the archive measure?" })),
    );
    for (const other of others) assert.equal(other.text, first?.text);
  });

  test("faults of a question are named", async () => {
    const cases: readonly [unknown, RegExp][] = [
      [undefined, /^body: missing, expected a JSON object/],
      [[], /^body: got an array, expected a JSON object/],
      [{}, /^query: missing, expected/],
      [{ query: null }, /^query: got null/],
      [{ query: "" }, /^query: is blank/],
      [{ query: "\u2003\t\n" }, /^query: is blank/],
      [{ query: 5 }, /^query: got a number/],
      [{ query: "a", mode: "fast" }, /^mode: .*expected "static" or "dynamic"/],
      [{ query: "a", top_k: 0 }, /^top_k: got 0, expected an integer from 1 to 100/],
      [{ query: "a", top_k: 101 }, /^top_k: got 101/],
      [{ query: "a", top_k: 1.5 }, /^top_k: got the number 1.5/],
      [{ query: "a", top_k: "5" }, /^top_k: got a string/],
      [{ query: "a", max_per_document: 0 }, /^max_per_document: got 0, expected an integer from 1 to 100/],
      [{ query: "a", max_per_document: 1.5 }, /^max_per_document: got the number 1.5, expected an integer/],
      [{ query: "a", max_per_document: "2" }, /^max_per_document: got a string/],
      [{ query: "a", max_per_document: 101, top_k: 100 }, /^max_per_document: got 101, expected an integer/],
      [{ query: "a", include: "provenance" }, /^include: got a string/],
      [{ query: "a", include: ["everything"] }, /^include\[0\]: .*expected "provenance"/],
      [{ query: "a", mode: 1, top_k: -1 }, /^mode: .+; top_k: /],
    ];
    for (const [body, detail] of cases) assertFault(await refuse(body), 400, detail);
  });

  test("a question of more than 64 KiB is too large", async () => {
    assertFault(await refuse({ query: "é".repeat(32 * 1024 + 1) }), 413, /^query: has 65538 bytes/);
    await ask({ query: "é ".repeat(20 * 1024) });
  });

  test("a project with nothing in it says so", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const answer = await owner.succeed("query", { params, body: { query: "Anything?" } });
    assert.deepEqual(answer.results.chunks, []);
    assert.match(answer.results.summary, /nothing has been ingested/i);
  });

  test("a project that does not exist is not found, another account's is forbidden", async () => {
    const { owner, stranger } = use();
    const body = { query: "Anything?" };
    const missing = await owner.endpoint("query", { params: { project_id: MISSING }, body });
    assertFault(missing, 404, `Project ${MISSING} not found`);
    const forbidden = await stranger.endpoint("query", { params: { project_id: projectId }, body });
    assertFault(forbidden, 403, "You don't have access to this project");
  });
});
