import assert from "node:assert/strict";
import { NO_FACTS } from "../../../src/domain/ontology/allowed-facts.ts";
import { type Behaviour, commit, ingest, month, rowBytes } from "../scenario.ts";

export const projectBehaviours: readonly Behaviour[] = [
  [
    "a project is found as it was created, and by its id alone",
    async ({ store, project }) => {
      const made = await project();
      assert.deepEqual(await store.findProject({ projectId: made.projectId }), made);
      assert.equal(await store.findProject({ projectId: `${made.projectId}x` }), null);
    },
  ],
  [
    "projects of an account are listed newest first, with their ontology's name, and page by page",
    async ({ store, project, id }) => {
      const accountId = id("account");
      const ontologyId = id("ontology");
      const schemaJson = '{"a":"\\u0000"}';
      const ontology = { ontologyId, accountId, name: "Ships", createdAt: 5, schemaJson, version: 1 };
      await store.createOntology({
        ontology,
        allowedFacts: NO_FACTS,
        maxPerAccount: 10,
        maxStoredBytes: null,
      });
      const first = await project({ accountId });
      const second = await project({ accountId, ontologyId });
      await project();
      const step = { accountId, before: null, limit: 100, offset: 0 };
      const [newest, oldest, ...more] = await store.listProjects(step);
      assert(newest && oldest && more.length === 0);
      assert.deepEqual(newest, { project: second, ontologyName: "Ships", place: newest.place });
      assert.deepEqual(oldest, { project: first, ontologyName: null, place: oldest.place });
      for (const part of [
        { ...step, limit: 1, offset: 1 },
        { ...step, before: newest.place },
      ])
        assert.deepEqual(await store.listProjects(part), [oldest]);
      assert.deepEqual(await store.listProjects({ ...step, before: oldest.place }), []);
    },
  ],
  [
    "an account gets no more projects than it may have, and a deleted one makes room",
    async ({ store, project, id }) => {
      const accountId = id("account");
      const made = await project({ accountId });
      const another = { ...made, projectId: id("project") };
      assert.equal(await store.createProject({ project: another, maxPerAccount: 1 }), "too_many");
      assert.equal(await store.findProject({ projectId: another.projectId }), null);
      assert.equal(await store.deleteProject({ projectId: made.projectId }), true);
      assert.equal(await store.deleteProject({ projectId: made.projectId }), false);
      assert.equal(await store.createProject({ project: another, maxPerAccount: 1 }), "created");
      await store.deleteProject({ projectId: another.projectId });
    },
  ],
  [
    "ontologies count among the stored bytes of their account, together with its texts",
    async (scenario) => {
      const { store, id } = scenario;
      const project = await scenario.project();
      const { accountId } = project;
      await scenario.accept(project, [["a", "four"]]);
      const create = (schemaJson: string, maxStoredBytes: number | null) =>
        store.createOntology({
          ontology: {
            ontologyId: id("ontology"),
            accountId,
            name: "One",
            createdAt: 1,
            schemaJson,
            version: 1,
          },
          allowedFacts: NO_FACTS,
          maxPerAccount: 10,
          maxStoredBytes,
        });
      const schemaJson = '"é"'; // Four bytes.
      const rows = rowBytes("a");
      assert.equal(await create(schemaJson, rows + 7), "too_many_bytes");
      assert.equal(await create(schemaJson, rows + 8), "created");
      assert.equal(await create(schemaJson, null), "created");
      assert.equal((await store.readAccountUse({ accountId, month })).storedBytes, rows + 12);
      const maxStoredBytes = rows + 12 + rowBytes("b");
      const { outcome } = await scenario.accept(project, [["b", "x"]], { maxStoredBytes });
      assert.equal(outcome.kind, "too_many_bytes");
      await store.deleteProject(project);
      assert.equal((await store.readAccountUse({ accountId, month })).storedBytes, 8);
    },
  ],
  [
    "an ontology is found and listed by its own account only, newest first",
    async ({ store, id }) => {
      const accountId = id("account");
      const ontologies = [1, 2, 3].map((number) => ({
        ontologyId: id("ontology"),
        accountId,
        name: `Ontology ${number}`,
        createdAt: number,
        schemaJson: `{ "n": ${number} }`,
        version: 1,
      }));
      for (const ontology of ontologies) {
        assert.equal(
          await store.createOntology({
            ontology,
            allowedFacts: NO_FACTS,
            maxPerAccount: 3,
            maxStoredBytes: null,
          }),
          "created",
        );
      }
      const [first, , third] = ontologies;
      assert(first && third);
      const fourth = { ...first, ontologyId: id("ontology") };
      assert.equal(
        await store.createOntology({
          ontology: fourth,
          allowedFacts: NO_FACTS,
          maxPerAccount: 3,
          maxStoredBytes: null,
        }),
        "too_many",
      );
      const { ontologyId } = first;
      assert.deepEqual(await store.findOntology({ accountId, ontologyId }), first);
      assert.equal(await store.findOntology({ accountId: id("account"), ontologyId }), null);
      const { schemaJson: _, version: __, ...summary } = third;
      const step = { accountId, before: null, limit: 100, offset: 0 };
      const [newest, ...rest] = await store.listOntologies(step);
      assert(newest);
      assert.deepEqual(newest, { ...summary, place: newest.place });
      assert.deepEqual(await store.listOntologies({ ...step, before: newest.place }), rest);
      assert.deepEqual(
        rest.map((listed) => listed.name),
        ["Ontology 2", "Ontology 1"],
      );
      const page = await store.listOntologies({ ...step, limit: 1, offset: 2 });
      assert.deepEqual(
        page.map((listed) => listed.name),
        ["Ontology 1"],
      );
    },
  ],
  [
    "a deleted project takes everything with it, frees what it counted for, and its running job never brings it back",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "one two"]]);
      const { jobIds } = await scenario.accept(made, [
        ["b", "three four"],
        ["b", "five"],
      ]);
      const running = await scenario.claim();
      assert.equal(await commit(store, running, { count: 1 }), "committed");
      assert.equal(await store.deleteProject({ projectId }), true);

      assert.equal(await commit(store, running, { from: 1 }), "lease_lost");
      const failed = { jobIds, projectId, leaseToken: running.leaseToken, now: 4_000, errorMessage: "x" };
      await store.failJobs({ ...failed, retryAt: null });
      await store.failJobs({ ...failed, retryAt: 5_000 });
      await store.releaseJobs({ leaseToken: running.leaseToken });
      assert.deepEqual(await store.renewLease({ leaseToken: running.leaseToken, leaseUntil: 9_000 }), []);
      assert.deepEqual((await scenario.claim({ now: 1e9 })).jobs, []);
      assert.equal(await store.readIndexState({ projectId }), null);
      assert.deepEqual(await store.listJobs({ projectId, page: { limit: 10, offset: 0 } }), []);
      assert.deepEqual(await store.readChunks({ projectId, keys: [{ versionId: 1, position: 0 }] }), [null]);
      assert.equal(await store.readSegment({ projectId, segmentId: 1 }), null);

      // The account has its whole allowance back.
      const next = await scenario.project({ accountId: made.accountId });
      const limits = { maxPendingJobs: 1, maxStoredBytes: rowBytes("a") + 3 };
      assert.equal((await scenario.accept(next, [["a", "one"]], limits)).outcome.kind, "accepted");
    },
  ],
];
