import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { type Behaviour, refuse, say } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { describeOnBoth, useRestarts, useService } from "../support/service.ts";

const MARLIN = { source_doc_id: "marlin", text: "The first log. The ketch Marlin came under Tove Lind." };
const HERON = { source_doc_id: "heron", text: "The second log. The ketch Heron came under Ane Holm." };
const EGRET = { source_doc_id: "heron", text: "The third log. The ketch Egret came under Ib Friis." };

const PLOVER = { source_doc_id: "heron", text: "The fourth log. The ketch Plover came under Eva Juhl." };

const ONTOLOGY = {
  hierarchy: [{ level: 0, node_types: { Person: {}, Vessel: {} } }],
  edge_types: [{ name: "REPAINTED_BY", source_types: ["Vessel"], target_types: ["Person"] }],
};

/** What only the model finds in a log. */
function factOf(prompt: string): Behaviour {
  const [, source = "", target = ""] = /ketch (\w+) came under (\w+ \w+)/.exec(prompt) ?? [];
  const kind = "Vessel REPAINTED_BY Person";
  return say({ facts: [{ source, kind, target, evidence: `came under ${target}` }], entities: [] });
}

/** A model that reads each log, and waits where a text is held. */
function useModel() {
  const waiting = new Set<() => void>();
  const held = new Set<string>();
  const refused = new Set<string>();
  const env: Record<string, string> = { KCS_LLM_PROVIDER: "openai-compatible", KCS_LLM_MODEL: "test" };
  let server: ModelServer | null = null;
  const release = () => {
    held.clear();
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  before(async () => {
    server = await startModelServer({
      async chat({ prompt }) {
        const isIn = (words: ReadonlySet<string>) => [...words].some((word) => prompt.includes(word));
        if (isIn(held)) await new Promise<void>((resolve) => waiting.add(resolve));
        if (isIn(refused)) return refuse(400, "No.");
        return factOf(prompt);
      },
    });
    env["KCS_LLM_BASE_URL"] = server.baseUrl;
  });
  after(async () => {
    release();
    await server?.close();
  });
  return {
    env,
    held,
    refused,
    release,
    waits: () => waiting.size > 0,
    requests: () => server?.requests.length ?? 0,
  };
}

async function repaintsOf(owner: Client, project_id: string): Promise<readonly string[]> {
  const { relationships } = await owner.succeed("listRelationships", { params: { project_id } });
  return relationships
    .filter(({ type }) => type === "REPAINTED_BY")
    .map(({ source, target }) => `${source.name} ${target.name}`)
    .sort();
}

async function documentsOf(owner: Client, project_id: string): Promise<readonly string[]> {
  const { documents } = await owner.succeed("listDocuments", { params: { project_id } });
  return documents.map(({ source_doc_id, status }) => `${source_doc_id} ${status}`);
}

function waitForReread(owner: Client, project_id: string) {
  return waitFor(`the reread of ${project_id}`, async () => {
    const reread = await owner.succeed("getReread", { params: { project_id } });
    return reread.status === "running" ? null : reread;
  });
}

describeOnBoth((setting) => {
  describe("a project that was read without a language model", () => {
    const model = useModel();
    const { use, restart } = useRestarts(setting, {});
    const projects: string[] = [];

    /** Projects of the model whose documents were read without it. */
    before(async () => {
      const { owner } = await restart(model.env);
      const body = { name: "Logs", schema: { ontology: ONTOLOGY } };
      const { id: ontology_id } = await owner.succeed("createOntology", { body });
      for (let index = 0; index < 4; index++) {
        const project = await owner.succeed("createProject", { body: { name: "Logs", ontology_id } });
        projects.push(project.project_id);
      }
      const without = (await restart({})).owner;
      for (const project of projects) await ingestAll(without, project, [MARLIN, HERON]);
      await restart(model.env);
    });

    test("answers from what it has until its documents were read again, and then from what was read", async () => {
      const { owner } = use();
      const [project_id = ""] = projects;
      const params = { project_id };
      const { tokens } = await owner.succeed("getProjectStats", { params });
      model.held.add("Heron");
      const started = await owner.succeed("rereadProject", { params });
      assert.deepEqual([started.status, started.documents_total], ["running", 2]);
      await waitFor("the call for Heron", async () => (model.waits() ? true : null));
      assert.deepEqual(await repaintsOf(owner, project_id), []);
      assert.deepEqual(await documentsOf(owner, project_id), ["heron indexed", "marlin indexed"]);
      const query = { query: "Under whom came the Heron?" };
      assert.match((await owner.succeed("query", { params, body: query })).results.summary, /Ane Holm/);
      const again = await owner.succeed("rereadProject", { params });
      assert.deepEqual([again.status, again.documents_processed, again.documents_total], ["running", 0, 2]);
      assert.equal(again.created_at, started.created_at);
      const queue = await owner.succeed("getQueue", { params });
      const progress = { documents_processed: 0, documents_failed: 0, documents_total: 2 };
      assert.deepEqual(queue.reread, { ...progress, documents_queued: queue.pending + queue.running });
      assert.equal(queue.reread.documents_queued, 2);
      model.release();
      const ended = await waitForReread(owner, project_id);
      assert.equal((await owner.succeed("getQueue", { params })).reread, null);
      assert.deepEqual(
        [ended.status, ended.documents_processed, ended.documents_failed],
        ["completed", 2, 0],
      );
      assert.deepEqual(await repaintsOf(owner, project_id), ["Heron Ane Holm", "Marlin Tove Lind"]);
      assert.equal((await owner.succeed("listJobs", { params })).jobs.length, 4);
      const stats = await owner.succeed("getProjectStats", { params });
      assert.deepEqual([stats.documents, stats.chunks], [2, 2]);
      // The vectors are used again; the model of this test counts no tokens.
      assert.ok(tokens > 0);
      assert.equal(stats.tokens, tokens);
      // Its replies are kept.
      const asked = model.requests();
      await owner.succeed("rereadProject", { params });
      assert.equal((await waitForReread(owner, project_id)).documents_processed, 2);
      assert.equal(model.requests(), asked);
    });

    test("is as it was when the reread is cancelled, and has what replaces a document meanwhile", async () => {
      const { owner } = use();
      const [, project_id = ""] = projects;
      const params = { project_id };
      model.held.add("Egret");
      const waiting = await ingest(owner, project_id, EGRET);
      await waitFor("the call for Egret", async () => (model.waits() ? true : null));
      // The document's own job comes first, so that the reread cannot end.
      await owner.succeed("rereadProject", { params });
      const cancelled = await owner.succeed("cancelReread", { params });
      assert.equal(cancelled.status, "cancelled");
      assert.equal((await owner.succeed("cancelReread", { params })).completed_at, cancelled.completed_at);
      model.release();
      assert.equal((await waitForJob(owner, project_id, waiting)).status, "completed");
      assert.ok((await repaintsOf(owner, project_id)).includes("Egret Ib Friis"));
      assert.deepEqual(await documentsOf(owner, project_id), ["heron indexed", "marlin indexed"]);
      await owner.succeed("rereadProject", { params });
      await waitForReread(owner, project_id);
      assert.deepEqual(await repaintsOf(owner, project_id), ["Egret Ib Friis", "Marlin Tove Lind"]);
    });

    test("has a document that is replaced during the reread as it was sent last", async () => {
      const { owner } = use();
      const [, , project_id = ""] = projects;
      const params = { project_id };
      model.held.add("Plover");
      const waiting = await ingest(owner, project_id, PLOVER);
      await waitFor("the call for Plover", async () => (model.waits() ? true : null));
      const { documents_total } = await owner.succeed("rereadProject", { params });
      assert.equal(documents_total, 2);
      model.release();
      const ended = await waitForReread(owner, project_id);
      assert.deepEqual([ended.status, ended.documents_failed], ["completed", 0]);
      assert.equal((await waitForJob(owner, project_id, waiting)).status, "completed");
      assert.deepEqual(await repaintsOf(owner, project_id), ["Marlin Tove Lind", "Plover Eva Juhl"]);
    });

    test("tells which document failed, and reads it when its job is retried", async () => {
      const [, , , project_id = ""] = projects;
      const params = { project_id };
      model.refused.add("Ane Holm");
      // No reply of this one is kept.
      const { owner } = await restart({ ...model.env, KCS_LLM_MODEL: "another" });
      await owner.succeed("rereadProject", { params });
      const ended = await waitForReread(owner, project_id);
      assert.deepEqual(
        [ended.status, ended.documents_processed, ended.documents_failed],
        ["completed", 2, 1],
      );
      const { jobs } = await owner.succeed("listJobs", { params });
      const failed = jobs.find(({ status }) => status === "failed");
      assert.equal(failed?.source_doc_id, "heron");
      assert.deepEqual(await documentsOf(owner, project_id), ["heron indexed", "marlin indexed"]);
      model.refused.clear();
      const retried = await owner.succeed("retryJob", {
        params: { ...params, job_id: failed?.job_id ?? "" },
      });
      assert.equal((await waitForJob(owner, project_id, retried.job_id)).status, "completed");
      assert.deepEqual(await repaintsOf(owner, project_id), ["Heron Ane Holm", "Marlin Tove Lind"]);
    });

    test("some are read again with those that failed at first, and one that was cancelled has no job", async () => {
      const { owner } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "More logs" } });
      const params = { project_id };
      await ingestAll(owner, project_id, [MARLIN]);
      model.refused.add("Heron");
      model.held.add("Plover");
      const failed = await ingest(owner, project_id, HERON);
      assert.equal((await waitForJob(owner, project_id, failed)).status, "failed");
      const cancelled = await ingest(owner, project_id, { ...PLOVER, source_doc_id: "plover" });
      await owner.succeed("cancelJob", { params: { ...params, job_id: cancelled } });
      model.release();
      model.refused.clear();
      const body = { source_doc_ids: ["plover", "heron", "marlin"] };
      const { jobs } = await owner.succeed("rereadDocuments", { params, body });
      assert.deepEqual(
        jobs.map(({ source_doc_id, status }) => [source_doc_id, status]),
        [
          ["heron", "pending"],
          ["marlin", "pending"],
        ],
      );
      for (const { job_id } of jobs)
        assert.equal((await waitForJob(owner, project_id, job_id)).status, "completed");
      assert.deepEqual(await documentsOf(owner, project_id), [
        "heron indexed",
        "marlin indexed",
        "plover failed",
      ]);
    });
  });

  describe("refusals", () => {
    const use = useService(setting);

    test("a project without a graph has nothing to read again", async () => {
      const { owner } = use();
      const project = await createProject(owner);
      const reply = await owner.call("POST", `/projects/${project}/reread`);
      const detail = "The project is vector_only. It has no graph, so there is nothing to read again.";
      assertFault(reply, 409, detail);
    });

    test("documents of which some are unknown, too many or none at all are not read again", async () => {
      const { owner } = use();
      const flat = await createProject(owner);
      const { project_id } = await owner.succeed("createProject", { body: { name: "Some" } });
      const params = { project_id };
      await ingestAll(owner, project_id, [MARLIN]);
      const send = (source_doc_ids: unknown, id = project_id) =>
        owner.call("POST", `/projects/${id}/reread/documents`, { body: { source_doc_ids } });
      assertFault(
        await send(["marlin", "a", "b"]),
        404,
        'Documents not found: "a", "b". Nothing was queued.',
      );
      const many = Array.from({ length: 129 }, (_, at) => `d${at}`);
      assertFault(await send(many), 400, /source_doc_ids: has too many items, expected an array of 1 to 128/);
      assertFault(await send(many.slice(1)), 404, /^Documents not found: "d1", .*"d10", 118 more\./);
      assertFault(await send([]), 400, /source_doc_ids: is empty/);
      assertFault(await send("marlin"), 400, /source_doc_ids: got a string/);
      assertFault(await send(["marlin"], flat), 409, /no graph, so there is nothing to read again/);
      assert.equal((await owner.succeed("listJobs", { params })).total, 1);
    });

    test("a project that was never read again says so, and has nothing to cancel", async () => {
      const { owner } = use();
      const { project_id } = await owner.succeed("createProject", { body: { name: "New" } });
      const params = { project_id };
      const none = await owner.succeed("getReread", { params });
      assert.deepEqual([none.status, none.created_at, none.documents_total], ["completed", null, 0]);
      const reply = await owner.call("POST", `/projects/${project_id}/reread/cancel`);
      assertFault(reply, 409, "The project is not being read again. There is nothing to cancel.");
      const empty = await owner.succeed("rereadProject", { params });
      assert.deepEqual([empty.status, empty.documents_total], ["completed", 0]);
    });
  });
});
