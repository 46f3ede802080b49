import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import type { RetryJob } from "../../../src/ports/event-store.ts";
import type { NewFile } from "../../../src/ports/file-store.ts";
import { type Behaviour, commit, ingest, month, rowBytes, type Scenario, visibleWords } from "../scenario.ts";
import { claimFile, convert, failFile, receive, sendFiles, storedBytes, upkeep } from "./file-scene.ts";

const noLimits = { maxPendingJobs: null, maxStoredBytes: null };

/** The members of an archive, received. */
async function unpack(
  scenario: Scenario,
  project: Project,
  files: readonly (readonly [sourceDocId: string, piece: string])[],
): Promise<readonly NewFile[]> {
  const members: NewFile[] = [];
  for (const [sourceDocId, piece] of files) {
    const content = await receive(scenario, project, { pieces: [piece] });
    members.push({ ...content, jobId: scenario.id("job"), sourceDocId, name: "x" });
  }
  return members;
}

/** Returns the id of the new job. */
async function retry(
  { store, id }: Scenario,
  { projectId, accountId }: Project,
  failedJobId: string,
): Promise<string> {
  const input: RetryJob = {
    ...{ projectId, accountId, failedJobId, jobId: id("job"), now: 5_000, month },
    ...{ ...noLimits, requestsPerMinute: null, tokenLimit: null },
  };
  assert.equal((await store.retryJob(input)).kind, "accepted");
  return input.jobId;
}

async function ingestClaimed(scenario: Scenario): Promise<void> {
  const held = await scenario.claim({ now: 4_000 });
  for (const job of held.jobs) await commit(scenario.store, held, { job });
}

export const archiveBehaviours: readonly Behaviour[] = [
  [
    "the members of an archive take its place, all or none",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["files.zip", ["PK"], { year: 1994 }]]);
      const { leaseToken } = await claimFile(scenario);
      const members = await unpack(scenario, made, [
        ["files/a", "one"],
        ["files/b", "two"],
      ]);
      const input = { projectId, jobId, leaseToken, now: 3_000, members, maxStoredBytes: null };
      assert.equal(await store.acceptMembers({ ...input, maxPendingJobs: 1 }), "too_many_pending");
      assert.equal(await store.acceptMembers({ ...input, maxPendingJobs: 2 }), "stored");
      assert.equal(await store.acceptMembers({ ...input, maxPendingJobs: 2 }), "lease_lost");
      assert.equal((await store.findJob({ projectId, jobId }))?.status, "completed");
      assert.equal(await store.readDocument({ projectId, sourceDocId: "files.zip" }), null);
      for (let files = 0; files < 2; files++) {
        const held = await claimFile(scenario, 3_000);
        assert.deepEqual([held.job.isMember, held.job.metadata], [true, { year: 1994 }]);
        await convert(scenario, held);
      }
      const held = await scenario.claim({ maxJobs: 2 });
      for (const job of held.jobs) await commit(store, held, { job });
      await upkeep(scenario, 4_000);
      assert.deepEqual(await visibleWords(store, projectId), { "files/a": ["one"], "files/b": ["two"] });
      assert.equal(await storedBytes(scenario, made), 2 * (3 + 3 + 13));
      const use = await store.listUsage({ accountId: made.accountId, from: "1970-01-01", to: "1970-01-01" });
      assert.equal(use[0]?.documents, 3);
    },
  ],
  [
    "a member makes way for what was sent after its archive, however late that is unpacked",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const files = ["first.zip", "second.zip"].map((id) => [id, ["PK"]] as const);
      const [first = "", second = ""] = await sendFiles(scenario, made, files);
      const held = [await claimFile(scenario), await claimFile(scenario)];
      const accept = async (jobId: string, members: readonly (readonly [string, string])[]) =>
        store.acceptMembers({
          ...{ projectId, jobId, now: 3_000, ...noLimits },
          leaseToken: held.find(({ job }) => job.jobId === jobId)?.leaseToken ?? "",
          members: await unpack(scenario, made, members),
        });
      await ingest(scenario, made, [["c", "new"]]);
      const olds = ["a", "b", "c"].map((id) => [id, `old-${id}`] as const);
      assert.equal(await accept(first, olds), "stored");
      // Its members have later jobs than those of the second archive, which was sent later.
      assert.equal(await accept(second, [["b", "newer"]]), "stored");
      for (let left = 0; left < 3; left++) {
        const file = await claimFile(scenario, 3_000);
        await convert(scenario, file);
        await ingestClaimed(scenario);
      }
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old-a"], b: ["newer"], c: ["new"] });
      assert.equal((await store.findJob({ projectId, jobId: first }))?.status, "completed");
    },
  ],
  [
    "a member is kept where what was sent after its archive has failed or was cancelled",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["files.zip", ["PK"]]]);
      const { leaseToken } = await claimFile(scenario);
      const { jobIds } = await scenario.accept(made, [["a", "sent again"]]);
      await store.cancelJob({ projectId, jobId: jobIds[0] ?? "", now: 2_500 });
      const members = await unpack(scenario, made, [["a", "one"]]);
      const input = { projectId, jobId, leaseToken, now: 3_000, members };
      assert.equal(await store.acceptMembers({ ...input, ...noLimits }), "stored");
      await convert(scenario, await claimFile(scenario, 3_000));
      await ingestClaimed(scenario);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });
    },
  ],
  [
    "an archive that is unpacked at a second try leaves nothing of the first",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [failed = ""] = await sendFiles(scenario, made, [["files.zip", ["PK"], { year: 1994 }]]);
      await failFile(scenario, await claimFile(scenario));
      const jobId = await retry(scenario, made, failed);
      const { leaseToken } = await claimFile(scenario, 5_000);
      const members = await unpack(scenario, made, [["files/a", "one"]]);
      const input = { projectId, jobId, leaseToken, now: 6_000, members };
      assert.equal(await store.acceptMembers({ ...input, ...noLimits }), "stored");
      assert.equal(await storedBytes(scenario, made), 3 + 13);
    },
  ],
  [
    "a retried member of an archive is still a member, and a retried archive is none",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [failed = ""] = await sendFiles(scenario, made, [["files.zip", ["PK"]]]);
      await failFile(scenario, await claimFile(scenario));
      const jobId = await retry(scenario, made, failed);
      const archive = await claimFile(scenario, 5_000);
      assert.equal(archive.job.isMember, false);
      const members = await unpack(scenario, made, [["files/inner.zip", "PK2"]]);
      const input = { projectId, jobId, leaseToken: archive.leaseToken, now: 6_000, members };
      assert.equal(await store.acceptMembers({ ...input, ...noLimits }), "stored");
      const member = await claimFile(scenario, 6_000);
      await failFile(scenario, member);
      await retry(scenario, made, member.job.jobId);
      assert.equal((await claimFile(scenario, 6_000)).job.isMember, true);
    },
  ],
  [
    "the metadata of an archive fits into the account's storage with each of its members, or none is accepted",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const [jobId = ""] = await sendFiles(scenario, made, [["files.zip", ["PK"], { year: 1994 }]]);
      const { leaseToken } = await claimFile(scenario);
      const members = await unpack(scenario, made, [
        ["files/a", "one"],
        ["files/b", "two"],
      ]);
      const bytes = 2 + 3 + 3 + 2 * 13;
      const input = { projectId, jobId, leaseToken, now: 3_000, members, maxPendingJobs: null };
      const limit = bytes + rowBytes("files.zip", "files/a", "files/b");
      assert.equal(await store.acceptMembers({ ...input, maxStoredBytes: limit - 1 }), "too_many_bytes");
      assert.equal((await store.findJob({ projectId, jobId }))?.status, "running");
      assert.equal(await store.acceptMembers({ ...input, maxStoredBytes: limit }), "stored");
      assert.equal(await storedBytes(scenario, made), bytes - 2);
    },
  ],
];
