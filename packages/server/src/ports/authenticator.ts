import type { Caller } from "../domain/account.ts";

/** Proves who makes a request. */
export interface Authenticator {
  /** null for a key that is malformed, unknown, expired, revoked or disabled. No database write, and mostly no read. */
  authenticateKey(key: string): Promise<Caller | null>;
  /** By the session cookie among these cookies; null when there is no session, or one that has ended. */
  authenticateSession(cookieHeader: string | undefined): Promise<Caller | null>;
  /** Writes down what is not yet recorded about the last use of keys. */
  close(): Promise<void>;
}

export type LinkOutcome = "done" | "invalid_link" | "invalid_email" | "email_taken";

/** What the service itself does with accounts; people act on theirs through `AuthEndpoints`. */
export interface Accounts {
  /** Makes an account that nobody can sign in to yet; harmless when it is there. */
  ensureAccount(input: { accountId: string; name: string }): Promise<void>;
  hasPassword(input: { accountId: string }): Promise<boolean>;
  findAccount(input: { email: string }): Promise<string | null>;
  /** A new key, in clear: it is stored hashed and cannot be read again. */
  createKey(input: { accountId: string; name: string }): Promise<string>;
  /** Makes this key the account's one bootstrap key; earlier ones are revoked. Harmless when it is so already. */
  ensureBootstrapKey(input: { accountId: string; key: string }): Promise<void>;
  /** A new one-time token of 256 random bits, stored hashed; earlier ones stay valid until they expire or one is used. */
  createLink(input: { accountId: string; expiresAt: number }): Promise<{ token: string }>;
  /**
   * Uses a link up to set e-mail and password of its account, and ends all its sessions. Of several uses at
   * once one wins. All that can be refused is checked before the link is used up.
   */
  useLink(input: { token: string; email: string; password: string }): Promise<LinkOutcome>;
}

/** The accounts library's own HTTP endpoints. */
export interface AuthEndpoints {
  /** `clientAddress` is whom attempts are counted against; what the request's headers say about it is ignored. */
  handle(request: Request, clientAddress: string): Promise<Response>;
  /** Signs in at once, without counting an attempt; the answer carries the session's cookies. */
  signIn(input: {
    email: string;
    password: string;
    clientAddress: string;
    userAgent: string;
  }): Promise<Response>;
  /** Counts an attempt at a set-up link; seconds to wait when there were too many, else 0. */
  countLinkAttempt(clientAddress: string): number;
}
