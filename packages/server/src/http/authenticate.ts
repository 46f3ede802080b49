import type { FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Authenticator } from "../ports/authenticator.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read; null outside the routes that ask for credentials. */
    caller: Caller | null;
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

interface CredentialDeps {
  readonly authenticator: Authenticator;
  /** What `Origin` must say where a session cookie is used. */
  readonly publicOrigin: string;
}

/** Whether the credentials of a request that goes on are still those of its caller. */
export type IsStillAllowed = (request: FastifyRequest) => Promise<boolean>;

export function createIsStillAllowed(deps: CredentialDeps): IsStillAllowed {
  return async (request) => {
    const now = await identify(request, deps);
    return now !== null && now.accountId === request.caller?.accountId;
  };
}

/**
 * A hook that asks for credentials before the body is read and sets `request.caller`.
 * @throws ServiceError `unauthenticated`, the same whatever is wrong with them.
 */
export function createAuthenticate(deps: CredentialDeps): onRequestAsyncHookHandler {
  return async (request) => {
    const caller = await identify(request, deps);
    if (caller === null) throw errors.invalidApiKey();
    request.caller = caller;
  };
}

async function identify(request: FastifyRequest, deps: CredentialDeps): Promise<Caller | null> {
  const { authorization, cookie } = request.headers;
  // Of two headers Node keeps the first; a proxy in between may have looked at the other.
  if (countHeaders(request.raw.rawHeaders, "authorization") > 1) return null;
  if (authorization !== undefined) {
    // A bad key is an error even beside a good session: who sends a key means that key.
    const key = bearer.exec(authorization)?.[1];
    return key === undefined ? null : deps.authenticator.authenticateKey(key);
  }
  if (cookie === undefined || !comesFromOwnPage(request, deps.publicOrigin)) return null;
  return deps.authenticator.authenticateSession(cookie);
}

/** `rawHeaders` has names and values in turn. */
function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}

/** Browsers send cookies along with requests that other sites make: these two headers tell them apart. */
function comesFromOwnPage(request: FastifyRequest, publicOrigin: string): boolean {
  if (request.headers["sec-fetch-site"] !== "same-origin") return false;
  return request.method === "GET" || request.headers.origin === publicOrigin;
}
