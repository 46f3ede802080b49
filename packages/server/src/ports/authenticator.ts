import type { Caller } from "../domain/account.ts";

/** Proves who makes a request. */
export interface Authenticator {
  /**
   * null for a key that is malformed, unknown, expired, revoked or disabled. Never writes to the database,
   * and usually answers from a cache.
   */
  authenticateKey(key: string): Promise<Caller | null>;
  /** Looks for the session cookie in this header. null when there is no session or it has ended. */
  authenticateSession(cookieHeader: string | undefined): Promise<Caller | null>;
  /** Stores the last-use times of keys that are not stored yet. */
  close(): Promise<void>;
}

export type LinkOutcome = "done" | "invalid_link" | "invalid_email" | "email_taken";

/** Account operations of the service itself. People manage their own accounts through `AuthEndpoints`. */
export interface Accounts {
  /** Creates an account that nobody can sign in to yet. Idempotent. */
  ensureAccount(input: { accountId: string; name: string }): Promise<void>;
  hasPassword(input: { accountId: string }): Promise<boolean>;
  findAccount(input: { email: string }): Promise<string | null>;
  /** Returns the new key in plain text. Only its hash is stored, so it cannot be read again. */
  createKey(input: { accountId: string; name: string }): Promise<string>;
  /** Makes this key the account's only bootstrap key and revokes earlier ones. Idempotent. */
  ensureBootstrapKey(input: { accountId: string; key: string }): Promise<void>;
  /**
   * A new one-time token of 256 random bits, stored as a hash. Earlier tokens stay valid until they expire or
   * one is used.
   */
  createLink(input: { accountId: string; expiresAt: number }): Promise<{ token: string }>;
  /**
   * Consumes a link: sets the e-mail address and password of its account and ends all its sessions. If
   * several requests use the link at once, one succeeds. Every input is validated before the link is
   * consumed.
   */
  useLink(input: { token: string; email: string; password: string }): Promise<LinkOutcome>;
}

/** The HTTP endpoints of the authentication library. */
export interface AuthEndpoints {
  /**
   * Attempts are counted per `clientAddress`, and failed passwords per account; address headers of the request are
   * ignored.
   */
  handle(request: Request, clientAddress: string): Promise<Response>;
  /** Signs in without counting an attempt. The response carries the session cookies. */
  signIn(input: {
    email: string;
    password: string;
    clientAddress: string;
    userAgent: string;
  }): Promise<Response>;
  /** Counts an attempt to use a set-up link. Returns the seconds to wait after too many attempts, else 0. */
  countLinkAttempt(clientAddress: string): number;
}
