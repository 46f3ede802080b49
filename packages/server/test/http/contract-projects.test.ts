import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertFault } from "../support/http-client.ts";
import { createProject, ingestAll, placedChunks } from "../support/ingestion.ts";
import { createNewcomer, describeOnEach, useService } from "../support/service.ts";

const SCHEMA = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Vessel: { properties: ["name", "tonnage"], description: "A ship" },
          Port: { properties: ["name"], description: "A place where ships lie" },
        },
      },
      { level: 1, node_types: { Fleet: { properties: [], description: "Ships", aggregates: ["Vessel"] } } },
    ],
    edge_types: [
      {
        name: "CALLS_AT",
        source_types: ["Vessel"],
        target_types: ["Port"],
        properties: ["since"],
        temporal: true,
        description: "A vessel calls at a port",
      },
    ],
  },
};

const MISSING = "prj_00000000000000000000000000000000";

describeOnEach((setting) => {
  const use = useService(setting);

  describe("creating a project", () => {
    test("a vector-only project has no ontology and says how its text will be cut and embedded", async () => {
      const project = await use().owner.succeed("createProject", {
        body: { name: "Harbour log", vector_only: true },
      });
      assert.equal(project.name, "Harbour log");
      assert.equal(project.mode, "vector_only");
      assert.equal(project.ontology, null);
      assert.equal(project.config.embedding_dimensions, 384);
      assert.ok(project.config.chunk_tokens > project.config.chunk_overlap_tokens);
      assert.equal(project.config.extraction, "none");
      assert.ok(Math.abs(Date.parse(project.created_at) - Date.now()) < 60_000);
    });

    test("a project with an ontology carries the ontology's content at one level", async () => {
      const { owner } = use();
      const ontology = await owner.succeed("createOntology", { body: { name: "Shipping", schema: SCHEMA } });
      const body = { name: "Ships", vector_only: false, ontology_id: ontology.id };
      const created = await owner.succeed("createProject", { body });
      assert.equal(created.mode, "kg_vector");
      assert.deepEqual(created.ontology, { name: "Shipping", ...SCHEMA.ontology });
      const params = { project_id: created.project_id };
      const { config: _, ...rest } = created;
      assert.deepEqual(await owner.succeed("getProject", { params }), rest);
    });

    test("without an ontology the graph's schema comes from the data and starts empty", async () => {
      const project = await use().owner.succeed("createProject", { body: { name: "Open schema" } });
      assert.equal(project.mode, "kg_vector");
      assert.deepEqual(project.ontology, { name: "Open schema", hierarchy: [], edge_types: [] });
    });

    test("a vector-only project with an ontology is refused", async () => {
      const { owner } = use();
      const ontology = await owner.succeed("createOntology", { body: { name: "Unused", schema: SCHEMA } });
      const body = { name: "Both", vector_only: true, ontology_id: ontology.id };
      const detail = "Vector-only projects cannot specify an ontology";
      assertFault(await owner.endpoint("createProject", { body }), 400, detail);
      const unknown = { ...body, ontology_id: "ont_unknown" };
      assertFault(await owner.endpoint("createProject", { body: unknown }), 400, detail);
    });

    test("an ontology that does not exist is not found", async () => {
      for (const ontology_id of ["ont_00000000000000000000000000000000", "nothing", ""]) {
        const body = { name: "Lost", ontology_id };
        const reply = await use().owner.endpoint("createProject", { body });
        assertFault(reply, 404, "Ontology not found or not accessible");
      }
    });
  });

  describe("listing, getting and deleting projects", () => {
    test("an account without projects has an empty list", async () => {
      const newcomer = await createNewcomer(use());
      assert.deepEqual(await newcomer.succeed("listProjects"), { projects: [] });
      newcomer.close();
    });

    test("the list shows every project, the newest first, with the name of its ontology or null", async () => {
      const { owner } = use();
      const first = await owner.succeed("createProject", { body: { name: "One", vector_only: true } });
      const second = await owner.succeed("createProject", { body: { name: "Two" } });
      const { projects } = await owner.succeed("listProjects");
      const [newest, next] = projects;
      assert.equal(newest?.project_id, second.project_id);
      assert.deepEqual(newest.ontology, { name: "Two" });
      const { config: _, ...expected } = first;
      assert.deepEqual(next, expected);
    });

    test("a project that does not exist is not found, by any method", async () => {
      const { owner } = use();
      for (const name of ["getProject", "deleteProject"] as const) {
        const reply = await owner.endpoint(name, { params: { project_id: MISSING } });
        assertFault(reply, 404, `Project ${MISSING} not found`);
      }
    });

    test("another account's project is forbidden and stays", async () => {
      const { owner, stranger } = use();
      const params = { project_id: await createProject(owner) };
      for (const name of ["getProject", "deleteProject"] as const) {
        assertFault(await stranger.endpoint(name, { params }), 403, "You don't have access to this project");
      }
      await owner.succeed("getProject", { params });
    });

    test("a delete answers 204 with an empty body and removes the project with its jobs and chunks", async () => {
      const { owner } = use();
      const project_id = await createProject(owner);
      const params = { project_id };
      const [job] = await ingestAll(owner, project_id, [
        { text: "The pilot boat leaves at five.", source_doc_id: "a" },
      ]);
      assert.equal((await placedChunks(owner, project_id)).length, 1);
      await owner.succeed("deleteProject", { params });

      const gone = `Project ${project_id} not found`;
      const document = { text: "More", source_doc_id: "b" };
      assertFault(await owner.endpoint("getProject", { params }), 404, gone);
      assertFault(await owner.endpoint("deleteProject", { params }), 404, gone);
      assertFault(await owner.endpoint("listJobs", { params }), 404, gone);
      const jobParams = { ...params, job_id: job?.job_id ?? "" };
      assertFault(await owner.endpoint("getJob", { params: jobParams }), 404, gone);
      assertFault(await owner.endpoint("ingest", { params, body: document }), 404, gone);
      assertFault(await owner.endpoint("query", { params, body: { query: "When?" } }), 404, gone);
      const { projects } = await owner.succeed("listProjects");
      assert.ok(!projects.some((project) => project.project_id === project_id));
    });

    test("the ontology of a deleted project is kept and can be used again", async () => {
      const { owner } = use();
      const ontology = await owner.succeed("createOntology", { body: { name: "Kept", schema: SCHEMA } });
      const body = { name: "Short-lived", ontology_id: ontology.id };
      const project = await owner.succeed("createProject", { body });
      await owner.succeed("deleteProject", { params: { project_id: project.project_id } });
      const params = { ontology_id: ontology.id };
      assert.deepEqual(await owner.succeed("getOntology", { params }), ontology);
      const again = await owner.succeed("createProject", { body });
      assert.deepEqual(again.ontology, project.ontology);
    });
  });
});
