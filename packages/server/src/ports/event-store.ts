/** What the store keeps for those who want to know how work goes, and for requests that are sent twice. */
import type { RequestKey } from "../domain/once.ts";
import type { EndedJob, JobProgress } from "../domain/progress.ts";
import type { Attempt, Delivery, SentEvent, Webhook } from "../domain/webhook.ts";
import type {
  AcceptDocuments,
  AcceptOutcome,
  IngestionStore,
  OntologyStore,
  Page,
  ProjectStore,
} from "./content-store.ts";

export interface WatchedProject {
  readonly projectId: string;
  /** The place after which ended jobs are wanted; null = none, only where the last one stands. */
  readonly after: number | null;
}

export interface ProjectProgress extends WatchedProject {
  /** The place of the last job that has ended; 0 before that. */
  readonly lastPlace: number;
  /** At most 1,000, by the order accepted. */
  readonly running: readonly JobProgress[];
  /** By place, the first `maxEnded` after `after`. */
  readonly ended: readonly EndedJob[];
}

export interface ProgressStore {
  /** What is gone is left out. */
  readProgress(input: {
    readonly jobs: readonly { readonly projectId: string; readonly jobId: string }[];
    readonly projects: readonly WatchedProject[];
    readonly maxEnded: number;
  }): Promise<{ readonly jobs: readonly JobProgress[]; readonly projects: readonly ProjectProgress[] }>;
}

/** "completed", "failed": it had ended already, and nothing was changed. */
export type CancelOutcome = "cancelled" | "completed" | "failed" | "not_found";

export type RetryJob = Omit<AcceptDocuments, "documents"> & {
  readonly failedJobId: string;
  /** Of the new job. */
  readonly jobId: string;
};

export type RetryOutcome =
  | AcceptOutcome
  | { readonly kind: "not_found" }
  | { readonly kind: "not_failed"; readonly status: "pending" | "running" | "completed" }
  | { readonly kind: "text_gone" };

export interface JobControlStore {
  /**
   * Ends an unfinished job: its worker loses the lease, and what it has indexed goes with its text. What could be seen of
   * the document before this job stays. "cancelled" also when it was cancelled before.
   */
  cancelJob(input: { projectId: string; jobId: string; now: number }): Promise<CancelOutcome>;
  /** Accepts the text of a failed job again, like `acceptDocuments`. The text goes when its document is ingested anew. */
  retryJob(input: RetryJob): Promise<RetryOutcome>;
}

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** A webhook that one caller delivers to, until its lease ends. */
export interface ClaimedWebhook {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
  /** Tries that failed since the last one that did not. */
  readonly failures: number;
  /** Those due longest first. */
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
  /** null = there is none: the delivery has ended. */
  readonly nextAttemptAt: number | null;
}

/**
 * Events are written for the webhooks of an account in the transaction that makes them happen: one that committed is
 * delivered at least once, whatever happens to the process.
 */
export interface WebhookStore {
  createWebhook(input: StoredWebhook & { readonly maxPerAccount: number }): Promise<"created" | "too_many">;
  /** Newest first. */
  listWebhooks(input: { accountId: string }): Promise<readonly Webhook[]>;
  findWebhook(input: { accountId: string; webhookId: string }): Promise<StoredWebhook | null>;
  /** With its deliveries. False when it is gone already. */
  deleteWebhook(input: { accountId: string; webhookId: string }): Promise<boolean>;
  /** Newest first. */
  listDeliveries(input: {
    accountId: string;
    webhookId: string;
    page: Page;
  }): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }>;
  /** Whether a claim would find anything. */
  nextDelivery(input: { now: number }): Promise<{ readyNow: boolean }>;
  /**
   * Leases the webhook that has waited longest of those with a delivery due, of the accounts with the fewest leased. null when
   * there is none, or only of accounts with as many as may be at once.
   */
  claimDeliveries(input: {
    leaseToken: string;
    now: number;
    leaseUntil: number;
    limit: number;
  }): Promise<ClaimedWebhook | null>;
  /** False when the lease, the webhook or the delivery is gone; nothing is written then. */
  recordAttempt(input: RecordAttempt): Promise<boolean>;
  /** Whether a try has succeeded since `since`. Then disables nothing; else the webhook, whose waiting deliveries fail. */
  disableWebhook(input: {
    leaseToken: string;
    reason: string;
    now: number;
    unlessDeliveredSince: number | null;
  }): Promise<boolean>;
  /** Gives the lease back; the webhook is not claimed before `readyAt`. Old ended deliveries go. */
  releaseWebhook(input: { leaseToken: string; readyAt: number }): Promise<void>;
  /** Writes a delivery down that has ended, and enables a disabled webhook when it succeeded. */
  recordTest(input: {
    accountId: string;
    webhookId: string;
    deliveryId: string;
    event: SentEvent;
    attempt: Attempt;
  }): Promise<void>;
}

/** Operations that make something, and so are carried out once for a key. */
export type CreatingStore = Pick<ProjectStore, "createProject"> &
  Pick<OntologyStore, "createOntology"> &
  Pick<IngestionStore, "acceptDocuments"> &
  Pick<JobControlStore, "retryJob"> &
  Pick<WebhookStore, "createWebhook">;

export type CreatingCall = {
  [Name in keyof CreatingStore]: { readonly name: Name; readonly input: Parameters<CreatingStore[Name]>[0] };
}[keyof CreatingStore];

/**
 * "done": carried out now, with that result; where it is a refusal the key is free again. "answered": it was before.
 * "differs": the key belongs to another request.
 */
export type OnceOutcome =
  | { readonly kind: "done"; readonly result: unknown }
  | { readonly kind: "answered"; readonly answer: string }
  | { readonly kind: "differs" };

export interface OnceStore {
  /**
   * Carries a creating operation out and keeps the key with its answer, in one transaction: after a crash both are
   * there or neither. Of several at once with one key the others wait for the first. Keys are kept for a day, of each account
   * at most 10,000 and 64 MiB of answers.
   */
  performOnce(input: {
    readonly request: RequestKey;
    readonly accountId: string;
    readonly now: number;
    /** What the request is answered if it is carried out. */
    readonly answer: string;
    readonly call: CreatingCall;
  }): Promise<OnceOutcome>;
}
