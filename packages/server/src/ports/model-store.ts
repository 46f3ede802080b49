import type { MeteredTask } from "./language-model.ts";

/** Metered usage of one model. Counts answered calls; cached replies are not calls. */
export interface ModelUse {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly jobId: string | null;
  readonly task: MeteredTask;
  /** The result of `LanguageModel.nameOf`. */
  readonly model: string;
  /** UTC, "2031-04-21". */
  readonly day: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In millionths of the currency of the configured prices; 0 without prices. */
  readonly costMicros: number;
}

/** The key of a cached reply. Replies are never shared between accounts. */
export interface ReplyKey {
  readonly accountId: string;
  /** A hash of everything that the reply depends on. */
  readonly key: string;
}

/** Stores replies of language models and the usage of models. */
export interface ModelStore {
  /** Tokens that the account has used in the UTC month: embedded tokens plus those of language models. */
  readTokenUse(input: { accountId: string; month: string }): Promise<number>;
  findModelReply(input: ReplyKey): Promise<{ readonly text: string; readonly usedAt: number } | null>;
  /** Updates the last use of a reply; `trimModelReplies` evicts the least recently used replies first. */
  touchModelReply(input: ReplyKey & { now: number }): Promise<void>;
  /**
   * Adds the use to the meter of its account, project, job, task, model and day and to the account's tokens
   * of the month, and caches the reply if one is given, in one transaction. Cached replies are deleted with
   * their project, whose row is therefore locked: StoreUnavailableError "busy" while the project is being
   * deleted.
   */
  recordModelUse(input: {
    use: ModelUse;
    reply: { readonly key: string; readonly text: string; readonly now: number } | null;
    /** False when the tokens are added to the account's month elsewhere. Default: true. */
    isCharged?: boolean;
  }): Promise<void>;
  /**
   * Deletes replies until all accounts together are within the limits: the least recently used replies of
   * accounts that have more than an equal share. Returns the number of deleted replies.
   */
  trimModelReplies(input: { maxBytes: number; maxEntries: number }): Promise<number>;
  /** Newest day first, then by project, job, task and model. */
  listModelUse(input: {
    accountId: string;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<readonly ModelUse[]>;
}
