import type { IncomingMessage } from "node:http";
import { describeFaults, isTooLarge } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { errors } from "../domain/errors.ts";
import { MAX_VALUES, requireBoundedJson } from "./json-size.ts";
import { joinBytes, lengthOf, receiveBody } from "./receive-body.ts";
import { bodyHash } from "./request-key.ts";

/** A JSON body: the parsed value and the original text. */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

const NO_BODY: JsonBody = { value: undefined, text: "" };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Accepts only `application/json`. An empty body counts as absent. */
export function registerJsonBodies(app: FastifyInstance): void {
  registerBodies(app, (_request, pieces) => parseJson(joinBytes(pieces), MAX_VALUES.mainThread));
}

type Pieces = readonly Uint8Array<ArrayBuffer>[];

/** Hands bodies in pieces to `read`, whose result becomes `request.body`. Only `application/json`, uncompressed and in UTF-8. Needs `addRequestTurns`. */
export function registerBodies(
  app: FastifyInstance,
  read: (request: FastifyRequest, pieces: Pieces) => unknown,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const hash = bodyHash(request);
    const pieces = await receiveBody(payload, {
      limitBytes: request.routeOptions.bodyLimit,
      announcedBytes: Number(request.headers["content-length"] ?? Number.NaN),
      ...(hash === null ? {} : { onPiece: (piece: Uint8Array) => void hash.update(piece) }),
    });
    request.bodyDigest = hash?.digest("base64url") ?? null;
    requirePlainUtf8(request);
    await app.takeTurn(lengthOf(pieces));
    return read(request, pieces);
  });
}

/** @throws ServiceError for bytes that are not valid UTF-8 or not JSON, or have too many values or levels */
export function parseJson(bytes: Uint8Array, maxValues: number): JsonBody {
  if (bytes.length === 0) return NO_BODY;
  requireBoundedJson(bytes, maxValues);
  try {
    const text = decoder.decode(bytes);
    return { value: JSON.parse(text) as unknown, text };
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
    throw errors.invalidInput(`body: ${reason}, expected a JSON object`);
  }
}

/** @throws ServiceError for a body that is compressed or not in UTF-8, by its headers */
function requirePlainUtf8(request: FastifyRequest): void {
  const coding = request.headers["transfer-encoding"]?.toLowerCase() ?? "chunked";
  if (coding !== "chunked") {
    throw errors.unsupportedMedia(`Transfer-Encoding: got ${coding.slice(0, 40)}, expected chunked`);
  }
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw errors.unsupportedMedia(`Content-Encoding: got ${encoding.slice(0, 40)}, expected none`);
  }
  const charset = /charset="?([^\s";]+)/i.exec(request.headers["content-type"] ?? "")?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) {
    throw errors.unsupportedMedia(`Content-Type: got charset ${charset.slice(0, 40)}, expected utf-8`);
  }
}

export function jsonBody(request: FastifyRequest): JsonBody {
  return (request.body as JsonBody | undefined) ?? NO_BODY; // Only the parser above makes bodies.
}

/**
 * Delays the check until the result is first used, which is after the access check, so that callers without
 * access learn nothing from validation errors.
 */
export function checkLater<Schema extends z.ZodType>(schema: Schema, value: unknown): () => z.output<Schema> {
  let checked: { readonly value: z.output<Schema> } | null = null;
  return () => {
    checked ??= { value: check(schema, value) };
    return checked.value;
  };
}

/** @throws ServiceError that lists every fault with its path */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const detail = describeFaults(result.error);
  throw isTooLarge(result.error) ? errors.tooLarge(detail) : errors.invalidInput(detail);
}

/** @throws ServiceError for a body with a member that is a parameter of the query. Like any unknown member, it would be ignored. */
export function requireOutsideBody(value: unknown, parameter: string): void {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, parameter)) return;
  throw errors.invalidInput(
    `${parameter}: is a parameter of the query, expected it in the address, ?${parameter}=true, and not in the body`,
  );
}
