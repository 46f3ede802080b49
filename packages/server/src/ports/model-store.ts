import type { MeteredTask } from "./language-model.ts";

/** Answered calls of one model, as they are metered. Cached replies are no calls. */
export interface ModelUse {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly jobId: string | null;
  readonly task: MeteredTask;
  /** As `LanguageModel.nameOf` says it. */
  readonly model: string;
  /** UTC, "2031-04-21". */
  readonly day: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In millionths of the currency that the prices are in; 0 without prices. */
  readonly costMicros: number;
}

/** Where a reply is kept: never shared between accounts. */
export interface ReplyKey {
  readonly accountId: string;
  /** A hash of everything that the reply depends on. */
  readonly key: string;
}

/** What calls of language models leave behind. */
export interface ModelStore {
  /** Tokens that the account has used in the UTC month, embedded ones and those of models together. */
  readTokenUse(input: { accountId: string; month: string }): Promise<number>;
  findModelReply(input: ReplyKey): Promise<{ readonly text: string; readonly usedAt: number } | null>;
  /** The reply is in use: `trimModelReplies` removes those first that were used longest ago. */
  touchModelReply(input: ReplyKey & { now: number }): Promise<void>;
  /**
   * Adds to the meter of the use's account, project, job, task, model and day and to the account's tokens of the
   * month, and keeps the reply if there is one to keep, in one transaction. Kept replies go with their project;
   * to keep one, the project's row is needed: StoreUnavailableError "busy" while that is being deleted.
   */
  recordModelUse(input: {
    use: ModelUse;
    reply: { readonly key: string; readonly text: string; readonly now: number } | null;
    /** False where the account's tokens of the month are counted elsewhere. True when left out. */
    isCharged?: boolean;
  }): Promise<void>;
  /**
   * Removes replies until all accounts together are within the limits: those that were used longest ago, of the accounts that have
   * more than an equal share. Returns how many.
   */
  trimModelReplies(input: { maxBytes: number; maxEntries: number }): Promise<number>;
  /** Newest day first, then by project, job, task and model. */
  listModelUse(input: {
    accountId: string;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<readonly ModelUse[]>;
}
