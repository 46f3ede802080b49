import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import { errors } from "../../domain/errors.ts";
import { fileName } from "../../domain/file.ts";
import type { AcceptedJob } from "../../domain/job.ts";
import type { SentFile } from "../../services/file-sink.ts";
import type { FileService } from "../../services/files.ts";
import { attachment } from "../attachment.ts";
import type { IsStillAllowed } from "../authenticate.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { MAX_VALUES, requireBoundedJson } from "../json-size.ts";
import { DOWNLOAD_LIMITS, streamDownload } from "../long-download.ts";
import { presentAcceptedBatch } from "../present.ts";
import { rateLimitWriter } from "../rate-limit.ts";
import { type ReceivedForm, receiveForm } from "../receive-form.ts";
import { answerOnce, requestKeyOf } from "../request-key.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Set where a body is never whole in memory: how much of it may be. */
    readonly heldBytes?: number;
  }
}

interface FileRouteDeps {
  readonly files: FileService;
  readonly isStillAllowed: IsStillAllowed;
  readonly maxFileBytes: number;
}

/** A piece that is being stored, the next one, and what has arrived meanwhile. */
const HELD_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Of all files of a request; a single one may be larger. */
const SMALL_FILES_BYTES = 256 * MIB;

/** Stands for bytes that are not UTF-8, so that different names would become one id. */
const REPLACED = "\uFFFD";
const NOT_UTF8 = "is not UTF-8, or has the character U+FFFD; source_doc_ids, in JSON, takes any id";

/** The largest body of an upload: files, their headers and the fields. */
export function largestUpload(maxFileBytes: number): number {
  return Math.max(maxFileBytes, SMALL_FILES_BYTES) + MIB;
}

export function addFileRoutes(app: FastifyInstance, deps: FileRouteDeps): void {
  app.register((scope, _options, done) => {
    addUpload(scope, deps);
    done();
  });

  addCreatingEndpoint<readonly AcceptedJob[]>(app, "ingestUrl", {
    create(request, reply, once) {
      const body = checkLater(bodies.ingestUrlBody, jsonBody(request).value);
      const target = { caller: requireCaller(request), projectId: pathParameter(request, "project_id") };
      const read = () => {
        const { url, source_doc_id, metadata } = body();
        return { url, sourceDocId: source_doc_id ?? null, metadata };
      };
      return deps.files.fetchPage(target, read, { once, onRate: rateLimitWriter(reply) });
    },
    present: presentAcceptedBatch,
  });

  addEndpoint(app, "getDocumentFile", {
    async handler(request, reply) {
      const projectId = pathParameter(request, "project_id");
      const sourceDocId = pathParameter(request, "source_doc_id");
      const file = await deps.files.open(requireCaller(request), projectId, sourceDocId);
      reply.headers({
        "content-type": mediaTypeOf(file.mediaType),
        "content-length": file.byteLength,
        "content-disposition": attachment(file.name),
        // Beside the security headers of every response: what users send must never run as a page of the service.
        "content-security-policy": "default-src 'none';frame-ancestors 'none';sandbox",
        "cache-control": "private, no-cache",
      });
      const download = { pieces: file.read(), end: file.end, revoked: file.revoked };
      return streamDownload({ request, reply }, download, { ...DOWNLOAD_LIMITS, ...deps });
    },
  });
}

function addUpload(scope: FastifyInstance, { files, isStillAllowed, maxFileBytes }: FileRouteDeps): void {
  scope.removeAllContentTypeParsers();
  // The handler reads the body, after the check of access.
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  addEndpoint(scope, "uploadFiles", {
    bodyLimit: largestUpload(maxFileBytes),
    config: { heldBytes: HELD_BYTES },
    handler(request, reply) {
      const projectId = pathParameter(request, "project_id");
      const target = { caller: requireCaller(request), projectId, requestKey: requestKeyOf(request) };
      const onRate = rateLimitWriter(reply);
      return files.upload(
        target,
        async (upload) => {
          const form = await receiveForm(request.raw, {
            limitBytes: largestUpload(maxFileBytes),
            maxFiles: bodies.LIMITS.uploadFiles,
            addFile: () => upload.addFile(),
            revoked: upload.revoked,
          });
          if (!(await isStillAllowed(request))) throw errors.invalidApiKey();
          const sent = filesOf(form);
          request.bodyDigest = form.digest;
          return answerOnce<readonly AcceptedJob[]>(
            { request, reply },
            { create: (once) => upload.accept(sent, { once, onRate }), present: presentAcceptedBatch },
          );
        },
        onRate,
      );
    },
  });
}

/** @throws ServiceError that lists the faults of the fields and of the files' names */
function filesOf({ files, fields }: ReceivedForm): readonly SentFile[] {
  const given = Object.fromEntries(fields);
  const { source_doc_id, source_doc_ids, metadata } = check(bodies.uploadFields, {
    ...given,
    metadata: parse(given, "metadata", "a JSON object"),
    source_doc_ids: parse(given, "source_doc_ids", "a JSON array of ids"),
  });
  const { length } = files;
  if (length === 0)
    throw errors.invalidInput(`files: is empty, expected 1 to ${bodies.LIMITS.uploadFiles} files`);
  const id = source_doc_id ?? null;
  if (id !== null && length > 1)
    throw errors.invalidInput(
      `source_doc_id: is the id of one file, got ${length} files; source_doc_ids takes an id for each`,
    );
  if (id !== null && source_doc_ids)
    throw errors.invalidInput("source_doc_id: is given beside source_doc_ids, expected one of them");
  if (source_doc_ids && source_doc_ids.length !== length)
    throw errors.invalidInput(
      `source_doc_ids: has ${source_doc_ids.length} ids, expected ${length}, one for each file`,
    );
  if (given["source_doc_ids"]?.includes(REPLACED)) throw errors.invalidInput(`source_doc_ids: ${NOT_UTF8}`);
  if (id?.includes(REPLACED)) throw errors.invalidInput(`source_doc_id: ${NOT_UTF8}`);
  const unnamed = files.findIndex(({ path }) => path.includes(REPLACED));
  if (id === null && !source_doc_ids && unnamed >= 0)
    throw errors.invalidInput(`files[${unnamed}]: its name ${NOT_UTF8}`);
  const paths = () => check(bodies.uploadPaths, { files: files.map(({ path }) => cleanPath(path)) }).files;
  const ids = source_doc_ids ?? (id === null ? paths() : [id]);
  return files.map(({ path, content }, index) => {
    const sourceDocId = ids[index] ?? "";
    return { content, sourceDocId, name: fileName(path || sourceDocId), metadata };
  });
}

/** A field of JSON; null where it is not given. */
function parse(given: Readonly<Record<string, string>>, name: string, expected: string): unknown {
  const text = given[name];
  if (text === undefined || text === "") return null;
  requireBoundedJson(Buffer.from(text), MAX_VALUES.mainThread);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw errors.invalidInput(`${name}: is not valid JSON, expected ${expected}`);
  }
}

/** Relative, as far as its beginning says. */
function cleanPath(path: string): string {
  return path.replace(/^(?:\.?\/){1,8}/, "");
}

function mediaTypeOf(mediaType: string | null): string {
  const isKnown = mediaType !== null && /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(mediaType);
  return isKnown ? mediaType : "application/octet-stream";
}
