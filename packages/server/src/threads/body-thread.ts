/** A thread that reads large bodies: JSON in, documents with encoded texts out. */
import { parentPort, workerData } from "node:worker_threads";
import { encodeText } from "../adapters/database/operations/encoding.ts";
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { createReadBody, type Documents, type LargeBody } from "../http/ingest-body.ts";
import { requireFewValues } from "../http/json-size.ts";
import { joinBytes } from "../http/receive-body.ts";
import type { EncodedText } from "../ports/store.ts";
import type { IngestedText } from "../services/ingestion.ts";
import { serveRpc } from "./rpc.ts";

export interface BodyThreadData {
  readonly maxTextBytes: number;
}

/** A fault is an answer: it is told only to those who may use the project. What is no JSON is thrown. */
export type BodyReply =
  | {
      readonly kind: "documents";
      readonly documents: readonly IngestedText[];
      /** Holds the bytes of all texts. */
      readonly buffer: ArrayBuffer;
    }
  | { readonly kind: "fault"; readonly fault: ServiceErrorKind; readonly detail: string };

function replyOf(documents: Documents): BodyReply {
  try {
    const encoded = documents().map(({ text, ...document }) => ({
      ...document,
      text: typeof text === "string" ? encodeText(text) : text,
    }));
    return { kind: "documents", ...packed(encoded) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: "fault", fault: error.kind, detail: error.message };
  }
}

/** All texts in one buffer: handing over a thousand takes longer than one. */
function packed(documents: readonly (Omit<IngestedText, "text"> & { readonly text: EncodedText })[]) {
  const whole = joinBytes(documents.map(({ text }) => text.bytes));
  let offset = 0;
  const views = documents.map((document) => {
    const { text } = document;
    const bytes = whole.subarray(offset, offset + text.bytes.length);
    offset += bytes.length;
    return { ...document, text: { ...text, bytes } };
  });
  return { documents: views, buffer: whole.buffer };
}

if (parentPort !== null) {
  const { maxTextBytes } = workerData as BodyThreadData; // Set by the client that starts this file.
  const readBody = createReadBody(maxTextBytes);
  serveRpc<LargeBody, BodyReply>(
    parentPort,
    async ({ form, pieces }) => {
      const bytes = joinBytes(pieces);
      requireFewValues(bytes);
      return replyOf(readBody(form, bytes));
    },
    (reply) => (reply.kind === "documents" ? [reply.buffer] : []),
  );
}
