import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSED_SIGN_UP_LIMITS } from "../domain/limits.ts";
import type { Project } from "../domain/project.ts";
import type { AcceptDocuments, AcceptOutcome, Store } from "../ports/store.ts";
import { createIngestionService, type IngestRate } from "./ingestion.ts";

const caller = { accountId: "account", via: "api_key" } as const;
const projectId = `prj_${"a".repeat(32)}`;

test("documents with more metadata than is written at once are refused together", async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 32 }, (_, at) => [`k${at}`, "\u{1F600}".repeat(500)]),
  );
  const accepted: number[] = [];
  const service = createIngestionService({
    store: {
      findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
      acceptDocuments: async ({ documents }: AcceptDocuments) => {
        accepted.push(documents.length);
        return { kind: "accepted" };
      },
    } as Partial<Store> as Store, // Has the methods that an ingest calls.
    limits: CLOSED_SIGN_UP_LIMITS,
    requestsPerMinute: null,
    tokenLimit: null,
    now: () => 0,
    onAccepted: () => undefined,
    onCancelled: () => undefined,
  });
  const accept = (count: number) => {
    const documents = Array.from({ length: count }, (_, at) => ({
      text: "x",
      sourceDocId: `${at}`,
      metadata,
    }));
    return service.accept(caller, projectId, () => documents);
  };
  await accept(100);
  await assert.rejects(accept(200), {
    kind: "invalid_input",
    message: /^metadata: .* 8388608 bytes together/,
  });
  assert.deepEqual(accepted, [100]);
});

async function rateAfter(outcome: AcceptOutcome, requestsPerMinute: number | null) {
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
    acceptDocuments: async () => outcome,
  };
  let accepted = 0;
  const service = createIngestionService({
    store: store as Store, // Has the methods that an ingest calls.
    limits: CLOSED_SIGN_UP_LIMITS,
    requestsPerMinute,
    tokenLimit: null,
    now: () => 0,
    onAccepted: () => void accepted++,
    onCancelled: () => undefined,
  });
  const rates: IngestRate[] = [];
  const onRate = (rate: IngestRate) => void rates.push(rate);
  const accept = service.accept(caller, projectId, () => [], { onRate });
  const kind = await accept.then(() => "accepted").catch((error) => error.kind);
  return { kind, rates, accepted };
}

test("the rate after an ingest has whole seconds, at least one, also after a refused ingest", async () => {
  const accepted = { kind: "accepted", rate: { requests: 3, resetMs: 1_001 } } as const;
  const now = { ...accepted, rate: { requests: 3, resetMs: 0 } };
  const ofFive = { perMinute: 5, left: 3, resetSeconds: 2 };
  assert.deepEqual(await rateAfter(accepted, 5), { kind: "accepted", rates: [ofFive], accepted: 1 });
  assert.deepEqual((await rateAfter(now, 5)).rates, [{ ...ofFive, resetSeconds: 1 }]);
  assert.deepEqual(await rateAfter({ kind: "rate_limited", retryAfterMs: 59_001 }, 5), {
    kind: "too_many_requests",
    rates: [{ perMinute: 5, left: 0, resetSeconds: 60 }],
    accepted: 0,
  });
  assert.deepEqual((await rateAfter({ kind: "accepted" }, null)).rates, []);
});
