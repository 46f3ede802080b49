import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll } from "../support/ingestion.ts";
import { describeOnBoth, useService, withHome, withService } from "../support/service.ts";

const DOCUMENTS = [
  { source_doc_id: "mill", text: "The mill at Vorrendal grinds rye." },
  { source_doc_id: "choir", text: "The choir of Pellinge sings on Thursdays." },
];
const QUESTION = { query: "What does the mill grind?" };

describeOnBoth((setting) => {
  const use = useService(setting, { KCS_TOKEN_LIMIT: "100000" });

  test("the numbers of a project tell what is in it", async () => {
    const { owner } = use();
    const { project_id } = await owner.succeed("createProject", { body: { name: "Open" } });
    const params = { project_id };
    const empty = await owner.succeed("getProjectStats", { params });
    assert.deepEqual([empty.documents, empty.chunks, empty.last_ingested_at], [0, 0, null]);
    const text = "Maria Gonzalez was born in Porto in 1951.";
    await ingestAll(owner, project_id, [...DOCUMENTS, { source_doc_id: "founder", text }]);
    const stats = await owner.succeed("getProjectStats", { params });
    const bytes = [...DOCUMENTS, { text }].reduce((sum, document) => sum + document.text.length, 0);
    assert.deepEqual(
      [stats.documents, stats.chunks, stats.bytes, stats.jobs],
      [3, 3, bytes, { pending: 0, running: 0, completed: 3, failed: 0 }],
    );
    assert.ok(stats.tokens > 20 && stats.segments >= 1 && stats.index_version >= 1);
    assert.ok(stats.entities_by_type.some(({ type, count }) => type === "Person" && count >= 1));
    assert.ok(stats.relationships_by_type.length >= 1);
  });

  test("a project's configuration is its own, beside what is in use", async () => {
    const { owner } = use();
    const created = await owner.succeed("createProject", { body: { name: "Any", vector_only: true } });
    const params = { project_id: created.project_id };
    const configuration = await owner.succeed("getProjectConfig", { params });
    assert.deepEqual(configuration.config, created.config);
    const { in_use } = configuration;
    assert.equal(in_use.embedding_model, created.config.embedding_model);
    assert.equal(in_use.max_text_bytes, 10 * 1024 * 1024);
    assert.equal(in_use.language_model, null);
  });

  test("usage counts tokens, documents, chunks and answered questions by day and project", async () => {
    const { stranger } = use();
    const before = await stranger.succeed("getUsage");
    const project_id = await createProject(stranger, "Counted");
    const params = { project_id };
    await ingestAll(stranger, project_id, DOCUMENTS);
    for (let at = 0; at < 3; at++) await stranger.succeed("query", { params, body: QUESTION });
    await stranger.endpoint("query", { params, body: { query: "" } });
    const { days, limits, from, to } = await stranger.succeed("getUsage");
    const own = days.filter((day) => day.project_id === project_id);
    const sum = (what: "tokens" | "documents" | "chunks" | "queries") =>
      own.reduce((total, day) => total + day[what], 0);
    assert.deepEqual([sum("documents"), sum("chunks"), sum("queries")], [2, 2, 3]);
    assert.equal(limits.tokens_used - before.limits.tokens_used, sum("tokens"));
    assert.equal(limits.tokens_left, 100_000 - limits.tokens_used);
    assert.deepEqual([limits.token_limit, limits.ingest_per_minute], [100_000, null]);
    assert.equal((Date.parse(to) - Date.parse(from)) / 86_400_000, 29);
    assert.ok(own.every(({ date }) => from <= date && date <= to));
    const others = await use().owner.succeed("getUsage");
    assert.ok(!others.days.some((day) => day.project_id === project_id));
  });

  test("a range of days is checked", async () => {
    const { owner } = use();
    const get = (query: Record<string, string>) => owner.endpoint("getUsage", { query });
    assertFault(await get({ from: "yesterday" }), 400, "from: expected a day in UTC such as 2031-04-09");
    assertFault(await get({ to: "2031-02-30" }), 400, /^to: expected a day/);
    assertFault(await get({ from: "2031-04-09", to: "2031-04-08" }), 400, /^from: is 2031-04-09, expected/);
    const tooEarly = await get({ from: "2030-01-01", to: "2031-04-08" });
    assertFault(tooEarly, 400, "from: is 2030-01-01, expected a range of at most 366 days up to 2031-04-08");
    const one = await owner.succeed("getUsage", { query: { from: "2031-04-09", to: "2031-04-09" } });
    assert.deepEqual([one.from, one.to, one.days], ["2031-04-09", "2031-04-09", []]);
    const first = await owner.succeed("getUsage", { query: { to: "0000-01-15" } });
    assert.equal(first.from, "0000-01-01", "no year is negative");
  });

  test("questions that were counted in memory are written down when the service stops", async () => {
    await withHome(setting, async (home) => {
      const project_id = await withService({ home }, async ({ owner }) => {
        const made = await createProject(owner);
        await ingestAll(owner, made, DOCUMENTS);
        await owner.succeed("query", { params: { project_id: made }, body: QUESTION });
        return made;
      });
      await withService({ home }, async ({ owner }) => {
        const { days } = await owner.succeed("getUsage");
        const queries = days.filter((day) => day.project_id === project_id).map((day) => day.queries);
        assert.equal(
          queries.reduce((sum, count) => sum + count, 0),
          1,
        );
      });
    });
  });
});
