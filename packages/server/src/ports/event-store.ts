/** Storage of job progress, webhooks and idempotent requests. */
import type { RequestKey } from "../domain/once.ts";
import type { EndedJob, JobProgress } from "../domain/progress.ts";
import type {
  Attempt,
  Delivery,
  DeliveryStatus,
  SentEvent,
  Webhook,
  WebhookChange,
} from "../domain/webhook.ts";
import type {
  AcceptDocuments,
  AcceptOutcome,
  IngestionStore,
  OntologyStore,
  Page,
  ProjectStore,
} from "./content-store.ts";
import type { CorrectionStore } from "./correction-store.ts";
import type { FileStore } from "./file-store.ts";

export interface WatchedProject {
  readonly projectId: string;
  /** Ended jobs after this place are returned; null = no jobs, only the place of the last one. */
  readonly after: number | null;
}

export interface ProjectProgress extends WatchedProject {
  /** The place of the last ended job; 0 when no job has ended yet. */
  readonly lastPlace: number;
  /** At most 1,000, in the order in which they were accepted. */
  readonly running: readonly JobProgress[];
  /** Ordered by place: the first `maxEnded` jobs after `after`. */
  readonly ended: readonly EndedJob[];
}

export interface ProgressStore {
  /** Jobs and projects that no longer exist are omitted. */
  readProgress(input: {
    readonly jobs: readonly { readonly projectId: string; readonly jobId: string }[];
    readonly projects: readonly WatchedProject[];
    readonly maxEnded: number;
  }): Promise<{ readonly jobs: readonly JobProgress[]; readonly projects: readonly ProjectProgress[] }>;
}

/** "completed", "failed": the job had already ended, and nothing was changed. */
export type CancelOutcome = "cancelled" | "completed" | "failed" | "not_found";

export type RetryJob = Omit<AcceptDocuments, "documents"> & {
  readonly failedJobId: string;
  /** Id of the new job. */
  readonly jobId: string;
};

export type RetryOutcome =
  | AcceptOutcome
  | { readonly kind: "not_found" }
  | { readonly kind: "not_failed"; readonly status: "pending" | "running" | "completed" }
  /** The document has a later job, which has not ended. */
  | { readonly kind: "sent_again"; readonly jobId: string }
  | { readonly kind: "text_gone" };

export interface JobControlStore {
  /**
   * Ends an unfinished job: its worker loses the lease, and its text and what was indexed of it are deleted.
   * The version of the document that was visible before this job stays. "cancelled" also when the job was
   * cancelled before.
   */
  cancelJob(input: { projectId: string; jobId: string; now: number }): Promise<CancelOutcome>;
  /**
   * Accepts the text of a failed job again, like `acceptDocuments`. The text is deleted when its document is
   * ingested again. A failed job of a reread reads the stored text of its document again.
   */
  retryJob(input: RetryJob): Promise<RetryOutcome>;
}

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** A webhook under a lease: until the lease ends, only its holder delivers to it. */
export interface ClaimedWebhook {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
  /** Consecutive failed attempts since the last successful one. */
  readonly failures: number;
  /** Ordered by due time, oldest first. */
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly event: SentEvent;
  readonly attempts: number;
  readonly createdAt: number;
}

export interface RecordAttempt {
  readonly leaseToken: string;
  readonly deliveryId: string;
  readonly attempt: Attempt;
  /** null when the delivery has ended and there is no further attempt. */
  readonly nextAttemptAt: number | null;
}

/**
 * Events are written for the webhooks of an account in the transaction that causes them. A committed event is
 * therefore delivered at least once, even if the process crashes.
 */
export interface WebhookStore {
  createWebhook(input: StoredWebhook & { readonly maxPerAccount: number }): Promise<"created" | "too_many">;
  /** Newest first. */
  listWebhooks(input: { accountId: string }): Promise<readonly Webhook[]>;
  findWebhook(input: { accountId: string; webhookId: string }): Promise<StoredWebhook | null>;
  /**
   * With another URL, or when it is disabled, the lease ends: what is being sent is the last that goes to the old URL. Null when
   * it does not exist.
   */
  changeWebhook(input: {
    accountId: string;
    webhookId: string;
    change: WebhookChange;
    now: number;
  }): Promise<Webhook | null>;
  /** Deletes its deliveries, too. False when it does not exist. */
  deleteWebhook(input: { accountId: string; webhookId: string }): Promise<boolean>;
  /** Newest first. */
  listDeliveries(input: {
    accountId: string;
    webhookId: string;
    page: Page;
    /** null: any. */
    status: DeliveryStatus | null;
  }): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }>;
  /** Whether `claimDeliveries` would find a webhook. */
  nextDelivery(input: { now: number; mostOfAccount: number }): Promise<{ readyNow: boolean }>;
  /**
   * Leases a webhook with a due delivery. Webhooks of the accounts with the fewest leased ones come first, of
   * these the one that has waited longest. null when no webhook is due, or all due ones belong to accounts
   * that are at their limit.
   */
  claimDeliveries(input: {
    leaseToken: string;
    now: number;
    leaseUntil: number;
    limit: number;
    /** Accounts with as many leased webhooks get no more. */
    mostOfAccount: number;
  }): Promise<ClaimedWebhook | null>;
  /** False when the lease, the webhook or the delivery no longer exists; then nothing is written. */
  recordAttempt(input: RecordAttempt): Promise<boolean>;
  /**
   * Disables the leased webhook; its waiting deliveries fail. False when the lease is lost, or when an
   * attempt has succeeded since `unlessDeliveredSince`; then nothing changes.
   */
  disableWebhook(input: {
    leaseToken: string;
    reason: string;
    now: number;
    unlessDeliveredSince: number | null;
  }): Promise<boolean>;
  /** Gives the lease back and deletes old ended deliveries. The webhook is not claimed before `readyAt`. */
  releaseWebhook(input: { leaseToken: string; readyAt: number }): Promise<void>;
  /** Records a delivery that has already ended, and if it succeeded enables a webhook, unless its owner has disabled it. */
  recordTest(input: {
    accountId: string;
    webhookId: string;
    deliveryId: string;
    event: SentEvent;
    attempt: Attempt;
  }): Promise<void>;
}

/** Operations that create something. They are executed once per idempotency key. */
export type CreatingStore = Pick<ProjectStore, "createProject"> &
  Pick<OntologyStore, "createOntology"> &
  Pick<IngestionStore, "acceptDocuments"> &
  Pick<FileStore, "acceptFiles"> &
  Pick<CorrectionStore, "addCorrections"> &
  Pick<JobControlStore, "retryJob"> &
  Pick<WebhookStore, "createWebhook">;

export type CreatingCall = {
  [Name in keyof CreatingStore]: { readonly name: Name; readonly input: Parameters<CreatingStore[Name]>[0] };
}[keyof CreatingStore];

/**
 * "done": executed now, with that result; if the result is a refusal, the key is free again. "answered":
 * executed before, with that answer. "differs": the key belongs to another request.
 */
export type OnceOutcome =
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "answered"; readonly answer: string }
  | { readonly kind: "differs" };

export interface OnceStore {
  /**
   * Executes a creating operation and stores the key with its answer in one transaction, so that a crash
   * leaves either both or neither. Concurrent calls with the same key wait for the first one. Keys are kept
   * for a day, at most 10,000 keys and 64 MiB of answers per account.
   */
  performOnce(input: {
    readonly request: RequestKey;
    readonly accountId: string;
    readonly now: number;
    /** The answer that is stored for the request if the operation succeeds. */
    readonly answer: string;
    readonly call: CreatingCall;
  }): Promise<OnceOutcome>;
  /** What was stored for the key; null where nothing was. */
  findAnswer(input: {
    readonly request: RequestKey;
    readonly accountId: string;
    readonly now: number;
  }): Promise<Exclude<OnceOutcome, { kind: "done" }> | null>;
}
