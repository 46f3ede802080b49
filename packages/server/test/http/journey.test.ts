/** One journey through every endpoint of the contract, each answering with success, on both databases. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type EndpointName, endpoints } from "@kcs/contract";
import { ingestedFiles } from "../support/files.ts";
import { type Client, type EndpointInput, endpointPath, type Success } from "../support/http-client.ts";
import { ingestAll, waitFor, waitForJob } from "../support/ingestion.ts";
import { refuse } from "../support/model-server/behaviour.ts";
import { environmentOf, type Gate, NEW_MODEL, startGate, waitForMove } from "../support/reembedding.ts";
import { describeOnBoth, useService } from "../support/service.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const SCHEMA = {
  ontology: {
    hierarchy: [{ level: 0, node_types: { Organization: {}, Location: {} } }],
    edge_types: [{ name: "HEADQUARTERED_IN", source_types: ["Organization"], target_types: ["Location"] }],
  },
};
const FERRY = { source_doc_id: "ferry", text: "Tarnholm Ferries is headquartered in Vell." };
const NOTE = { source_doc_id: "note", text: "The east quay is closed in winter." };

describeOnBoth((setting) => {
  let gate: Gate;
  let hooks: WebhookReceiver;
  const settings: Record<string, string> = { KCS_WEBHOOK_PRIVATE: "allow" };
  before(async () => {
    gate = await startGate();
    hooks = await startWebhookReceiver();
    Object.assign(settings, environmentOf(gate.server));
  });
  after(async () => {
    await gate.close();
    await hooks.close();
  });
  const use = useService(setting, settings);

  test("a journey through every endpoint ends where the contract says", async () => {
    const { owner } = use();
    const seen = new Set<EndpointName>();
    const go = async <Name extends EndpointName>(
      name: Name,
      input: EndpointInput = {},
    ): Promise<Success<Name>> => {
      seen.add(name);
      return owner.succeed(name, input);
    };
    /** For answers that are no JSON. */
    const read = async (name: EndpointName, input: EndpointInput): Promise<string> => {
      seen.add(name);
      const reply = await owner.call(endpoints[name].method, endpointPath(name, input));
      assert.equal(reply.status, endpoints[name].success, reply.text);
      return reply.text;
    };

    const suggested = await go("suggestOntology", {
      body: { usecase: "Which organizations are headquartered in which locations?" },
    });
    assert.ok(Object.keys(suggested).length > 0);
    assert.equal((await go("lintOntology", { body: { schema: SCHEMA } })).fault_count, 0);
    const { id: ontology_id } = await go("createOntology", { body: { name: "Ferries", schema: SCHEMA } });
    assert.deepEqual(
      (await go("listOntologies")).ontologies.map(({ id }) => id),
      [ontology_id],
    );
    assert.equal((await go("getOntology", { params: { ontology_id } })).name, "Ferries");
    const { id: spare } = await owner.succeed("createOntology", { body: { name: "Spare", schema: SCHEMA } });
    const changed = { params: { ontology_id: spare }, body: { name: "Spare ones", schema: SCHEMA } };
    assert.equal((await go("replaceOntology", changed)).version, 2);
    assert.equal((await go("listOntologyVersions", { params: { ontology_id: spare } })).versions.length, 2);
    assert.deepEqual((await go("diffOntology", { params: { ontology_id: spare } })).node_types, []);
    const content = await read("exportOntology", { params: { ontology_id: spare } });
    const { ontology: copy, left_out } = await go("importOntology", { body: { content } });
    assert.deepEqual([copy.name, left_out], ["Spare ones", []]);
    await go("deleteOntology", { params: { ontology_id: spare } });
    await owner.succeed("deleteOntology", { params: { ontology_id: copy.id } });

    const { webhook_id } = await go("createWebhook", { body: { url: hooks.url } });
    assert.equal((await go("testWebhook", { params: { webhook_id } })).status, "delivered");

    const { project_id } = await go("createProject", { body: { name: "Ferries", ontology_id } });
    const params = { project_id };
    assert.deepEqual(
      (await go("listProjects")).projects.map((project) => project.project_id),
      [project_id],
    );
    assert.equal((await go("renameProject", { params, body: { name: "Boats" } })).name, "Boats");
    assert.equal((await go("getProject", { params })).name, "Boats");
    assert.equal((await go("changeProject", { params, body: { name: "Ferries" } })).project.name, "Ferries");

    const { job_id } = await go("ingest", { params, body: FERRY });
    assert.match(await read("watchJob", { params: { ...params, job_id } }), /"status":"completed"/);
    const { jobs } = await go("ingestBatch", { params, body: { documents: [NOTE] } });
    for (const job of jobs)
      assert.equal((await waitForJob(owner, project_id, job.job_id)).status, "completed");
    seen.add("getJob");
    assert.equal((await go("listJobs", { params })).jobs.length, 2);
    await readFirstEvent(owner, project_id);
    seen.add("watchProject");

    const question = { query: "Where is Tarnholm Ferries headquartered?", include: ["provenance"] };
    const { results } = await go("query", { params, body: question });
    assert.match(results.summary, /Vell/);
    const feedback = { ...question, include: undefined, rating: "up", answer: results.summary };
    assert.equal((await go("recordFeedback", { params, body: feedback })).rating, "up");
    assert.equal((await go("listFeedback", { params })).total, 1);
    const chunk_id = results.chunks[0]?.chunk_id ?? "";
    assert.equal((await go("getChunk", { params: { ...params, chunk_id } })).text, FERRY.text);
    assert.equal((await go("listDocuments", { params })).documents.length, 2);
    const ferry = { params: { ...params, source_doc_id: "ferry" } };
    assert.equal((await go("getDocument", ferry)).source_doc_id, "ferry");

    const { entities } = await go("listEntities", { params });
    const entity_id = entities.find(({ name }) => name === "Tarnholm Ferries")?.entity_id ?? "";
    assert.equal((await go("getEntity", { params: { ...params, entity_id } })).name, "Tarnholm Ferries");
    assert.equal((await go("listRelationships", { params })).relationships.length, 1);
    const associated = await go("listAssociations", { params, query: { entity_id } });
    assert.equal(associated.associations.length, associated.total);
    const overview = await go("getGraphOverview", { params });
    assert.equal(overview.total_relationships, 1);
    const [from = "", to = ""] = overview.entities.map((each) => each.entity_id);
    assert.equal((await go("findGraphPath", { params, query: { from, to } })).relationships.length, 1);
    const matched = await go("matchGraph", { params, body: { nodes: [{}, {}], edges: [{}] } });
    assert.equal(matched.rows.length, 1);
    await go("listUnrelatedEntities", { params });
    const correction = {
      ...{ kind: "rename", name: "Tarnholm Lines" },
      entity: {
        type: entities.find(({ name }) => name === "Tarnholm Ferries")?.type ?? "",
        name: "Tarnholm Ferries",
      },
    };
    const made = await go("createCorrections", { params, body: { corrections: [correction] } });
    const [renamed] = (await go("listCorrections", { params })).corrections;
    assert.deepEqual([renamed?.correction_id, renamed?.chunks], [made.corrections[0]?.correction_id, 1]);
    assert.deepEqual(await go("listCorrectionExamples", { params }), { node_types: [], edge_types: [] });
    const { ontology } = await go("addExamplesToOntology", { params });
    assert.deepEqual([ontology.name, ontology.version], ["Ferries", 1]);
    const correction_id = renamed?.correction_id ?? "";
    const later = await go("getCorrectionEvidence", { params: { ...params, correction_id } });
    assert.deepEqual(later, { passages: [], conflicts: [] });
    await go("deleteCorrection", { params: { ...params, correction_id } });
    const proposed = await go("listProposals", { params });
    assert.equal(proposed.proposals.length, proposed.total);
    assert.match(await read("exportGraph", { params }), /Tarnholm Ferries/);
    await go("getGraphFit", { params });
    assert.equal((await go("getProjectStats", { params })).documents, 2);
    await go("getProjectConfig", { params });
    await go("getUsage");

    await go("reembedProject", { params, body: { embedding: NEW_MODEL.name } });
    seen.add("getReembedding");
    assert.equal((await waitForMove(owner, project_id)).status, "completed");

    gate.misbehave(() => refuse(400, "No."));
    const refused = await go("ingest", { params, body: { ...NOTE, text: "The west quay stays open." } });
    const failed = await waitForJob(owner, project_id, refused.job_id);
    assert.equal(failed.status, "failed");
    assert.deepEqual((await go("getQueue", { params })).failures, [
      { error_message: failed.error_message, jobs: 1, can_retry: true },
    ]);
    const { jobs: again } = await go("retryJobs", { params });
    assert.equal(again.length, 1);
    for (const { job_id } of again)
      assert.equal((await waitForJob(owner, project_id, job_id)).status, "failed");
    gate.misbehave(null);
    const retried = await go("retryJob", { params: { ...params, job_id: again[0]?.job_id ?? "" } });
    assert.equal((await waitForJob(owner, project_id, retried.job_id)).status, "completed");

    await ingestedFiles(owner, project_id, [{ path: "berths.txt", content: "Berth nine is closed." }]);
    seen.add("uploadFiles");
    // The service's own page for programs.
    const url = `${use().baseUrl}/llms.txt`;
    const page = await go("ingestUrl", { params, body: { url, source_doc_id: "llms.txt" } });
    assert.equal(page.jobs[0]?.source_doc_id, "llms.txt");
    await go("deleteDocument", { params: { ...params, source_doc_id: "llms.txt" } });
    const berths = { params: { ...params, source_doc_id: "berths.txt" } };
    assert.equal(await read("getDocumentFile", berths), "Berth nine is closed.");
    await go("deleteDocument", berths);

    assert.equal((await go("rereadProject", { params })).documents_total, 2);
    await waitFor("the reread", async () =>
      (await go("getReread", { params })).status === "completed" ? true : null,
    );
    assert.equal((await go("listRelationships", { params })).relationships.length, 1);

    const some = await go("rereadDocuments", { params, body: { source_doc_ids: ["note"] } });
    const [noteJob] = some.jobs;
    assert.equal(noteJob?.source_doc_id, "note");
    assert.equal((await waitForJob(owner, project_id, noteJob.job_id)).status, "completed");

    gate.hold(/lighthouse/);
    const held = { ...NOTE, text: "The lighthouse is new." };
    const waiting = await go("ingest", { params, body: held });
    await waitFor("the call of the embedder", async () => (gate.waiting > 0 ? true : null));
    // The reread of the note waits for the held job.
    await go("rereadProject", { params });
    assert.equal((await go("cancelReread", { params })).status, "cancelled");
    const cancelled = await go("cancelJob", { params: { ...params, job_id: waiting.job_id } });
    assert.equal(cancelled.error_message, "Cancelled");
    const held2 = await go("ingest", { params, body: { ...held, text: "The lighthouse is old." } });
    assert.deepEqual(await go("cancelJobs", { params }), { cancelled: 1, left: 0 });
    assert.equal((await waitForJob(owner, project_id, held2.job_id)).error_message, "Cancelled");
    gate.hold(/./);
    const other = await go("createProject", { body: { name: "Moves", vector_only: true } });
    const elsewhere = { project_id: other.project_id };
    // Without a chunk the move would end at once.
    await ingestAll(owner, other.project_id, [{ ...NOTE, text: "The east quay is moved." }]);
    await go("reembedProject", { params: elsewhere, body: { embedding: NEW_MODEL.name } });
    assert.equal((await go("cancelReembedding", { params: elsewhere })).status, "cancelled");
    gate.hold(null);

    await go("deleteDocument", ferry);
    assert.equal((await owner.succeed("listDocuments", { params })).documents.length, 1);
    await go("listWebhookDeliveries", { params: { webhook_id } });
    assert.equal((await go("listWebhooks")).webhooks.length, 1);
    await go("getWebhook", { params: { webhook_id } });
    const webhook = await go("changeWebhook", { params: { webhook_id }, body: { events: ["job.failed"] } });
    assert.deepEqual([webhook.events, webhook.url], [["job.failed"], hooks.url]);
    await go("deleteWebhook", { params: { webhook_id } });
    await go("deleteProject", { params });
    assert.deepEqual([...seen].sort(), Object.keys(endpoints).sort());
  });
});

/** A project's stream has no end of its own, so it is left after its head. */
async function readFirstEvent(owner: Client, projectId: string): Promise<void> {
  const reply = await owner.call("HEAD", `/projects/${projectId}/events`);
  assert.deepEqual([reply.status, reply.headers["content-type"]], [200, "text/event-stream; charset=utf-8"]);
}
