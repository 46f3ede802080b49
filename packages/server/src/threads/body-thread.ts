/** A thread that reads large bodies: JSON in; documents with encoded texts, or a checked ontology, out. */
import { workerData } from "node:worker_threads";
import { encodeText } from "../adapters/database/operations/encoding.ts";
import { readSitemap } from "../adapters/files/web/sitemap-reader.ts";
import { ontologyFiles } from "../adapters/ontologies/ontology-files.ts";
import { errors, ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import {
  type CheckedExamples,
  type CorrectionExamples,
  withExamples,
} from "../domain/ontology/with-examples.ts";
import { checkSchema } from "../domain/ontology-check.ts";
import { parseOntology } from "../domain/ontology-schema.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import { parseJson } from "../http/body.ts";
import { MAX_VALUES } from "../http/json-size.ts";
import {
  type BodyForm,
  type BodyForms,
  type Content,
  createReadBody,
  type LargeBody,
} from "../http/large-body.ts";
import { readOntologyImport, readWithSchema } from "../http/ontology-body.ts";
import { joinBytes } from "../http/receive-body.ts";
import { makeReference } from "../http/reference/make-reference.ts";
import { OntologyFileError, type OntologyFormat, type OntologyToWrite } from "../ports/ontology-files.ts";
import type { Sitemap } from "../ports/sitemap-reader.ts";
import type { EncodedText } from "../ports/store.ts";
import { type CorrectionsToCheck, checkCorrections } from "../services/correction-checks.ts";
import type { IngestedText } from "../services/ingestion.ts";
import { endWithin, NoTimeError, TimeLimitError } from "./end-within.ts";
import { serveThread } from "./serve-thread.ts";

/**
 * For a body of an ontology. The largest take a few seconds of a busy core, and libraries of others read its files. A body of another account
 * waits for the one that is read, and at most for one more of the same account that came before it.
 */
const LIMIT_MS = 20_000;
const BUSY_RETRY_SECONDS = 10;

/** What took too long, by the names that callers know. Documents, which may be larger, take time by their length alone. */
const PLACES: Readonly<Partial<Record<BodyForm, string>>> = {
  ontology: "schema",
  schema: "schema",
  comparison: "ontology",
  ontologyFile: "content",
  sitemap: "url",
  ontologyText: "format",
  corrections: "corrections",
  examples: "ontology",
};

export interface BodyThreadData {
  readonly maxTextBytes: number;
  /** Default: `LIMIT_MS`. */
  readonly limitMs?: number;
}

/** A fault is an answer, because it is shown only to callers who may use the project. A body that is not JSON is an error. */
export type BodyReply =
  | {
      readonly kind: "content";
      readonly content: BodyForms[BodyForm];
      /** Holds the bytes of all texts, or of a file; null where there are none. */
      readonly buffer: ArrayBuffer | null;
    }
  | { readonly kind: "fault"; readonly fault: ServiceErrorKind; readonly detail: string };

function replyOf(read: Content<BodyForm>): BodyReply {
  try {
    const content = read();
    if (isDocuments(content)) return { kind: "content", ...packTexts(content) };
    return { kind: "content", content, buffer: content instanceof Uint8Array ? content.buffer : null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: "fault", fault: error.kind, detail: error.message };
  }
}

function readWithin(
  limitMs: number,
  { place, read }: { readonly place: string; readonly read: () => BodyReply },
): BodyReply {
  try {
    return endWithin(limitMs, read);
  } catch (error) {
    if (error instanceof NoTimeError) throw tooBusy(error);
    if (!(error instanceof TimeLimitError)) throw error;
    const detail = `${place}: took longer than ${limitMs / 1_000} seconds, expected less to read, compare or write`;
    return { kind: "fault", fault: "invalid_input", detail };
  }
}

/** The same body may be read when the machine has time for it. */
function tooBusy(cause: Error): ServiceError {
  return errors.unavailable(
    "The machine was too busy to read the body; nothing of it was accepted. Try again shortly.",
    { retryAfterSeconds: BUSY_RETRY_SECONDS, cause },
  );
}

function readFile(bytes: Uint8Array, format: OntologyFormat | undefined): Content<"ontologyFile"> {
  const { value } = parseJson(bytes, MAX_VALUES.bodyThread);
  try {
    const { content, name: givenName } = readOntologyImport(value);
    if (format === undefined) throw new Error("An ontology's file comes with its format.");
    const read = ontologyFiles.read(format, content);
    const file = { ...read, ...checkSchema(read.schemaJson), givenName };
    return () => file;
  } catch (error) {
    return () => {
      throw faultOf("content", error);
    };
  }
}

function readPage(bytes: Uint8Array): Sitemap {
  try {
    return readSitemap(bytes);
  } catch (error) {
    throw error instanceof UnreadableFile ? errors.invalidInput(`url: ${error.reason}`) : error;
  }
}

function writeFile(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { given, schemaJson } = readWithSchema(decoder.decode(bytes));
  const { format, name } = given as Pick<OntologyToWrite, "format" | "name">; // Made by compose-services.ts.
  try {
    return ontologyFiles.write(format, { name, schema: parseOntology(schemaJson ?? "{}") });
  } catch (error) {
    throw faultOf("format", error);
  }
}

function faultOf(place: string, error: unknown): unknown {
  return error instanceof OntologyFileError ? errors.invalidInput(`${place}: ${error.message}`) : error;
}

function checkGiven(bytes: Uint8Array): TypeNames {
  const { given, schemaJson } = readWithSchema(decoder.decode(bytes));
  return checkCorrections(given as CorrectionsToCheck, schemaJson); // Made by compose-services.ts.
}

function addExamples(bytes: Uint8Array): CheckedExamples {
  const { given, schemaJson: before } = readWithSchema(decoder.decode(bytes));
  const added = withExamples(before ?? "{}", given as CorrectionExamples); // Made by correction-examples.ts.
  return { ...added, ...checkSchema(added.schemaJson) };
}

const decoder = new TextDecoder();

function isDocuments(content: BodyForms[BodyForm]): content is readonly IngestedText[] {
  return Array.isArray(content);
}

/** All texts in one buffer: to move a thousand buffers takes longer than to move one. */
function packTexts(documents: readonly IngestedText[]) {
  const encoded = documents.map(({ text }) => (typeof text === "string" ? encodeText(text) : text));
  const all = joinBytes(encoded.map(({ bytes }) => bytes));
  let offset = 0;
  const content = documents.map((document, at): IngestedText => {
    const text = encoded[at] as EncodedText; // As many as there are documents.
    const bytes = all.subarray(offset, offset + text.bytes.length);
    offset += bytes.length;
    return { ...document, text: { ...text, bytes } };
  });
  return { content, buffer: all.buffer };
}

await serveThread<LargeBody, BodyReply>("body", () => {
  const { maxTextBytes, limitMs = LIMIT_MS } = workerData as BodyThreadData; // Set by the client that starts this file.
  const readBody = createReadBody(maxTextBytes);
  const read = ({ form, pieces, format }: LargeBody): BodyReply => {
    const bytes = joinBytes(pieces);
    if (form === "ontologyFile") return replyOf(readFile(bytes, format));
    if (form === "sitemap") return replyOf(() => readPage(bytes));
    if (form === "ontologyText") return replyOf(() => writeFile(bytes));
    if (form === "corrections") return replyOf(() => checkGiven(bytes));
    if (form === "examples") return replyOf(() => addExamples(bytes));
    if (form === "reference") return replyOf(() => makeReference(decoder.decode(bytes)));
    return replyOf(readBody(form, bytes));
  };
  return {
    async answer(body) {
      const place = PLACES[body.form];
      return place === undefined ? read(body) : readWithin(limitMs, { place, read: () => read(body) });
    },
    transfer: (reply) => (reply.kind === "content" && reply.buffer !== null ? [reply.buffer] : []),
  };
});
