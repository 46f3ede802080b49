import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, type Text, waitForJob } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const NOTE = { text: "The weir was rebuilt in 1931.", source_doc_id: "weir" };

/** The odd keys are those that JavaScript's objects treat in their own ways. */
const GARDEN: readonly Text[] = [
  {
    source_doc_id: "rowan",
    text: "The rowan grows by the gate of the garden.",
    metadata: { kind: "tree", year: 1931, bed: "1" },
  },
  {
    source_doc_id: "birch",
    text: "The birch grows behind the shed of the garden.",
    metadata: { kind: "tree", year: 1950.5, bed: 1 },
  },
  {
    source_doc_id: "thyme",
    text: "Thyme grows in the garden along the southern wall.",
    metadata: { kind: "herb", year: -40, bed: "" },
  },
  {
    source_doc_id: "mint",
    text: "Mint grows in the garden wherever it is wet.",
    metadata: { kind: "herb", "10": "ten", "a.b[0]": "x" },
  },
  {
    source_doc_id: "moss",
    text: "Moss grows everywhere in the garden.",
    metadata: { year: 0, ...JSON.parse('{"__proto__": "p", "constructor": 7}') },
  },
  { source_doc_id: "gravel", text: "Nothing grows on the gravel of the garden." },
];

describeOnEach((setting) => {
  // Little text, so that the largest metadata is larger.
  const use = useService(setting, { KCS_MAX_TEXT_BYTES: "1024" });

  describe("metadata of a document", () => {
    const faults: readonly [metadata: unknown, detail: RegExp][] = [
      ["a", /^metadata: got a string, expected an object of strings and numbers$/],
      [[1], /^metadata: got an array/],
      [{ a: null }, /^metadata\.a: got null, expected a string of at most 512 characters or a number/],
      [{ a: false }, /^metadata\.a: got a boolean/],
      [{ a: { b: 1 } }, /^metadata\.a: got an object/],
      [{ a: 2 ** 53 }, /^metadata\.a: got the number 9007199254740992/],
      [{ a: "x".repeat(513) }, /^metadata\.a: has 513 characters/],
      [{ a: "\0" }, /^metadata\.a: has a NUL character at offset 0/],
      [{ " ": 1 }, /^metadata: key " " is blank/],
      [{ ["k".repeat(65)]: 1 }, /^metadata: key "k{40}" has 65 characters/],
      [{ "a\n": 1 }, /^metadata: key "a\\n" has a control character at offset 1/],
      [Object.fromEntries(Array.from({ length: 33 }, (_, at) => [at, at])), /^metadata: has 33 keys/],
      [JSON.parse('{"__proto__": []}'), /^metadata\.__proto__: got an array/],
    ];

    test("is refused by name, and then nothing is accepted", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      for (const [metadata, detail] of faults) {
        const document = { ...NOTE, metadata };
        assertFault(await owner.endpoint("ingest", { params, body: document }), 400, detail);
        const batch = await owner.endpoint("ingestBatch", { params, body: { documents: [NOTE, document] } });
        assertFault(batch, 400, new RegExp(`^documents\\[1\\]\\.${detail.source.slice(1)}`));
      }
      const raw = `{"text":"a","source_doc_id":"b","metadata":{"a":"\\ud800","b":1e999}}`;
      const reply = await owner.call("POST", `/projects/${params.project_id}/ingest`, { raw });
      assertFault(
        reply,
        400,
        /^metadata\.a: has a lone surrogate at offset 0.+; metadata\.b: got the number Inf/,
      );
      assert.equal((await owner.succeed("listJobs", { params })).total, 0);
    });

    test("of another account's project is not looked at", async () => {
      const { owner, stranger } = use();
      const params = { project_id: await createProject(owner) };
      const detail = "You don't have access to this project";
      const body = { ...NOTE, metadata: 5 };
      assertFault(await stranger.endpoint("ingest", { params, body }), 403, detail);
      const question = { query: "a", filter: 5 };
      assertFault(await stranger.endpoint("query", { params, body: question }), 403, detail);
    });

    test("is taken up to its limits, however its characters are spelt", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const wide = String.raw`\ud83c\udffd`;
      const members = Array.from({ length: 32 }, (_, at) => {
        const key = `${String.fromCharCode(97 + (at % 26))}${at < 26 ? "" : "a"}`;
        return `"${key}${wide.repeat(64 - key.length)}":"${wide.repeat(512)}"`;
      });
      const raw = `{"source_doc_id":"${wide.repeat(512)}","text":"Full.","metadata":{${members.join()}}}`;
      const reply = await owner.call("POST", `/projects/${project_id}/ingest`, { raw });
      assert.equal(reply.status, 200, reply.text);
      const { job_id } = reply.json as { job_id: string }; // Of an ingest that was accepted.
      assert.equal((await waitForJob(owner, project_id, job_id)).status, "completed");
    });

    test("that is null or empty is none: the document is the same as without", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const counts: number[] = [];
      for (const metadata of [undefined, null, {}]) {
        const body = { ...NOTE, metadata };
        const { job_id } = await owner.succeed("ingest", { params: { project_id }, body });
        const job = await waitForJob(owner, project_id, job_id);
        assert.equal(job.status, "completed");
        counts.push(job.chunks_processed);
      }
      assert.deepEqual(counts, [1, 1, 1]);
    });
  });

  test("a fault in a filter is an error and finds nothing", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const cases: readonly [filter: unknown, detail: RegExp][] = [
      ["rowan", /^filter: got a string, expected an object with source_doc_id or metadata$/],
      [{ source: "rowan" }, /^filter: got an unknown member "source", expected source_doc_id, metadata$/],
      [{ Metadata: {} }, /^filter: got an unknown member "Metadata"/],
      [JSON.parse('{"__proto__": {}}'), /^filter: got an unknown member "__proto__"/],
      [{ source_doc_id: [] }, /^filter\.source_doc_id: is empty, expected an array of 1 to 1000 items$/],
      [
        { source_doc_id: ["a", 1] },
        /^filter\.source_doc_id\[1\]: got a number, expected a string of 1 to 512/,
      ],
      [{ metadata: "kind" }, /^filter\.metadata: got a string/],
      [
        { metadata: { kind: null } },
        /^filter\.metadata\.kind: got null, expected a string .+ or an object with gt/,
      ],
      [{ metadata: { kind: [] } }, /^filter\.metadata\.kind: is empty, expected an array of 1 to 100 items$/],
      [{ metadata: { kind: ["a", {}] } }, /^filter\.metadata\.kind\[1\]: got an object/],
      [{ metadata: { year: {} } }, /^filter\.metadata\.year: has no bound, expected at least one of gt, gte/],
      [
        { metadata: { year: { from: 1 } } },
        /^filter\.metadata\.year: got an unknown member "from", expected gt/,
      ],
      [{ metadata: { year: { gt: "1" } } }, /^filter\.metadata\.year\.gt: got a string, expected a number/],
      [{ metadata: { "": 1 } }, /^filter\.metadata: key "" is blank/],
    ];
    for (const [filter, detail] of cases) {
      assertFault(await owner.endpoint("query", { params, body: { query: "a", filter } }), 400, detail);
    }
  });

  describe("a filter", () => {
    let project_id = "";
    before(async () => {
      project_id = await createProject(use().owner, "Garden");
      await ingestAll(use().owner, project_id, GARDEN);
    });
    const ask = async (filter: unknown, query = "What grows in the garden?") => {
      const body = { query, top_k: 100, include: ["provenance"], filter };
      return (await use().owner.succeed("query", { params: { project_id }, body })).results;
    };
    const sourcesOf = async (filter: unknown) =>
      (await ask(filter)).chunks.map((chunk) => chunk.source_doc_id ?? "").toSorted();
    const all = GARDEN.map((document) => document.source_doc_id).toSorted();

    const cases: readonly [filter: unknown, sources: readonly string[]][] = [
      [undefined, all],
      [null, all],
      [{}, all],
      [{ metadata: {}, source_doc_id: null }, all],
      [{ source_doc_id: "mint" }, ["mint"]],
      [{ source_doc_id: ["moss", "gravel", "weeds", "moss"] }, ["gravel", "moss"]],
      [{ metadata: { kind: "tree" } }, ["birch", "rowan"]],
      [{ metadata: { kind: ["herb", "tree"] } }, ["birch", "mint", "rowan", "thyme"]],
      [{ metadata: { bed: "1" } }, ["rowan"]],
      [{ metadata: { bed: 1 } }, ["birch"]],
      [{ metadata: { bed: [1, "1", ""] } }, ["birch", "rowan", "thyme"]],
      [{ metadata: { year: [-0, 1950.5] } }, ["birch", "moss"]],
      [{ metadata: { year: { gt: 0 } } }, ["birch", "rowan"]],
      [{ metadata: { year: { gte: 0 } } }, ["birch", "moss", "rowan"]],
      [{ metadata: { year: { lt: 1931 } } }, ["moss", "thyme"]],
      [{ metadata: { year: { lte: 1931, gt: -40 } } }, ["moss", "rowan"]],
      [{ metadata: { bed: { gte: -1e9 } } }, ["birch"]],
      [{ metadata: { "10": "ten" } }, ["mint"]],
      [{ metadata: { "a.b[0]": "x" } }, ["mint"]],
      [{ metadata: { constructor: 7 } }, ["moss"]],
      [{ metadata: JSON.parse('{"__proto__": "p"}') }, ["moss"]],
      [{ source_doc_id: ["rowan", "thyme"], metadata: { kind: "tree" } }, ["rowan"]],
      [{ metadata: { kind: "tree", year: { gt: 1931 } } }, ["birch"]],
    ];
    for (const [filter, sources] of cases) {
      test(`${JSON.stringify(filter)} lets through ${sources.join(", ")}`, async () => {
        assert.deepEqual(await sourcesOf(filter), sources);
      });
    }

    const nothing = [
      { source_doc_id: "weeds" },
      { metadata: { kind: "shrub" } },
      { metadata: { kind: { gt: 0 } } },
      { metadata: { colour: "green" } },
      { metadata: { year: { gt: 1931, lt: 1931 } } },
      { source_doc_id: "gravel", metadata: { kind: "tree" } },
    ];
    for (const filter of nothing) {
      test(`${JSON.stringify(filter)} lets nothing through, which is no error`, async () => {
        const { chunks, summary } = await ask(filter);
        assert.deepEqual(chunks, []);
        assert.equal(typeof summary, "string");
      });
    }

    test("decides before the ranking: the passages that it lets through are found however far down they stand", async () => {
      const { owner } = use();
      const many = await createProject(owner, "Many");
      const documents = Array.from({ length: 300 }, (_, at) => ({
        source_doc_id: `note ${at}`,
        text: at % 100 === 99 ? `Ledger ${at} lists coal and rope.` : `Note ${at}: what grows in the garden.`,
        metadata: { rest: at % 100 },
      }));
      await ingestAll(owner, many, documents);
      const body = {
        query: "What grows in the garden?",
        include: ["provenance"],
        filter: { metadata: { rest: 99 } },
      };
      const { results } = await owner.succeed("query", { params: { project_id: many }, body });
      const sources = results.chunks.map((chunk) => chunk.source_doc_id ?? "").toSorted();
      assert.deepEqual(sources, ["note 199", "note 299", "note 99"]);
    });

    test("goes by a document's metadata as it was last sent, also when its text is the same", async () => {
      const { owner } = use();
      const labelled = await createProject(owner, "Labels");
      const found = async (kind: string) => {
        const body = { query: "What was rebuilt?", filter: { metadata: { kind } } };
        const { results } = await owner.succeed("query", { params: { project_id: labelled }, body });
        return results.chunks.map((chunk) => chunk.text);
      };
      await ingestAll(owner, labelled, [{ ...NOTE, metadata: { kind: "draft" } }]);
      assert.deepEqual([await found("draft"), await found("final")], [[NOTE.text], []]);
      const job_id = await ingest(owner, labelled, { ...NOTE, metadata: { kind: "final" } });
      const job = await waitForJob(owner, labelled, job_id);
      assert.deepEqual([job.status, job.chunks_processed], ["completed", 1]);
      assert.deepEqual([await found("draft"), await found("final")], [[], [NOTE.text]]);
    });
  });
});
