import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "../domain/project.ts";
import { completedWithoutMove, type Reembedding } from "../domain/reembedding.ts";
import type { StartOutcome } from "../ports/reembed-store.ts";
import type { Store } from "../ports/store.ts";
import { createReembeddingService } from "./reembedding.ts";

const caller = { accountId: "account", via: "api_key" } as const;
const projectId = `prj_${"a".repeat(32)}`;
const OLD = { model: "old/model", dimensions: 2 };
const NEW = { model: "new/model", dimensions: 3 };
/** The move that the store knows: it is under way to `NEW`, or failed on its way there. */
const MOVE = { ...completedWithoutMove(projectId, { space: NEW, chunks: 3 }), from: OLD, createdAt: 1 };

function sceneOf(given: { outcome: StartOutcome; status?: Reembedding["status"]; hasTokens?: boolean }) {
  const move: Reembedding = { ...MOVE, status: given.status ?? "pending" };
  const config = { embeddingModel: OLD.model, embeddingDimensions: OLD.dimensions };
  const project = { projectId, accountId: caller.accountId, config } as Project; // The fields that are read.
  const store: Partial<Store> = {
    findProject: async () => project,
    findReembedding: async () => move,
    startReembedding: async () => given.outcome,
    readProjectNumbers: async () => ({ chunks: 4 }) as Awaited<ReturnType<Store["readProjectNumbers"]>>,
  };
  let wakings = 0;
  const service = createReembeddingService({
    store: store as Store, // Has the methods that a start calls.
    spaces: [NEW, OLD],
    allowance: { hasTokens: async () => given.hasTokens ?? true },
    now: () => 0,
    wake: () => void wakings++,
  });
  const start = (model: string | null) => service.start(caller, projectId, () => model);
  return { start, move, wakings: () => wakings };
}

test("a started move wakes the worker; a project that has the model already is answered as moved", async () => {
  const begun = sceneOf({ outcome: "begun" });
  assert.deepEqual([await begun.start(null), begun.wakings()], [begun.move, 1]);
  const settled = sceneOf({ outcome: "settled", status: "failed" });
  const without = completedWithoutMove(projectId, { space: OLD, chunks: 4 });
  assert.deepEqual([await settled.start(OLD.model), settled.wakings()], [without, 0]);
});

test("a start during a move to another model, or to an unknown one, is refused", async () => {
  const elsewhere = sceneOf({ outcome: "elsewhere" });
  await assert.rejects(elsewhere.start(OLD.model), { kind: "conflict" });
  await assert.rejects(elsewhere.start("no/model"), { kind: "invalid_input" });
  assert.equal(elsewhere.wakings(), 0);
});

test("without tokens only a start that begins no new move is answered", async () => {
  const failed = sceneOf({ outcome: "settled", status: "failed", hasTokens: false });
  await assert.rejects(failed.start(NEW.model), { message: /token/i });
  assert.equal((await failed.start(OLD.model)).status, "completed");
  for (const status of ["pending", "running"] as const) {
    const active = sceneOf({ outcome: "under_way", status, hasTokens: false });
    assert.equal((await active.start(NEW.model)).status, status);
  }
});
