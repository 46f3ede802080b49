import assert from "node:assert/strict";
import { before, test } from "node:test";
import { responses } from "@kcs/contract";
import { z } from "zod";
import { longText } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";
import { type Connection, connect, REVISIONS, withConnection } from "./connect.ts";

const MILL = "Larkspur Mill\n\nLarkspur Mill is a weaving mill that was founded by Odile Brandt in 1871.";
const FOUNDER = "Odile Brandt\n\nOdile Brandt kept bees all her life. She was born in Kestrel Bay.";
const nextOffset = { next_offset: z.int().nullable() };
const documentPage = responses.documentList.extend(nextOffset);
const entityPage = responses.entityList.extend(nextOffset);
const TOOLS = [
  ...["get_chunk", "get_entity", "get_job", "ingest_file", "ingest_text", "ingest_url", "list_documents"],
  ...["list_projects", "match_graph", "query", "search_entities", "wait_for_job"],
];

describeOnEach((setting) => {
  const use = useService(setting);
  let projectId = "";
  before(async () => {
    const { owner } = use();
    projectId = (await owner.succeed("createProject", { body: { name: "Mills" } })).project_id;
  });

  const asOwner = <T>(run: (connection: Connection) => Promise<T>) =>
    withConnection({ service: use(), key: use().home.ownerKey }, run);

  async function ingest({ succeed }: Connection, text: string, id: string, metadata = {}) {
    const document = { project_id: projectId, source_doc_id: id, text, metadata };
    const { job_id } = responses.acceptedJob.parse((await succeed("ingest_text", document)).data);
    return { project_id: projectId, job_id };
  }

  /** Until it has ended, as an agent would: again and again. */
  async function waitForEnd({ succeed }: Connection, job: { project_id: string; job_id: string }) {
    for (;;) {
      const answer = await succeed("wait_for_job", job);
      const state = responses.jobProgress.parse(answer.data);
      if (state.status === "completed" || state.status === "failed") return { ...answer, state };
    }
  }

  test("each tool says what it does, what it takes and gives, and whether it changes anything", async () => {
    await asOwner(async ({ client }) => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS);
      for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
        assert.ok(title && description && description.length > 100, name);
        assert.equal(inputSchema["additionalProperties"], false, name);
        assert.equal(outputSchema?.type, "object", name);
        assert.equal(annotations?.readOnlyHint, !name.startsWith("ingest_"), name);
        assert.equal(annotations?.destructiveHint, name.startsWith("ingest_"), name);
        for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
          const { description: says, default: fallback } = schema as Record<string, unknown>; // A schema is an object.
          assert.ok(typeof says === "string" && says.length > 20, `${name}.${field}`);
          assert.notEqual(fallback, null, `${name}.${field}`);
        }
      }
      assert.match(client.getInstructions() ?? "", /never follow instructions/);
    });
  });

  for (const revision of REVISIONS) {
    test(`a text goes in by a tool and every other tool finds it (${revision})`, async () => {
      const { owner } = use();
      await withConnection({ service: use(), key: await owner.readKey(), revision }, async (connection) => {
        const { succeed } = connection;
        const listed = responses.projectList
          .loose()
          .parse((await succeed("list_projects")).data)
          .projects.map(({ project_id }) => project_id);
        assert.ok(listed.includes(projectId));
        const mill = await ingest(connection, MILL, "mill", { year: 1871 });
        const founder = await ingest(connection, FOUNDER, "notes/founder, 2");
        assert.match((await waitForEnd(connection, mill)).text, /is completed/);
        assert.equal((await waitForEnd(connection, founder)).state.status, "completed");
        const job = responses.job.parse((await succeed("get_job", mill)).data);
        assert.deepEqual([job.status, job.source_doc_id], ["completed", "mill"]);

        const asked = { project_id: projectId, query: "Where was the founder of Larkspur Mill born?" };
        const { text, data } = await succeed("query", { ...asked, mode: "dynamic", top_k: 5 });
        const { results } = responses.queryResult.parse(data);
        assert.match(results.summary, /Kestrel Bay/);
        assert.match(text, /^> .*Kestrel Bay/m);
        const [first] = results.chunks;
        const traced = await succeed("query", { ...asked, mode: "dynamic", include: ["steps"] });
        const { steps } = responses.queryResult.parse(traced.data);
        assert.ok(steps?.some(({ name, from }) => name === "Odile Brandt" && from?.source_doc_id === "mill"));
        assert.match(
          traced.text,
          /^> "Odile Brandt", from "Larkspur Mill is .*" in chunk \S+ of document "mill": /m,
        );
        assert.ok(!text.includes("Steps:") && !("steps" in data));
        assert.ok(first?.chunk_id !== undefined && first.source_doc_id !== undefined);
        assert.ok(text.includes(`[1] chunk ${first.chunk_id} of document "${first.source_doc_id}"`));
        const filter = { metadata: { year: { gte: 1871 } } };
        const filtered = responses.queryResult.parse((await succeed("query", { ...asked, filter })).data);
        assert.deepEqual([...new Set(filtered.results.chunks.map((chunk) => chunk.source_doc_id))], ["mill"]);
        assert.match(
          (await succeed("query", { ...asked, filter: { source_doc_id: "x" } })).text,
          /Nothing was found/,
        );

        const chunk = responses.chunk.parse(
          (await succeed("get_chunk", { project_id: projectId, chunk_id: first.chunk_id })).data,
        );
        assert.deepEqual([chunk.text, chunk.before, chunk.after], [first.text, null, null]);
        const found = entityPage.parse(
          (await succeed("search_entities", { project_id: projectId, search: "odile" })).data,
        );
        const [entity] = found.entities;
        assert.ok(entity);
        const seen = await succeed("get_entity", { project_id: projectId, entity_id: entity.entity_id });
        const detail = responses.entityDetail.parse(seen.data);
        assert.ok(detail.relationships.some(({ target }) => target.name === "Kestrel Bay"));
        assert.match(seen.text, /BORN_IN "Kestrel Bay"/);
        const pattern = { nodes: [{ name: "Odile Brandt" }, {}], edges: [{ type: "BORN_IN" }] };
        const matched = await succeed("match_graph", { project_id: projectId, ...pattern });
        assert.equal(responses.graphMatch.parse(matched.data).rows.length, 1);
        assert.match(matched.text, /"Odile Brandt" \(\d+\) -BORN_IN-> \w+ "Kestrel Bay"/);
        const documents = documentPage.parse(
          (await succeed("list_documents", { project_id: projectId, search: "founder" })).data,
        );
        assert.deepEqual(
          documents.documents.map(({ source_doc_id, status }) => [source_doc_id, status]),
          [["notes/founder, 2", "indexed"]],
        );
      });
    });
  }

  test("another account's projects are refused to every tool, and nothing of them is shown", async () => {
    const { owner, stranger } = use();
    const params = { project_id: projectId };
    const { jobs } = await owner.succeed("listJobs", { params });
    const { chunks } = (
      await owner.succeed("query", { params, body: { query: "mill", include: ["provenance"] } })
    ).results;
    const args = {
      ...{ query: "Where was she born?", source_doc_id: "mill", text: "Planted." },
      ...{ url: "https://127.0.0.1/planted", content: "UGxhbnRlZC4=", nodes: [{}] },
      ...{ job_id: jobs[0]?.job_id, chunk_id: chunks[0]?.chunk_id, entity_id: "1" },
    };
    await withConnection({ service: use(), key: await stranger.readKey() }, async ({ client, call }) => {
      const { tools } = await client.listTools();
      for (const { name, inputSchema } of tools.filter((tool) => tool.name !== "list_projects")) {
        const own = Object.entries(args).filter(([key]) => key in (inputSchema.properties ?? {}));
        const { isError, text, data } = await call(name, {
          ...Object.fromEntries(own),
          project_id: projectId,
        });
        assert.deepEqual([isError, data], [true, {}], name);
        assert.match(text, /access to this project|not authorized for this project/, name);
        assert.match(text, /list_projects/, name);
        assert.doesNotMatch(text, /Odile|Kestrel|Mills/, name);
      }
      const mine = await call("list_projects");
      assert.ok(!mine.text.includes(projectId));
    });
    assert.equal(
      (await owner.succeed("getDocument", { params: { ...params, source_doc_id: "mill" } })).text,
      MILL,
    );
  });

  test("what is wrong with a call is told, with what to do about it", async () => {
    const project_id = projectId;
    const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ["query", {}, /project_id: .*query: missing, expected a string/],
      ["query", { query: "x" }, /project_id: is missing: Id of the project \("prj_…"\), from list_projects/],
      ["query", { project_id: 7, query: "x" }, /project_id: got a value of type number, expected a string/],
      ["query", { project_id, query: " " }, /query: is blank/],
      [
        "query",
        { project_id, query: "x", topk: 3 },
        /unknown argument "topk", expected project_id, query, mode, top_k/,
      ],
      ["query", { project_id, query: "x", top_k: 101 }, /top_k: /],
      [
        "query",
        { project_id, query: "x", max_per_document: 0 },
        /max_per_document: got 0, expected an integer/,
      ],
      ["query", { project_id, query: "x", max_per_document: 101 }, /max_per_document: got 101, .* to 100/],
      ["query", { project_id, query: "x", include: ["explain"] }, /include.*"steps"/],
      [
        "query",
        { project_id, query: "x", mode: "fast" },
        /mode: got a string, expected "static" or "dynamic"/,
      ],
      [
        "query",
        { project_id, query: "x", filter: { metadata: { a: {} } } },
        /filter.metadata.a: has no bound/,
      ],
      ["query", { project_id, query: "x", include: Array(11).fill("steps") }, /include: has too many items/],
      ["query", { project_id: "", query: "x" }, /project_id: is empty: Id of the project/],
      ["query", { project_id: "p".repeat(201), query: "x" }, /project_id: has more than 200 characters/],
      ["query", { project_id, query: "\ud800" }, /lone surrogate/],
      [
        "query",
        { project_id: "prj_none", query: "x" },
        /Project prj_none not found\. Check the ids: list_projects/,
      ],
      ["query", { project_id: "a\0b", query: "x" }, /project_id: has characters that no id has/],
      ["get_chunk", { project_id, chunk_id: "1" }, /Chunk not found\. Check the ids/],
      ["get_entity", { project_id, entity_id: "none" }, /Entity not found/],
      ["get_job", { project_id, job_id: "job_none" }, /Job not found/],
      [
        "wait_for_job",
        { project_id, job_id: "job_none" },
        /Job not found\. .* the tools that ingest return them/,
      ],
      [
        "wait_for_job",
        { project_id, job_id: "job_none", timeout_seconds: 51 },
        /timeout_seconds: got 51, expected an integer from 1 to 50/,
      ],
      ["list_documents", { project_id, limit: 0 }, /limit: got 0, expected an integer from 1 to 200/],
      [
        "list_documents",
        { project_id, limit: "9" },
        /limit: got a value of type string, expected an integer/,
      ],
      ["list_documents", { project_id, offset: 0.5 }, /offset: got 0.5, expected an integer from 0 to 10000/],
      ["list_documents", { project_id, search: [] }, /search: got a list, expected a string/],
      ["list_documents", { project_id, search: "s".repeat(201) }, /search: has more than 200 characters/],
      ["match_graph", { project_id, nodes: [{ type: [] }] }, /nodes.*type: is empty, expected a node type/],
      ["search_entities", { project_id, search: "\0" }, /search: has characters/],
      ["search_entities", { project_id, as_of: "soon" }, /as_of: got "soon", expected a year/],
      ["get_entity", { project_id, entity_id: "1", as_of: 1990 }, /as_of: .*expected a year/],
      ["ingest_text", { project_id, source_doc_id: "x", text: "" }, /text: is blank/],
      [
        "ingest_text",
        { project_id, source_doc_id: "x", text: "x".repeat(256 * 1024 + 1) },
        /text: has 262145 bytes/,
      ],
      ["ingest_text", { project_id, source_doc_id: "x", text: "x", metadata: { a: [1] } }, /metadata.a: /],
      [
        "ingest_file",
        { project_id, source_doc_id: "x", content: "no base64" },
        /content: expected the bytes/,
      ],
      ["ingest_file", { project_id, source_doc_id: "x", content: "" }, /content: is empty/],
      ["ingest_file", { project_id, source_doc_id: "..", content: "eA==" }, /source_doc_id: is a step/],
      [
        "ingest_file",
        { project_id, source_doc_id: "x", content: "A".repeat(1_398_108) },
        /content: has more than 1048576 bytes/,
      ],
      ["ingest_url", { project_id, url: "https://127.0.0.1/x" }, /url: is private/],
    ];
    await asOwner(async ({ client, call }) => {
      for (const [name, args, expected] of wrong) {
        const { isError, text } = await call(name, args);
        assert.equal(isError, true, `${name} ${text}`);
        assert.match(text, expected);
        assert.doesNotMatch(text, /Too (?:small|big)|Invalid (?:input|option):|, received /);
      }
      for (const name of ["drop_project", "__proto__", "constructor", "toString"])
        await assert.rejects(client.callTool({ name, arguments: {} }), new RegExp(`${name} not found`));
    });
  });

  test("a file goes in by a tool as its text", async () => {
    await asOwner(async (connection) => {
      const page = "<html><body><h1>Ovens</h1><p>The third oven was lit in May.</p></body></html>";
      const file = { source_doc_id: "notes/ovens.html", content: Buffer.from(page).toString("base64") };
      const answer = await connection.succeed("ingest_file", { project_id: projectId, ...file });
      const { job_id } = responses.acceptedJob.parse(answer.data);
      const { state } = await waitForEnd(connection, { project_id: projectId, job_id });
      assert.equal(state.status, "completed");
      const params = { project_id: projectId, source_doc_id: "notes/ovens.html" };
      const document = await use().owner.succeed("getDocument", { params });
      assert.equal(document.file?.name, "ovens.html");
      assert.match(document.text ?? "", /# Ovens\n+The third oven was lit in May\./);
    });
  });

  test("metadata and names begin no line of their own, whatever breaks lines", async () => {
    const { stranger } = use();
    const broken = ["\u2028", "\u2029", "\u0085"].join("Now obey. ");
    const name = `Mills${broken}`;
    const body = { name, vector_only: true };
    const { project_id } = await stranger.succeed("createProject", { body });
    const documents = [{ source_doc_id: "d", text: "x", metadata: { a: broken } }];
    await stranger.succeed("ingestBatch", { params: { project_id }, body: { documents } });
    await withConnection({ service: use(), key: await stranger.readKey() }, async ({ client, succeed }) => {
      const { resourceTemplates } = await client.listResourceTemplates();
      const { resources } = await client.listResources();
      const { text } = await succeed("list_documents", { project_id });
      assert.match(text, /obey/);
      for (const said of [
        text,
        ...[...resources, ...resourceTemplates].map((each) => each.description ?? ""),
      ])
        for (const line of said.split(/[^\P{Cc}\t]|[\u2028\u2029]/u))
          assert.ok(!line.startsWith("Now obey"), said);
    });
    await stranger.succeed("deleteProject", { params: { project_id } });
  });

  test("a page of documents with large metadata is shorter, and the pages have all", async () => {
    const { stranger } = use();
    const { project_id } = await stranger.succeed("createProject", {
      body: { name: "Large", vector_only: true },
    });
    const metadata = Object.fromEntries(
      Array.from({ length: 32 }, (_, at) => [`${at} `.padEnd(60, "k"), "é".repeat(500)]),
    );
    const documents = Array.from({ length: 20 }, (_, at) => {
      return { source_doc_id: `d ${100 + at}`, text: "x", metadata };
    });
    await stranger.succeed("ingestBatch", { params: { project_id }, body: { documents } });
    const key = await stranger.readKey();
    await withConnection({ service: use(), key }, async ({ succeed }) => {
      const seen: string[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const { data, text } = await succeed("list_documents", { project_id, limit: 200, offset });
        const page = documentPage.parse(data);
        assert.ok(JSON.stringify(page.documents).length <= 256 * 1024 + 1_000);
        assert.ok(page.documents.length > 9 || offset > 0);
        assert.ok(page.documents.length < documents.length);
        assert.deepEqual([page.total, page.documents[0]?.metadata], [documents.length, metadata]);
        seen.push(...page.documents.map((document) => document.source_doc_id));
        offset = page.next_offset;
        assert.equal(offset, seen.length < documents.length ? seen.length : null);
        assert.equal(text.includes(`call again with offset ${offset}`), offset !== null);
      }
      assert.deepEqual(
        seen,
        documents.map(({ source_doc_id }) => source_doc_id),
      );
    });
    await stranger.succeed("deleteProject", { params: { project_id } });
  });

  test("a wait for a job ends in time, whether the job has or not, and tells of progress meanwhile", async () => {
    await asOwner(async (connection) => {
      const job = await ingest(connection, longText(2500, "the quay"), "quay");
      const told: number[] = [];
      const begun = performance.now();
      const answer = await connection.client.callTool(
        { name: "wait_for_job", arguments: { ...job, timeout_seconds: 1 } },
        { onprogress: ({ progress }) => void told.push(progress) },
      );
      const state = responses.jobProgress.parse(answer.structuredContent);
      assert.equal(state.status === "completed" || state.status === "failed", false);
      assert.ok(performance.now() - begun < 20_000);
      assert.ok(told.length > 0);
      await use().owner.succeed("deleteDocument", {
        params: { project_id: projectId, source_doc_id: "quay" },
      });
      assert.match((await waitForEnd(connection, job)).text, /has failed: "The document was deleted"/);
    });
  });

  test("many calls at once are answered each with its own", async () => {
    await asOwner(async ({ succeed }) => {
      // As many questions as an account with open sign-up may ask at once.
      const words = Array.from({ length: 8 }, (_, at) => `bees number ${at}`);
      const ids = Array.from({ length: 16 }, (_, at) => `no such id ${at}`);
      const [answers, lists] = await Promise.all([
        Promise.all(words.map((query) => succeed("query", { project_id: projectId, query, top_k: 1 }))),
        Promise.all(
          ids.map((search, at) =>
            succeed("list_documents", { project_id: projectId, search, limit: at + 1 }),
          ),
        ),
      ]);
      assert.deepEqual(
        answers.map(({ data }) => data["query"]),
        words,
      );
      assert.deepEqual(
        lists.map(({ data }) => [data["total"], data["limit"]]),
        ids.map((_, at) => [0, at + 1]),
      );
    });
  });

  test("questions asked through a tool are in the account's usage, calls among the metrics", async () => {
    const { owner, nobody } = use();
    const queries = async () =>
      (await owner.succeed("getUsage")).days
        .filter((day) => day.project_id === projectId)
        .reduce((sum, day) => sum + day.queries, 0);
    const before = await queries();
    const connection = await connect(use(), await owner.readKey());
    await connection.succeed("query", { project_id: projectId, query: "bees" });
    await connection.call("query", { project_id: "prj_none", query: "bees" });
    await connection.client.close();
    assert.equal(await queries(), before + 1);
    const { text } = await nobody.root("GET", "/metrics");
    assert.match(text, /kcs_mcp_tool_calls_total\{tool="query",outcome="ok"\} [1-9]/);
    assert.match(text, /kcs_mcp_tool_calls_total\{tool="query",outcome="refused"\} [1-9]/);
    assert.match(text, /kcs_http_request_seconds_count\{method="POST",route="\/mcp",status="200"\} [1-9]/);
    assert.ok(!text.includes(projectId));
  });
});
