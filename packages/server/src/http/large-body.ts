/** Bodies of the ingest endpoints: small ones are parsed in this thread, large ones in the body thread. */
import type { IncomingMessage } from "node:http";
import { bodies } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { IngestedText } from "../services/ingestion.ts";
import { check, parseJson, requirePlainUtf8 } from "./body.ts";
import { joinBytes, lengthOf, receiveBody } from "./receive-body.ts";
import { bodyHash } from "./request-key.ts";

/** "document": the body is one document. "batch": its member `documents` lists several. */
export type IngestForm = "document" | "batch";

/** The documents of a body; validated when called. @throws ServiceError that lists the faults of the body */
export type Documents = () => readonly IngestedText[];

/** A body in pieces, each in its own buffer, so that they can be transferred to another thread. */
export interface LargeBody {
  readonly form: IngestForm;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * @throws ServiceError immediately for a body that is not UTF-8 or not JSON, and `unavailable` when it cannot
 * be read now
 */
export type ReadLargeBody = (body: LargeBody) => Promise<Documents>;

/**
 * Decodes and parses immediately; validates when the documents are
 * requested, which is after the access check.
 */
export type ReadBody = (form: IngestForm, bytes: Uint8Array) => Documents;

/**
 * Size from which a body is large. Parsing 128 KiB takes 0.5 ms, and encoding them, which
 * the PostgreSQL store does in the main thread, another 2 ms. The transfer to another
 * thread takes a tenth of the parsing time.
 */
const LARGE_BYTES = 128 * 1024;

export function createReadBody(maxTextBytes: number): ReadBody {
  const document = bodies.ingestBody(maxTextBytes);
  const batch = bodies.ingestBatchBody(maxTextBytes);
  return (form, bytes) => {
    const { value } = parseJson(bytes);
    return form === "document"
      ? () => [documentOf(check(document, value))]
      : () => check(batch, value).documents.map(documentOf);
  };
}

/** Parses `application/json` into `Documents` for the routes of this scope. */
export function registerIngestBodies(
  scope: FastifyInstance,
  deps: { readonly form: IngestForm; readonly readBody: ReadBody; readonly readLargeBody: ReadLargeBody },
): void {
  const { form } = deps;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/json",
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const hash = bodyHash(request);
      const pieces = await receiveBody(payload, {
        limitBytes: request.routeOptions.bodyLimit,
        announcedBytes: Number(request.headers["content-length"] ?? Number.NaN),
        ...(hash === null ? {} : { onPiece: (piece: Uint8Array) => void hash.update(piece) }),
      });
      request.bodyDigest = hash?.digest("base64url") ?? null;
      requirePlainUtf8(request);
      return lengthOf(pieces) < LARGE_BYTES
        ? deps.readBody(form, joinBytes(pieces))
        : deps.readLargeBody({ form, pieces });
    },
  );
}

type IngestBody = z.output<ReturnType<typeof bodies.ingestBody>>;

function documentOf({ text, source_doc_id, metadata }: IngestBody): IngestedText {
  return { text, sourceDocId: source_doc_id, metadata };
}
