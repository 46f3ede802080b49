/** The bodies of the ingest endpoints: a small one is read at once, a large one off this thread. */
import type { IncomingMessage } from "node:http";
import { bodies } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { IngestedText } from "../services/ingestion.ts";
import { check, parseJson, requirePlainUtf8 } from "./body.ts";
import { joinBytes, lengthOf, receiveBody } from "./receive-body.ts";
import { bodyHash } from "./request-key.ts";

/** One document is the whole body, or `documents` lists them. */
export type IngestForm = "document" | "batch";

/** What a body says. @throws ServiceError that names what is wrong with the shape of the body, once it is asked. */
export type Documents = () => readonly IngestedText[];

/** A body in pieces, each in a buffer of its own, which may move to another thread. */
export interface LargeBody {
  readonly form: IngestForm;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** @throws ServiceError at once for a body that is not UTF-8 or no JSON, and "unavailable" when it cannot be read now. */
export type ReadLargeBody = (body: LargeBody) => Promise<Documents>;

/** Decodes and parses at once; checks when the documents are asked for, which is after access is granted. */
export type ReadBody = (form: IngestForm, bytes: Uint8Array) => Documents;

/**
 * From so many bytes on a body is large. Reading this many takes half a millisecond, and encoding them, which PostgreSQL's
 * store does in this thread, two more; handing them over takes a tenth of the former.
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
