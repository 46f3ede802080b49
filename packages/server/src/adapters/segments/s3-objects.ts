/** Objects of a bucket, by the API of S3. */
import { AwsClient } from "aws4fetch";
import type { ObjectStore } from "../../ports/segment-objects.ts";
import type { BucketPlace } from "./settings.ts";
import { StoreFault } from "./store-fault.ts";

const OK = 200;
const NOT_FOUND = 404;
/** Besides these, everything that the server itself did wrong (500 and above). */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);
const SERVER_FAULT = 500;
const NO_BYTES_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const MAX_ERROR_BYTES = 4_096;

export function openBucketObjects(place: BucketPlace): ObjectStore {
  const { accessKeyId, secretAccessKey, sessionToken, region } = place;
  const signer = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: "s3" },
    ...(sessionToken === null ? {} : { sessionToken }),
  });
  const base = addressOf(place);

  async function send(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    options: {
      readonly signal: AbortSignal;
      readonly bytes?: Uint8Array<ArrayBuffer>;
      readonly hash?: string;
    },
  ): Promise<Response> {
    const { signal, bytes, hash = NO_BYTES_HASH } = options;
    const request = await signer.sign(base + encodeKey(place.prefix + key), {
      method,
      headers: { "x-amz-content-sha256": hash },
      ...(bytes === undefined ? {} : { body: bytes }),
    });
    // A redirect leads to another region, for which the signature is wrong.
    return fetch(request, { signal, redirect: "manual" });
  }

  return {
    async get(key, { maxBytes, signal }) {
      const response = await send("GET", key, { signal });
      if (response.status === OK) return readUpTo(response, maxBytes + 1);
      const fault = await faultOf(response);
      if (response.status === NOT_FOUND && fault.code !== "NoSuchBucket") return null;
      throw fault.error;
    },
    async put(key, bytes, { hash, signal }) {
      // Bytes of a segment are never in memory that threads share.
      const response = await send("PUT", key, { signal, hash, bytes: bytes as Uint8Array<ArrayBuffer> });
      if (!response.ok) throw (await faultOf(response)).error;
      await response.body?.cancel();
    },
    async remove(key, { signal }) {
      const response = await send("DELETE", key, { signal });
      if (response.ok) return void (await response.body?.cancel());
      const fault = await faultOf(response);
      if (response.status !== NOT_FOUND || fault.code === "NoSuchBucket") throw fault.error;
    },
  };
}

function addressOf({ endpoint, bucket, style }: BucketPlace): string {
  if (style === "path") return `${endpoint}/${bucket}/`;
  return `${endpoint.replace("://", `://${bucket}.`)}/`;
}

function encodeKey(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

/** The code of the answer is a word, like `AccessDenied`; its other text may name buckets and hosts. */
async function faultOf(
  response: Response,
): Promise<{ readonly code: string | null; readonly error: StoreFault }> {
  const { status } = response;
  const text = new TextDecoder().decode(await readUpTo(response, MAX_ERROR_BYTES));
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? null;
  const mayPass = status >= SERVER_FAULT || MAY_PASS.has(status);
  return { code, error: new StoreFault(`status ${status}${code === null ? "" : `, ${code}`}`, !mayPass) };
}

/** The first `maxBytes` of the body; whatever follows is not read. */
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.byteLength;
    if (length >= maxBytes) break; // Ends the transfer.
  }
  const bytes = new Uint8Array(Math.min(length, maxBytes));
  bytes.set(Buffer.concat(parts, bytes.byteLength));
  return bytes;
}
