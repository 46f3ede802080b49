/** Receives `multipart/form-data`: files go to their sinks as they arrive, fields are texts. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { errors, type ServiceError } from "../domain/errors.ts";
import type { ReceivedContent } from "../ports/file-store.ts";
import type { FileSink } from "../services/file-sink.ts";
import { bodyArrivals } from "./body-arrivals.ts";
import { DEFAULT_BODY_BUDGET } from "./body-budget.ts";
import { createPartCounter } from "./count-parts.ts";

export interface FormFile {
  /** As its sender named it; "" without a name. */
  readonly path: string;
  readonly content: ReceivedContent;
}

export interface ReceivedForm {
  /** In the order in which they were sent. */
  readonly files: readonly FormFile[];
  readonly fields: ReadonlyMap<string, string>;
  /** Of names and contents, whatever the boundary between them. */
  readonly digest: string;
}

export interface FormOptions {
  readonly limitBytes: number;
  readonly maxFiles: number;
  readonly addFile: () => FileSink;
  /** Ends the arrival with its reason. */
  readonly revoked?: AbortSignal;
}

type Parser = InstanceType<typeof Busboy>;

const MAX_FIELDS = 8;
const MAX_FIELD_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_HEADERS = 16;
const UNREAD_PART =
  "body: a part has headers that cannot be read, or no `Content-Disposition: form-data` with a name";

/** @throws ServiceError for a body that is no form, and what the sinks throw */
export async function receiveForm(request: IncomingMessage, options: FormOptions): Promise<ReceivedForm> {
  const contentType = request.headers["content-type"] ?? "";
  const parser = openParser(contentType, options);
  const form = gather(parser, options);
  const counter = createPartCounter(boundaryOf(contentType));
  const { slowest } = DEFAULT_BODY_BUDGET;
  const maxParts = options.maxFiles + MAX_FIELDS;
  try {
    for await (const chunk of bodyArrivals(request, { ...options, slowest })) {
      counter.add(chunk);
      // Before the parser, which would make a stream of each of thousands in a chunk.
      if (counter.parts() > maxParts) throw tooMany("parts", maxParts);
      await Promise.race([form.failed, write(parser, chunk)]);
      // The last piece of each file is in memory until it is stored.
      await Promise.race([form.failed, form.olderStored()]);
    }
    parser.end();
    await Promise.race([form.failed, form.finished]);
    const files = await Promise.race([form.failed, Promise.all(form.files)]);
    if (counter.parts() !== files.length + form.fieldCount()) throw errors.invalidInput(UNREAD_PART);
    return { files, fields: form.fields, digest: digestOf(files, form.fields) };
  } catch (error) {
    await form.stop();
    throw error;
  }
}

function openParser(contentType: string, { maxFiles }: FormOptions): Parser {
  const limits = {
    files: maxFiles,
    fields: MAX_FIELDS,
    parts: maxFiles + MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    headerSize: MAX_HEADER_BYTES,
    headerPairs: MAX_HEADERS,
  };
  try {
    if (!/^multipart\/form-data\s{0,8};/i.test(contentType)) throw new Error("The type is another one.");
    const boundary = boundaryOf(contentType);
    if (boundary === "") throw new Error("It has no boundary.");
    // The parser gets the boundary that parts are counted by, and no other parameter that it might read as one.
    const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
    return new Busboy({ headers, preservePath: true, limits });
  } catch {
    throw errors.unsupportedMedia("Content-Type: expected multipart/form-data with a boundary");
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare = ""] =
    /;\s{0,8}boundary=(?:"([^"\\]{1,200})"|([^;\s"\\]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}

/** Resolves when the parser, and the file that it is in, have room for more. */
function write(parser: Parser, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    parser.write(chunk, () => resolve());
  });
}

/** What the parser finds. `failed` never resolves; it rejects with the first failure: that of a sink as it is. */
function gather(parser: Parser, { addFile, maxFiles }: FormOptions) {
  const fields = new Map<string, string>();
  let fieldCount = 0;
  const files: Promise<FormFile>[] = [];
  const open = new Set<Readable>();
  let isStopped = false;
  const failure = Promise.withResolvers<never>();
  const finish = Promise.withResolvers<void>();
  const fail = (error: unknown) => {
    isStopped = true;
    failure.reject(error);
  };
  const failAsMalformed = (error: unknown) => fail(malformed(error));
  failure.promise.catch(() => undefined); // It may fail while nobody waits.
  parser.on("file", (_name: string, stream: Readable, path: string | undefined) => {
    stream.on("error", failAsMalformed);
    if (isStopped) return void stream.resume();
    open.add(stream);
    const file = store(stream, addFile(), fail).then((content) => ({ path: path ?? "", content }));
    file
      .catch((error: unknown) => {
        failAsMalformed(error); // Where the sink has not failed before.
        stream.resume(); // So that the parser goes on.
      })
      .finally(() => open.delete(stream));
    files.push(file);
  });
  parser.on("field", (name: string, value: string, _nameCut: boolean, isCut: boolean) => {
    if (isCut) fail(errors.tooLarge(`${name}: has more than ${MAX_FIELD_BYTES} bytes`));
    fields.set(name, value);
    fieldCount++;
  });
  parser.on("filesLimit", () => fail(tooMany("files", maxFiles)));
  parser.on("fieldsLimit", () => fail(tooMany("fields", MAX_FIELDS)));
  parser.on("partsLimit", () => fail(tooMany("parts", maxFiles + MAX_FIELDS)));
  parser.on("error", failAsMalformed);
  parser.on("finish", () => finish.resolve());
  let storedFiles = 0;
  /** Resolves when all files but the newest are stored. */
  const olderStored = async () => {
    const older = files.slice(storedFiles, -1);
    await Promise.all(older);
    storedFiles += older.length;
  };
  return {
    fields,
    fieldCount: () => fieldCount,
    files,
    olderStored,
    /** Resolves when no file stores anything any more. */
    async stop() {
      isStopped = true;
      for (const stream of open) stream.destroy(new Error("The form was refused"));
      await Promise.allSettled(files);
    },
    failed: failure.promise,
    finished: finish.promise,
  };
}

function tooMany(what: string, most: number): ServiceError {
  return errors.invalidInput(`body: has too many ${what}, expected at most ${most}`);
}

function malformed(error: unknown): ServiceError {
  const reason = error instanceof Error ? error.message : String(error);
  return errors.invalidInput(`body: is not valid multipart/form-data (${reason.slice(0, 100)})`);
}

/** `fail` gets what the sink throws, which is no fault of the form. */
async function store(
  stream: Readable,
  sink: FileSink,
  fail: (error: unknown) => void,
): Promise<ReceivedContent> {
  const orFail = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      fail(error);
      throw error;
    });
  for await (const chunk of stream) await orFail(sink.write(chunk as Uint8Array)); // The parser's streams have no encoding.
  return orFail(sink.end());
}

function digestOf(files: readonly FormFile[], fields: ReadonlyMap<string, string>): string {
  const parts = files.map(({ path, content }) => [path, content.sha256, content.byteLength]);
  return createHash("sha256")
    .update(JSON.stringify([parts, [...fields].sort()]))
    .digest("base64url");
}
