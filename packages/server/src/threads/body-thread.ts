/** A thread that reads large bodies: JSON in, documents with encoded texts out. */
import { workerData } from "node:worker_threads";
import { encodeText } from "../adapters/database/operations/encoding.ts";
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { createReadBody, type Documents, type LargeBody } from "../http/ingest-body.ts";
import { requireFewValues } from "../http/json-size.ts";
import { joinBytes } from "../http/receive-body.ts";
import type { EncodedText } from "../ports/store.ts";
import type { IngestedText } from "../services/ingestion.ts";
import { serveThread } from "./serve-thread.ts";

export interface BodyThreadData {
  readonly maxTextBytes: number;
}

/** A fault is an answer, because it is shown only to callers who may use the project. A body that is not JSON is an error. */
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
    return { kind: "documents", ...packTexts(encoded) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: "fault", fault: error.kind, detail: error.message };
  }
}

/** All texts in one buffer: to move a thousand buffers takes longer than to move one. */
function packTexts(documents: readonly (Omit<IngestedText, "text"> & { readonly text: EncodedText })[]) {
  const all = joinBytes(documents.map(({ text }) => text.bytes));
  let offset = 0;
  const views = documents.map((document) => {
    const { text } = document;
    const bytes = all.subarray(offset, offset + text.bytes.length);
    offset += bytes.length;
    return { ...document, text: { ...text, bytes } };
  });
  return { documents: views, buffer: all.buffer };
}

await serveThread<LargeBody, BodyReply>("body", () => {
  const { maxTextBytes } = workerData as BodyThreadData; // Set by the client that starts this file.
  const readBody = createReadBody(maxTextBytes);
  return {
    answer({ form, pieces }) {
      const bytes = joinBytes(pieces);
      requireFewValues(bytes);
      return replyOf(readBody(form, bytes));
    },
    transfer: (reply) => (reply.kind === "documents" ? [reply.buffer] : []),
  };
});
