import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, placedChunks, waitForJob } from "../support/ingestion.ts";
import { createNewcomer, describeOnEach, useService } from "../support/service.ts";

/** Of three UTF-16 code units and two code points. */
const WIDE = "👩🏽";
const SCHEMA = { ontology: { hierarchy: [{ level: 0, node_types: {} }] } };

describeOnEach((setting) => {
  const use = useService(setting);

  test("a name has 1 to 200 characters, counted in code points", async () => {
    const { owner } = use();
    for (const name of ["x", " padded ", "n".repeat(200), WIDE.repeat(100), "Ⅷ\n"]) {
      const project = await owner.succeed("createProject", { body: { name, vector_only: true } });
      assert.equal(project.name, name);
      const ontology = await owner.succeed("createOntology", { body: { name, schema: SCHEMA } });
      assert.equal(ontology.name, name);
    }
    for (const name of ["n".repeat(201), `${WIDE.repeat(100)}!`]) {
      for (const endpoint of ["createProject", "createOntology"] as const) {
        const reply = await owner.endpoint(endpoint, { body: { name, schema: SCHEMA } });
        assertFault(
          reply,
          400,
          "name: has 201 characters, expected a string of 1 to 200 characters, not blank",
        );
      }
    }
  });

  test("a document id has 1 to 512 characters, counted in code points, and is kept as it is", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const ids = ["s".repeat(512), WIDE.repeat(256), " a ", "a", "A", "ä", "a\u0308", "../x?y=1&z", '"\\\n'];
    const jobs = await ingestAll(
      owner,
      project_id,
      ids.map((source_doc_id) => ({ text: `About ${source_doc_id.length}.`, source_doc_id })),
    );
    assert.deepEqual(
      jobs.map((job) => job.source_doc_id),
      ids,
    );
    const found = (await placedChunks(owner, project_id)).map((chunk) => chunk.source_doc_id);
    assert.deepEqual(new Set(found), new Set(ids));
    assert.equal(found.length, ids.length);
    const body = { text: "Too long.", source_doc_id: "s".repeat(513) };
    const reply = await owner.endpoint("ingest", { params: { project_id }, body });
    assertFault(reply, 400, /^source_doc_id: has 513 characters, expected a string of 1 to 512 characters/);
  });

  test("blank names, ids, texts and questions are refused, whatever kind of space they are of", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    for (const blank of ["", " ", "\t\r\n", "\u00a0\u2003\u3000", "\ufeff"]) {
      const cases = [
        [owner.endpoint("createProject", { body: { name: blank, vector_only: true } }), /^name: is blank/],
        [owner.endpoint("ingest", { params, body: { text: blank, source_doc_id: "a" } }), /^text: is blank/],
        [
          owner.endpoint("ingest", { params, body: { text: "a", source_doc_id: blank } }),
          /^source_doc_id: is blank/,
        ],
        [owner.endpoint("query", { params, body: { query: blank } }), /^query: is blank/],
      ] as const;
      for (const [reply, detail] of cases) assertFault(await reply, 400, detail);
    }
  });

  test("a lone surrogate is refused with its offset, in every text", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const escaped = (text: string) => text.replace("!", String.raw`\ud83d`).replace("?", String.raw`\udE00`);
    const post = (path: string, json: string) =>
      owner.call("POST", path.replace("{}", params.project_id), { raw: escaped(json) });
    const cases = [
      [post("/projects", '{"name":"ab!c"}'), "name: has a lone surrogate at offset 2"],
      [
        post("/projects/{}/ingest", '{"text":"💡??","source_doc_id":"a"}'),
        "text: has a lone surrogate at offset 2",
      ],
      [
        post("/projects/{}/ingest", '{"text":"a","source_doc_id":"?"}'),
        "source_doc_id: has a lone surrogate at offset 0",
      ],
      [post("/projects/{}/query", '{"query":"why!"}'), "query: has a lone surrogate at offset 3"],
      [post("/ontologies/suggest", '{"usecase":"ships!"}'), "usecase: has a lone surrogate at offset 5"],
    ] as const;
    for (const [reply, detail] of cases) {
      assertFault(await reply, 400, `${detail}, expected well-formed Unicode`);
    }
    const pair = await post("/projects/{}/ingest", '{"text":"fine !?","source_doc_id":"pair"}');
    assert.equal(pair.status, 200);
  });

  test("an id that no path can name is refused", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    for (const step of [".", ".."]) {
      const lost = await owner.endpoint("ingest", { params, body: { text: "a", source_doc_id: step } });
      assertFault(lost, 400, 'source_doc_id: is a step in a path, expected an id other than "." and ".."');
    }
  });

  test("NUL is refused in names and ids", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const name = await owner.endpoint("createProject", { body: { name: "a\0b", vector_only: true } });
    assertFault(name, 400, "name: has a NUL character at offset 1, expected none");
    const id = await owner.endpoint("ingest", { params, body: { text: "a", source_doc_id: "\0" } });
    assertFault(id, 400, "source_doc_id: has a NUL character at offset 0, expected none");
    const ontology = await owner.endpoint("createOntology", { body: { name: "abc\0", schema: SCHEMA } });
    assertFault(ontology, 400, "name: has a NUL character at offset 3, expected none");
  });

  test("NUL in a text is kept, and so are other control characters and unassigned code points", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const text = "Valve\0seven\u0001leaks \uffff\u{10ffff} after \0\0 the \u0085 frost. \u202eThen it stops.";
    await ingestAll(owner, project_id, [{ text, source_doc_id: "nul" }]);
    const [chunk] = await placedChunks(owner, project_id, "Which\0valve leaks?");
    assert.equal(chunk?.text, text);
    assert.deepEqual([chunk?.start, chunk?.end], [0, text.length]);
  });

  test("every line ending, a byte order mark and combining marks come back verbatim", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const text = "\ufeffFirst line.\r\nSecond line.\rThird\u2028line.\n\n\tZ\u0351\u0363\u0489algo. ﬁn";
    await ingestAll(owner, project_id, [{ text, source_doc_id: "lines" }]);
    const chunks = await placedChunks(owner, project_id);
    for (const chunk of chunks) assert.equal(text.slice(chunk.start, chunk.end), chunk.text);
    const covered = new Set(
      chunks.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
    );
    for (let at = 0; at < text.length; at++)
      assert.ok(covered.has(at) || /\s/.test(text[at] ?? ""), `offset ${at}`);
  });

  test("null for an optional member means that it is absent", async () => {
    const { owner } = use();
    const graph = await owner.succeed("createProject", {
      body: { name: "Nulls", vector_only: null, ontology_id: null },
    });
    assert.equal(graph.mode, "kg_vector");
    const body = { name: "Nulls", vector_only: true, ontology_id: null };
    assert.equal((await owner.succeed("createProject", { body })).mode, "vector_only");
    assertFault(
      await owner.endpoint("createProject", { body: { name: null } }),
      400,
      /^name: got null, expected/,
    );
  });

  test("faults of a new project are named together, and members that are not known are ignored", async () => {
    const { owner } = use();
    const cases: readonly [unknown, RegExp][] = [
      [undefined, /^body: missing, expected a JSON object/],
      [null, /^body: got null/],
      [[], /^body: got an array/],
      ["text", /^body: got a string/],
      [{}, /^name: missing, expected a string of 1 to 200 characters, not blank/],
      [
        { name: 5, vector_only: "yes", ontology_id: {} },
        /^name: got a number.+; vector_only: got a string.+; ontology_id: got an object/,
      ],
    ];
    for (const [body, detail] of cases)
      assertFault(await owner.endpoint("createProject", { body }), 400, detail);
    const body = {
      name: "Known",
      vector_only: true,
      mode: "kg_vector",
      constructor: 1,
      project_id: "prj_mine",
    };
    const project = await owner.succeed("createProject", { body });
    assert.notEqual(project.project_id, "prj_mine");
    assert.equal(project.mode, "vector_only");
  });

  test("a batch with many faults names the first five", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const documents = Array.from({ length: 9 }, () => ({ text: "", source_doc_id: "a" }));
    const reply = await owner.endpoint("ingestBatch", { params, body: { documents } });
    assertFault(reply, 400, /^documents\[0\]\.text: is blank.+documents\[4\]\.text.+; and 4 more$/);
  });

  test("lists take an additive limit and offset and return everything without them", async () => {
    const newcomer = await createNewcomer(use());
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift(await createProject(newcomer, `P${at}`));
    const list = async (query: Record<string, string | number>) =>
      (await newcomer.succeed("listProjects", { query })).projects.map((project) => project.project_id);
    assert.deepEqual(await list({}), ids);
    assert.deepEqual(await list({ limit: 2 }), ids.slice(0, 2));
    assert.deepEqual(await list({ offset: 3 }), ids.slice(3));
    assert.deepEqual(await list({ limit: 2, offset: 4 }), ids.slice(4));
    assert.deepEqual(await list({ limit: 10_000, offset: 99 }), []);
    for (const name of ["listProjects", "listOntologies"] as const) {
      for (const query of [{ limit: 0 }, { limit: 10_001 }, { limit: "x" }, { offset: -1 }]) {
        const [member] = Object.keys(query);
        assertFault(await newcomer.endpoint(name, { query }), 400, new RegExp(`^${member}: got `));
      }
    }
    newcomer.close();
  });

  test("of many documents sent at once each is found where it was put", async () => {
    const { owner } = use();
    const projects = [await createProject(owner), await createProject(owner)];
    const jobs = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const projectId = projects[at % 2] ?? "";
        const document = {
          text: `Crate ${at} holds ${"pears".repeat(at + 1)}.`,
          source_doc_id: `crate-${at}`,
        };
        return waitForJob(owner, projectId, await ingest(owner, projectId, document));
      }),
    );
    assert.ok(jobs.every((job) => job.status === "completed" && job.chunks_processed === 1));
    for (const [parity, projectId] of projects.entries()) {
      const sources = (await placedChunks(owner, projectId)).map((chunk) => chunk.source_doc_id);
      const expected = Array.from({ length: 10 }, (_, at) => `crate-${at * 2 + parity}`);
      assert.deepEqual(new Set(sources), new Set(expected));
    }
  });
});
