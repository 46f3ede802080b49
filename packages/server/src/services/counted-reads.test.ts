/** What counts the jobs of a project is read once at a time for an account: a million of them take a reader tenths of a second. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../domain/ids.ts";
import type { JobQueueState } from "../domain/job-queue.ts";
import type { Project } from "../domain/project.ts";
import type { GraphTypes } from "../ports/graph-store.ts";
import type { ProjectNumbers } from "../ports/project-numbers.ts";
import type { Store } from "../ports/store.ts";
import { createJobQueueService } from "./job-queue.ts";
import { createProjectNumbersService, type ModelsInUse } from "./project-numbers.ts";

const projectId = newId("prj");
const caller = { accountId: "acc_of_the_owner", via: "api_key" } as const;

function setUp() {
  let [reading, most] = [0, 0];
  const read = async <Result>(result: Result): Promise<Result> => {
    most = Math.max(most, ++reading);
    await new Promise((resolve) => setImmediate(resolve));
    reading--;
    return result;
  };
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
    readJobQueue: () =>
      read({
        pending: 0,
        running: 0,
        lastEnds: [],
        othersUnfinished: 0,
        reread: null,
      } as unknown as JobQueueState), // The fields that are read.
    readProjectNumbers: () => read({} as ProjectNumbers), // Not read.
    readGraphTypes: async () => ({}) as GraphTypes, // Not read.
  };
  return { store: store as Store, most: () => most };
}

test("queues are read one after another for an account", async () => {
  const { store, most } = setUp();
  const queues = createJobQueueService({
    store,
    ingestion: { retry: () => assert.fail("nothing is retried") },
    now: () => 0,
    onCancelled: () => undefined,
    log: { warn: () => undefined },
  });
  await Promise.all(Array.from({ length: 4 }, () => queues.read(caller, projectId)));
  assert.equal(most(), 1);
});

test("statistics are read one after another for an account", async () => {
  const { store, most } = setUp();
  const numbers = createProjectNumbersService({ store, inUse: {} as ModelsInUse }); // Not read.
  await Promise.all(Array.from({ length: 4 }, () => numbers.getStats(caller, projectId)));
  assert.equal(most(), 1);
});
