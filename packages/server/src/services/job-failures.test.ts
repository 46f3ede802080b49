import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimedJob } from "../domain/job.ts";
import { InvalidExtractionError } from "../engine/ingest/extract/model/create-model-extractor.ts";
import { EmbedderUnavailableError, EmbeddingError, missingEmbedder } from "../ports/embedder.ts";
import { ReaderUnavailableError } from "../ports/entity-reader.ts";
import { NO_ROOM } from "../ports/file-converter.ts";
import { ModelError, type ModelFailure } from "../ports/language-model.ts";
import { type JobQueue, StoreUnavailableError } from "../ports/store.ts";
import { createJobFailureHandler } from "./job-failures.ts";

const NOW = 1_000_000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function job(attempts: number): ClaimedJob {
  return {
    jobId: `job-${attempts}`,
    projectId: "p",
    accountId: "a",
    sourceDocId: "d",
    config: {
      embeddingModel: "model",
      embeddingDimensions: 4,
      chunkTokens: 8,
      chunkOverlapTokens: 0,
      extraction: "none",
    },
    ontology: null,
    versionId: 1,
    text: "text",
    metadata: {},
    nextPosition: 0,
    replacesVersionId: null,
    attempts,
    startedAt: NOW,
  };
}

type Failed = Parameters<JobQueue["failJobs"]>[0];

function recording() {
  const failed: Failed[] = [];
  const store = {
    failJobs: async (input: Failed) => {
      failed.push(input);
    },
  };
  return { failed, failures: createJobFailureHandler({ store, log: quiet, now: () => NOW }) };
}

test("an internal error is retried with growing pauses; the fifth one fails the job with a text that reveals no detail", async () => {
  const { failed, failures } = recording();
  const error = new Error("ENOENT: /private/path");
  for (let attempts = 0; attempts < 5; attempts++)
    await failures.postponeOrFail(job(attempts), { leaseToken: "t", error });
  assert.deepEqual(
    failed.map(({ retryAt }) => retryAt && retryAt - NOW),
    [2_000, 4_000, 8_000, 16_000, null],
  );
  for (const { errorMessage, countAttempt } of failed) {
    assert.doesNotMatch(errorMessage, /private/);
    assert.equal(countAttempt, true);
  }
});

test("a local reader that cannot be used postpones a job with its text, for up to an hour", async () => {
  const { failed, failures } = recording();
  const error = new ReaderUnavailableError("relations.onnx is damaged.");
  await failures.postponeOrFail(job(99), { leaseToken: "t", error });
  const [postponed] = failed;
  assert.equal(postponed?.errorMessage, "relations.onnx is damaged.");
  assert.equal(postponed?.countAttempt, false);
  assert.equal((postponed?.retryAt ?? 0) - NOW, 15_000);
});

test("an outage postpones a job as long as it lasts and never fails it", async () => {
  const { failed, failures } = recording();
  const outages = [
    new StoreUnavailableError("disk_full", "The disk is full.", null),
    new StoreUnavailableError("connection_lost", "The server is away.", null),
    new EmbedderUnavailableError("There is no model.", null),
    // Of a temporary file.
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  ];
  for (const error of outages) await failures.postponeOrFail(job(99), { leaseToken: "t", error });
  for (const { retryAt, countAttempt } of failed) {
    assert.ok(retryAt !== null && retryAt > NOW);
    assert.equal(countAttempt, false);
  }
  assert.deepEqual(
    failed.map(({ errorMessage }) => errorMessage),
    [
      "The disk is full.",
      "Database connection lost",
      "There is no model.",
      "The service's disk is full or faulty; the job goes on when there is room",
    ],
  );
});

test("a file that the disk has no room for is tried five times, and then fails with what its owner can do", async () => {
  const { failed, failures } = recording();
  const error = Object.assign(new Error("No room."), { code: NO_ROOM });
  for (const attempts of [0, 4]) await failures.postponeOrFail(job(attempts), { leaseToken: "t", error });
  assert.deepEqual(
    failed.map(({ retryAt, countAttempt }) => [retryAt && retryAt - NOW, countAttempt]),
    [
      [2_000, true],
      [null, true],
    ],
  );
  assert.match(failed[1]?.errorMessage ?? "", /more than the service's disk has room for; unpack it/);
});

test("a job whose worker died five times is failed, and the others continue", async () => {
  const { failed, failures } = recording();
  const left = await failures.failPoisoned([job(0), job(5), job(4)], "t");
  assert.deepEqual(
    left.map(({ attempts }) => attempts),
    [0, 4],
  );
  assert.deepEqual(
    failed.map(({ jobIds, retryAt }) => [jobIds, retryAt]),
    [[["job-5"], null]],
  );
});

test("an error of the language model fails the job at once, with the documented text", async () => {
  const { failed, failures } = recording();
  const kinds: readonly ModelFailure[] = ["timeout", "unavailable", "rate_limited", "token_limit", "refused"];
  for (const kind of kinds)
    await failures.postponeOrFail(job(0), {
      leaseToken: "t",
      error: new ModelError(kind, "key sk-123 is wrong"),
    });
  await failures.postponeOrFail(job(0), { leaseToken: "t", error: new InvalidExtractionError() });
  assert.deepEqual(
    failed.map(({ errorMessage, retryAt }) => [errorMessage, retryAt]),
    [
      ["LLM API timeout after 3 retries", null],
      ["LLM API timeout after 3 retries", null],
      ["LLM API timeout after 3 retries", null],
      ["Token usage limit exceeded", null],
      ["The language model refused to work on this document; the service's log has the cause", null],
      ["Invalid extraction: missing required properties", null],
    ],
  );
});

test("a job waits for a model behind an open circuit breaker, for an hour from the start of the job", async () => {
  const { failed, failures } = recording();
  const error = new ModelError("unavailable", "open", { retryAt: NOW + 30_000 });
  const minutesAgo = (minutes: number) => ({ ...job(3), startedAt: NOW - minutes * 60_000 });
  await failures.postponeOrFail(minutesAgo(0), { leaseToken: "t", error });
  await failures.postponeOrFail(minutesAgo(59), { leaseToken: "t", error });
  await failures.postponeOrFail(minutesAgo(60), { leaseToken: "t", error });
  await failures.postponeOrFail(job(0), {
    leaseToken: "t",
    error: new ModelError("unavailable", "open", { retryAt: NOW + 86_400_000 }),
  });
  assert.deepEqual(
    failed.map(({ retryAt, countAttempt }) => [retryAt && retryAt - NOW, countAttempt]),
    [
      [30_000, false],
      [30_000, false],
      [null, false],
      [300_000, false],
    ],
  );
});

test("a job waits an hour for an unavailable embedding provider, and fails at once where waiting cannot help", async () => {
  const { failed, failures } = recording();
  const down = new EmbeddingError("unavailable", "It gave no vectors.", { retryAt: NOW + 40_000 });
  const late = { ...job(0), startedAt: NOW - 60 * 60_000 };
  const missing = missingEmbedder({ model: "ollama/gone", dimensions: 7 });
  await failures.postponeOrFail(job(0), { leaseToken: "t", error: down });
  await failures.postponeOrFail(late, { leaseToken: "t", error: down });
  await failures.postponeOrFail(job(0), { leaseToken: "t", error: missing });
  assert.deepEqual(
    failed.map(({ retryAt, countAttempt, errorMessage }) => [retryAt, countAttempt, errorMessage]),
    [
      [NOW + 40_000, false, "It gave no vectors."],
      [null, false, "It gave no vectors."],
      [null, false, missing.message],
    ],
  );
});
