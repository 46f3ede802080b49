import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type EndpointName, endpoints } from "@kcs/contract";
import {
  assertFault,
  type Client,
  createClient,
  type EndpointInput,
  endpointPath,
  readSuccess,
} from "../support/http-client.ts";
import { createProject, ingestAll, placedChunks } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const names = Object.keys(endpoints) as EndpointName[]; // The keys of a constant.
const NO_ACCESS = { status: 403, detail: "You don't have access to this project" } as const;
const NOT_AUTHORIZED = { status: 403, detail: "User is not authorized for this project" } as const;
const NO_ONTOLOGY = { status: 404, detail: "Ontology not found" } as const;
const NO_WEBHOOK = { status: 404, detail: "Webhook not found" } as const;
const SCHEMA = { ontology: { hierarchy: [{ level: 0, node_types: { Lock: {} } }], edge_types: [] } };
const SECRET = "The vault code of Marrowgate is seven owls.";
const CORRECTION = {
  ...{ kind: "rename", name: "Private keep" },
  entity: { type: "Place", name: "Marrowgate" },
};

interface Things {
  readonly project_id: string;
  readonly job_id: string;
  readonly ontology_id: string;
  readonly webhook_id: string;
  readonly correction_id: string;
}

/**
 * For every endpoint: a request that names another account's things, and what it is answered. "own" means
 * that the endpoint names nothing of others and answers out of the caller's own account.
 */
const foreign: {
  readonly [Name in EndpointName]: {
    readonly input: (things: Things) => EndpointInput;
    readonly answer: { readonly status: number; readonly detail: string } | "own";
  };
} = {
  createProject: {
    input: ({ ontology_id }) => ({ body: { name: "Borrowed", ontology_id } }),
    answer: { status: 404, detail: "Ontology not found or not accessible" },
  },
  listProjects: { input: () => ({}), answer: "own" },
  getProject: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  renameProject: {
    input: (params) => ({ params: { ...params }, body: { name: "Stolen" } }),
    answer: NO_ACCESS,
  },
  changeProject: {
    input: (params) => ({ params: { ...params }, body: { name: "Stolen" } }),
    answer: NO_ACCESS,
  },
  deleteProject: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  reembedProject: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getReembedding: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  cancelReembedding: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  rereadProject: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  rereadDocuments: {
    input: (params) => ({ params: { ...params }, body: { source_doc_ids: ["vault"] } }),
    answer: NO_ACCESS,
  },
  getReread: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  cancelReread: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  ingest: {
    input: (params) => ({ params: { ...params }, body: { text: "Planted.", source_doc_id: "vault" } }),
    answer: NO_ACCESS,
  },
  ingestBatch: {
    input: (params) => ({
      params: { ...params },
      body: { documents: [{ text: "Planted.", source_doc_id: "vault" }] },
    }),
    answer: NO_ACCESS,
  },
  uploadFiles: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  ingestUrl: {
    input: (params) => ({ params: { ...params }, body: { url: "https://pages.example/" } }),
    answer: NO_ACCESS,
  },
  getDocumentFile: {
    input: (params) => ({ params: { ...params, source_doc_id: "vault" } }),
    answer: NO_ACCESS,
  },
  listJobs: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  getJob: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  getQueue: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  retryJobs: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  cancelJobs: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  recordFeedback: {
    input: (params) => ({ params: { ...params }, body: { rating: "up", query: "Planted?", answer: "" } }),
    answer: NO_ACCESS,
  },
  listFeedback: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  createCorrections: {
    input: (params) => ({ params: { ...params }, body: { corrections: [CORRECTION] } }),
    answer: NO_ACCESS,
  },
  listCorrections: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  listCorrectionExamples: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  addExamplesToOntology: {
    input: (params) => ({ params: { ...params }, body: { bind: true } }),
    answer: NO_ACCESS,
  },
  getCorrectionEvidence: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  deleteCorrection: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  query: {
    input: (params) => ({ params: { ...params }, body: { query: "What is the vault code?" } }),
    answer: NO_ACCESS,
  },
  suggestOntology: { input: () => ({ body: { usecase: "Keepers open locks." } }), answer: "own" },
  lintOntology: { input: () => ({ body: { schema: SCHEMA } }), answer: "own" },
  createOntology: { input: () => ({ body: { name: "Own", schema: SCHEMA } }), answer: "own" },
  listOntologies: { input: () => ({}), answer: "own" },
  getOntology: {
    input: (params) => ({ params: { ...params } }),
    answer: NO_ONTOLOGY,
  },
  replaceOntology: {
    input: (params) => ({ params: { ...params }, body: { name: "Stolen", schema: SCHEMA } }),
    answer: NO_ONTOLOGY,
  },
  importOntology: {
    input: () => ({ body: { name: "Own", content: "<a> a <http://www.w3.org/2002/07/owl#Class> ." } }),
    answer: "own",
  },
  exportOntology: { input: (params) => ({ params: { ...params } }), answer: NO_ONTOLOGY },
  deleteOntology: { input: (params) => ({ params: { ...params } }), answer: NO_ONTOLOGY },
  listOntologyVersions: { input: (params) => ({ params: { ...params } }), answer: NO_ONTOLOGY },
  diffOntology: { input: (params) => ({ params: { ...params } }), answer: NO_ONTOLOGY },
  listDocuments: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getDocument: {
    input: (params) => ({ params: { ...params, source_doc_id: "vault" } }),
    answer: NO_ACCESS,
  },
  deleteDocument: {
    input: (params) => ({ params: { ...params, source_doc_id: "vault" } }),
    answer: NO_ACCESS,
  },
  getChunk: { input: (params) => ({ params: { ...params, chunk_id: "1.0" } }), answer: NO_ACCESS },
  listEntities: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getEntity: { input: (params) => ({ params: { ...params, entity_id: "1" } }), answer: NO_ACCESS },
  listRelationships: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  listProposals: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  listAssociations: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getGraphOverview: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  findGraphPath: {
    input: (params) => ({ params: { ...params }, query: { from: "1", to: "2" } }),
    answer: NO_ACCESS,
  },
  listUnrelatedEntities: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  matchGraph: {
    input: (params) => ({ params: { ...params }, body: { nodes: [{}] } }),
    answer: NO_ACCESS,
  },
  exportGraph: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getGraphFit: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getProjectStats: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getProjectConfig: { input: (params) => ({ params: { ...params } }), answer: NO_ACCESS },
  getUsage: { input: () => ({}), answer: "own" },
  watchJob: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  watchProject: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  cancelJob: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  retryJob: { input: (params) => ({ params: { ...params } }), answer: NOT_AUTHORIZED },
  createWebhook: { input: () => ({ body: { url: "https://hooks.example/own" } }), answer: "own" },
  listWebhooks: { input: () => ({}), answer: "own" },
  getWebhook: { input: (params) => ({ params: { ...params } }), answer: NO_WEBHOOK },
  changeWebhook: {
    input: (params) => ({ params: { ...params }, body: { url: "https://hooks.example/taken" } }),
    answer: NO_WEBHOOK,
  },
  deleteWebhook: { input: (params) => ({ params: { ...params } }), answer: NO_WEBHOOK },
  listWebhookDeliveries: { input: (params) => ({ params: { ...params } }), answer: NO_WEBHOOK },
  testWebhook: { input: (params) => ({ params: { ...params } }), answer: NO_WEBHOOK },
};

describeOnEach((setting) => {
  const use = useService(setting, {});
  let things: Things = { project_id: "", job_id: "", ontology_id: "", webhook_id: "", correction_id: "" };
  let seenAtFirst: unknown;
  before(async () => {
    const { owner } = use();
    const project_id = await createProject(owner, "Private ledger");
    const [job] = await ingestAll(owner, project_id, [{ text: SECRET, source_doc_id: "vault" }]);
    const ontology = await owner.succeed("createOntology", { body: { name: "Private", schema: SCHEMA } });
    const { webhook_id } = await owner.succeed("createWebhook", {
      body: { url: "https://hooks.example/private" },
    });
    await owner.succeed("recordFeedback", {
      params: { project_id },
      body: { rating: "up", query: "What is the vault code?", answer: "It is seven owls." },
    });
    const made = await owner.succeed("createCorrections", {
      params: { project_id },
      body: { corrections: [CORRECTION] },
    });
    const correction_id = made.corrections[0]?.correction_id ?? "";
    things = { project_id, job_id: job?.job_id ?? "", ontology_id: ontology.id, webhook_id, correction_id };
    seenAtFirst = await ownersView(owner);
  });

  /** Everything that the owner has, as the owner sees it. */
  async function ownersView(owner: Client): Promise<unknown> {
    const params = { project_id: things.project_id };
    return {
      projects: await owner.succeed("listProjects"),
      ontologies: await owner.succeed("listOntologies"),
      jobs: await owner.succeed("listJobs", { params }),
      webhooks: await owner.succeed("listWebhooks"),
      chunks: await placedChunks(owner, things.project_id),
      feedback: await owner.succeed("listFeedback", { params }),
      corrections: await owner.succeed("listCorrections", { params }),
    };
  }

  test("the table of this file names every endpoint of the contract", () => {
    assert.deepEqual(new Set(Object.keys(foreign)), new Set(names));
  });

  for (const name of names) {
    describe(`${endpoints[name].method} ${endpoints[name].path}`, () => {
      test("no key, a malformed one, an unknown one and another scheme all answer the same 401", async () => {
        const { baseUrl, nobody, home } = use();
        const input = foreign[name].input(things);
        const replies = [await nobody.endpoint(name, input)];
        const unknown = `kcs_${"0".repeat(48)}`;
        for (const key of [
          unknown,
          "kcs_",
          "secret",
          home.ownerKey.slice(0, -1),
          home.ownerKey.toUpperCase(),
        ]) {
          const client = createClient(baseUrl, key);
          replies.push(await client.endpoint(name, input));
          client.close();
        }
        const { method } = endpoints[name];
        const body = input.body;
        for (const authorization of ["Bearer", `Basic ${home.ownerKey}`, home.ownerKey, "Bearer a b"]) {
          replies.push(
            await nobody.call(method, endpointPath(name, input), { body, headers: { authorization } }),
          );
        }
        for (const query of [`api_key=${home.ownerKey}`, `authorization=Bearer%20${home.ownerKey}`]) {
          replies.push(await nobody.call(method, `${endpointPath(name, input)}?${query}`, { body }));
        }
        const headers = { "x-api-key": home.ownerKey, cookie: `key=${home.ownerKey}` };
        replies.push(await nobody.call(method, endpointPath(name, input), { body, headers }));
        for (const reply of replies) {
          assertFault(reply, 401, "Invalid API key");
          assert.equal(reply.headers["www-authenticate"], "Bearer");
        }
      });

      test("another account's key gets nothing of this account and changes nothing of it", async () => {
        const { owner, stranger } = use();
        const { input, answer } = foreign[name];
        const reply = await stranger.endpoint(name, input(things));
        if (answer === "own") readSuccess(name, reply);
        else assertFault(reply, answer.status, answer.detail);
        for (const trace of [things.job_id, things.ontology_id, things.webhook_id, "seven owls", "Private"]) {
          assert.ok(!reply.text.includes(trace), reply.text);
        }
        assert.deepEqual(await ownersView(owner), seenAtFirst);
      });
    });
  }

  test("what one account makes is in its own lists alone", async () => {
    const { owner, stranger } = use();
    const project_id = await createProject(stranger, "Theirs");
    const { id } = await stranger.succeed("createOntology", { body: { name: "Theirs", schema: SCHEMA } });
    const seen = async (client: Client) => ({
      projects: (await client.succeed("listProjects")).projects.map((project) => project.project_id),
      ontologies: (await client.succeed("listOntologies")).ontologies.map((ontology) => ontology.id),
    });
    const [mine, theirs] = [await seen(owner), await seen(stranger)];
    assert.ok(theirs.projects.includes(project_id) && theirs.ontologies.includes(id));
    assert.ok(mine.projects.includes(things.project_id) && mine.ontologies.includes(things.ontology_id));
    assert.deepEqual(
      [...mine.projects, ...mine.ontologies].filter((one) =>
        [...theirs.projects, ...theirs.ontologies].includes(one),
      ),
      [],
    );
  });

  test("the same document id in two accounts' projects is two documents", async () => {
    const { owner, stranger } = use();
    const theirs = await createProject(stranger);
    await ingestAll(stranger, theirs, [{ text: "A public notice.", source_doc_id: "vault" }]);
    assert.deepEqual(
      (await placedChunks(owner, things.project_id)).map((chunk) => chunk.text),
      [SECRET],
    );
    assert.deepEqual(
      (await placedChunks(stranger, theirs)).map((chunk) => chunk.text),
      ["A public notice."],
    );
  });
});
