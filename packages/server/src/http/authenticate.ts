import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Authenticator } from "../ports/authenticator.ts";
import { type ActAs, UNKNOWN_CALLER } from "../ports/current-work.ts";
import { disconnectedSignal } from "./disconnected.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read; null on routes without authentication. */
    caller: Caller | null;
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

interface CredentialDeps {
  readonly authenticator: Authenticator;
  /** Required value of `Origin` for requests with a session cookie. */
  readonly publicOrigin: string;
}

/** Whether the credentials of a long-running request are still valid and belong to the same account. */
export type IsStillAllowed = (request: FastifyRequest) => Promise<boolean>;

export function createIsStillAllowed(deps: CredentialDeps): IsStillAllowed {
  return async (request) => {
    const current = await identify(request, deps);
    return current !== null && current.accountId === request.caller?.accountId;
  };
}

/**
 * A hook that authenticates before the body is read and sets `request.caller`.
 * @throws ServiceError `unauthenticated`, with the same text for every reason
 */
export function createAuthenticate(deps: CredentialDeps): onRequestAsyncHookHandler {
  return async (request) => {
    const caller = await identify(request, deps);
    if (caller === null) throw errors.invalidApiKey();
    request.caller = caller;
  };
}

/** A key that was deleted works no longer than a second. */
const RECHECK_AFTER_MS = 900;

/**
 * Checks the credentials of a request again if it has waited, or its body has taken, so long that they may be revoked. Add it after
 * authentication.
 * @throws ServiceError `unauthenticated`
 */
export function addCheckAfterBody(
  scope: FastifyInstance,
  isStillAllowed: IsStillAllowed,
  now: () => number = () => performance.now(),
): void {
  const checkedAt = new WeakMap<FastifyRequest, number>();
  scope.addHook("onRequest", async (request) => void checkedAt.set(request, now()));
  scope.addHook("preHandler", async (request) => {
    const ageMs = now() - (checkedAt.get(request) ?? 0);
    if (ageMs >= RECHECK_AFTER_MS && !(await isStillAllowed(request))) throw errors.invalidApiKey();
  });
}

/**
 * Lets everything that a request does count as its caller's: before authentication that of an unknown one, as the check of a key.
 * Reads of a GET end with its client; a request that changes something is carried out.
 */
export function addActingCaller(app: FastifyInstance, actAs: ActAs): void {
  addActingAccount(app, actAs);
  // Again, because the events of a body begin new asynchronous work.
  app.addHook("preHandler", ({ caller, method }, reply, done) => {
    const isRead = method === "GET" || method === "HEAD";
    actAs({ accountId: accountOf(caller), signal: isRead ? disconnectedSignal(reply) : null }, done);
  });
}

/** Add it after authentication. */
export function addActingAccount(app: FastifyInstance, actAs: ActAs): void {
  app.addHook("onRequest", ({ caller }, _reply, done) =>
    actAs({ accountId: accountOf(caller), signal: null }, done),
  );
}

const accountOf = (caller: Caller | null) => caller?.accountId ?? UNKNOWN_CALLER;

async function identify(request: FastifyRequest, deps: CredentialDeps): Promise<Caller | null> {
  const { authorization, cookie } = request.headers;
  // Of duplicate headers Node keeps the first, while a proxy in front may have checked the last.
  if (countHeaders(request.raw.rawHeaders, "authorization") > 1) return null;
  if (authorization !== undefined) {
    // An invalid key is an error even with a valid session, because the client intends to use the key.
    const key = bearer.exec(authorization)?.[1];
    return key === undefined ? null : deps.authenticator.authenticateKey(key);
  }
  if (cookie === undefined || !comesFromOwnPage(request, deps.publicOrigin)) return null;
  return deps.authenticator.authenticateSession(cookie);
}

/** `rawHeaders` alternates between names and values. */
function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

/**
 * Protects against cross-site request forgery: browsers also send cookies
 * with requests that other sites make.
 */
function comesFromOwnPage(request: FastifyRequest, publicOrigin: string): boolean {
  if (request.headers["sec-fetch-site"] !== "same-origin") return false;
  return request.method === "GET" || request.headers.origin === publicOrigin;
}
