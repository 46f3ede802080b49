/** Conditional reads with `ETag`, and compression of responses. */
import { createHash } from "node:crypto";
import { pipeline, type Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LongJson } from "./long-json.ts";

/** About one network packet. Compressing a smaller response saves nothing. */
const MIN_COMPRESSED_BYTES = 1_400;
/** Up to this length the event loop compresses in about 1 ms; handing it to another thread and back costs more than it saves. */
const MAX_HERE_UNITS = 32 * 1024;
const BROTLI_QUALITY = 4;
const ETAG_CHARACTERS = 27;

type Coding = "zstd" | "br" | "gzip";

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };

const shortCompressors: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zstdCompressSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, brotliOptions),
  gzip: (bytes) => gzipSync(bytes),
};

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => promisify(zstdCompress)(bytes),
  br: (bytes) => promisify<Buffer, object, Buffer>(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes) => promisify<Buffer, Buffer>(gzip)(bytes),
};

const streamCompressors: Readonly<Record<Coding, () => Transform>> = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress(brotliOptions),
  gzip: () => createGzip(),
};

/** Applies to JSON responses. Other streams are sent unchanged. */
export function addEtagAndCompression(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    const isLong = payload instanceof LongJson;
    if ((typeof payload !== "string" && !isLong) || !isJson(reply)) return payload;
    if (isRead(request) && reply.statusCode === 200 && (await isUnmodified(request, reply, payload))) {
      reply.code(304).removeHeader("content-type");
      if (isLong) reply.removeHeader("content-length");
      // For HEAD Fastify takes the length of the payload and does not send it.
      return request.method === "HEAD" ? payload : null;
    }
    return isLong ? compressLong(request, reply, payload) : compress(request, reply, payload);
  });
}

function isJson(reply: FastifyReply): boolean {
  return /^application\/(?:x-nd)?json\b/.test(String(reply.getHeader("content-type") ?? ""));
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Sets `ETag` and `Cache-Control`; returns whether the client already has this response. The ETag is
 * weak because the same response may have several encodings. `no-cache`, because the data or the
 * access to it may change at any time.
 */
async function isUnmodified(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | LongJson,
): Promise<boolean> {
  const digest = (await digestOf(payload, reply)).slice(0, ETAG_CHARACTERS);
  const etag = `W/"${digest}"`;
  reply.header("etag", etag).header("cache-control", "private, no-cache");
  const known = request.headers["if-none-match"];
  if (known === undefined) return false;
  return (
    known.trim() === "*" || known.split(",").some((one) => one.trim().replace(/^W\//, "") === `"${digest}"`)
  );
}

/** SHA-256 in base64url. Sets the length of a long response, which Fastify does not know. */
async function digestOf(payload: string | LongJson, reply: FastifyReply): Promise<string> {
  if (typeof payload === "string") return createHash("sha256").update(payload).digest("base64url");
  const { digest, byteLength } = await payload.measure();
  reply.header("content-length", byteLength);
  return digest;
}

async function compress(request: FastifyRequest, reply: FastifyReply, payload: string): Promise<unknown> {
  if (payload.length < MIN_COMPRESSED_BYTES) return payload;
  addVary(reply, "accept-encoding");
  const coding = chooseCoding(request.headers["accept-encoding"]);
  if (coding === null) return payload;
  const isShort = payload.length <= MAX_HERE_UNITS;
  const bytes = await (isShort ? shortCompressors : compressors)[coding](Buffer.from(payload));
  reply.header("content-encoding", coding);
  return bytes;
}

function compressLong(request: FastifyRequest, reply: FastifyReply, payload: LongJson): Transform | LongJson {
  addVary(reply, "accept-encoding");
  const coding = chooseCoding(request.headers["accept-encoding"]);
  if (coding === null) return payload;
  reply.header("content-encoding", coding).removeHeader("content-length");
  if (request.method === "HEAD") return payload; // Fastify sends nothing of it.
  // An error ends the response; there is nothing else to do about it.
  return pipeline(payload, streamCompressors[coding](), () => undefined);
}

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? name : `${String(before)}, ${name}`);
}

/**
 * The supported coding that the client prefers. Of equal weights zstd wins,
 * then brotli, by speed for their size.
 */
export function chooseCoding(header: string | string[] | undefined): Coding | null {
  const weights = weightsOf(header);
  let best: { coding: Coding; weight: number } | null = null;
  for (const coding of ["zstd", "br", "gzip"] as const) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  return best?.coding ?? null;
}

/** The weight of each item that an `Accept` or `Accept-Encoding` header names, in lower case. */
export function weightsOf(header: string | string[] | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of String(header ?? "")
    .toLowerCase()
    .split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}
