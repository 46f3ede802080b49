import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSED_SIGN_UP_LIMITS } from "../domain/limits.ts";
import type { Project } from "../domain/project.ts";
import type { Store } from "../ports/store.ts";
import { createFeedbackService } from "./feedback.ts";

const projectId = `prj_${"a".repeat(32)}`;

test("the lists of feedback of an account are read one after another, those of others beside them", async () => {
  let owner = "busy";
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: owner }) as Project, // The fields that are read.
    listFeedback: () => {
      begun.push(owner);
      return new Promise((resolve) => ends.push(() => resolve({ keys: ["a"], total: 1 })));
    },
    readFeedback: async () => [],
  };
  const service = createFeedbackService({
    store: store as Store, // Has the methods that are called.
    limits: CLOSED_SIGN_UP_LIMITS,
    now: () => 0,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const which = () => ({ rating: null, page: { limit: 9, offset: 0 } });
  const lists: Promise<unknown>[] = [];
  for (const accountId of ["busy", "busy", "quiet"]) {
    owner = accountId;
    lists.push(service.list({ accountId, via: "api_key" }, projectId, which));
    await settle();
  }
  assert.deepEqual(begun, ["busy", "quiet"]);
  ends[0]?.();
  await settle();
  assert.equal(begun.length, 3);
  for (const end of ends) end();
  await Promise.all(lists);
});
