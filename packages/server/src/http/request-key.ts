/** The `Idempotency-Key` header: a request with a key takes effect once, however often it is sent. */
import { createHash, type Hash } from "node:crypto";
import { RawJson, stringifyJson } from "@kcs/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";
import { AlreadyAnswered, type Once } from "../domain/once.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the received bytes; null without a key or a body. */
    bodyDigest: string | null;
  }
  interface FastifyInstance {
    /** "account key" of the requests that this process is currently handling. */
    requestKeysInUse: Set<string>;
  }
}

const HEADER = "idempotency-key";
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Must be called before the routes are added. */
export function addRequestKeys(app: FastifyInstance): void {
  app.decorateRequest("bodyDigest", null);
  app.decorate("requestKeysInUse", new Set<string>());
}

/** A hash to compute `bodyDigest` with; null for a request without a key, which does not need it. */
export function bodyHash(request: FastifyRequest): Hash | null {
  return request.headers[HEADER] === undefined ? null : createHash("sha256");
}

/** Before the body is read; `answerOnce` checks it. */
export function requestKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[HEADER];
  return typeof key === "string" ? key : undefined;
}

/**
 * Runs `create`. With a key it runs once within 24 hours, and repetitions get the stored first response.
 * @throws ServiceError `invalid_input` for an invalid key, `conflict` during another request with the key
 */
export async function answerOnce<Made>(
  context: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  route: {
    readonly create: (once: Once<Made> | undefined) => Promise<Made>;
    readonly present: (made: Made) => unknown;
  },
): Promise<unknown> {
  const { request, reply } = context;
  const key = request.headers[HEADER];
  if (key === undefined) return route.present(await route.create(undefined));
  if (typeof key !== "string" || !VISIBLE_ASCII.test(key)) {
    throw errors.invalidInput("Idempotency-Key: expected 1 to 255 visible ASCII characters");
  }
  const inUse = request.server.requestKeysInUse;
  const name = `${request.caller?.accountId ?? ""} ${key}`;
  if (inUse.has(name)) throw errors.keyInUse();
  inUse.add(name);
  try {
    const answerOf = (made: Made) => stringifyJson(route.present(made));
    return route.present(await route.create({ key, fingerprint: fingerprintOf(request), answerOf }));
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    reply.header("idempotency-replayed", "true");
    return new RawJson(error.answer);
  } finally {
    inUse.delete(name);
  }
}

function fingerprintOf(request: FastifyRequest): string {
  return createHash("sha256")
    .update(`${request.method} ${request.url}\n${request.bodyDigest ?? ""}`)
    .digest("base64url");
}
