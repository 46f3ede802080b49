/**
 * A server that speaks the part of S3's API that the service uses: objects of one bucket in memory, by path or by host name. It checks
 * signatures (AWS Signature Version 4, by the algorithm's description and not by the client's library) and the hash of each body, and
 * answers faults as S3 does. `behave` makes it misbehave.
 */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface BucketRequest {
  readonly method: string;
  readonly key: string;
}

/** "answer", a status, no answer at all, the same after it was carried out, a broken connection, or an answer with a bit turned over. */
export type BucketBehaviour = "answer" | "hang" | "swallow" | "reset" | "altered" | number;

export interface BucketServer {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  readonly requests: BucketRequest[];
  behave: (request: BucketRequest) => BucketBehaviour;
  /** What a service needs to use it. */
  environment(prefix?: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const BUCKET = "kcs-tests";
const ACCESS_KEY = "AKIDTESTS";
export const SECRET_KEY = "secret/of+the=tests";
const SESSION_TOKEN = "token-of-the-tests";
const REGION = "eu-test-1";
const NO_KEY = [404, "NoSuchKey"] as const;
const NO_METHOD = [405, "MethodNotAllowed"] as const;
const SKEW_MS = 15 * 60_000;

export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const requests: BucketRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const key = keyOf(request);
    const asked = { method: request.method ?? "", key: key ?? "" };
    requests.push(asked);
    const behaviour = running.behave(asked);
    if (behaviour === "hang") return;
    if (behaviour === "reset") return void request.socket.destroy();
    if (typeof behaviour === "number") return refuse(response, behaviour, "SlowDown");
    const fault = signatureFault(request, body);
    if (fault !== null)
      return refuse(response, /^(?:XAmz|AuthorizationHeader)/.test(fault) ? 400 : 403, fault);
    if (key === null) return refuse(response, 404, "NoSuchBucket");
    if (behaviour === "swallow") objects.set(key, body);
    else serve(asked, { body, response, isAltered: behaviour === "altered" });
  }

  function serve(
    { method, key }: BucketRequest,
    { body, response, isAltered }: { body: Buffer; response: ServerResponse; isAltered: boolean },
  ): void {
    if (method === "PUT") {
      objects.set(key, body);
      return void response.writeHead(200, { etag: '"x"' }).end();
    }
    if (method === "DELETE") {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (found === undefined || method !== "GET") {
      const [status, code] = method === "GET" ? NO_KEY : NO_METHOD;
      refuse(response, status, code);
      return;
    }
    const sent = Buffer.from(found);
    if (isAltered) sent[sent.length >> 1] = (sent[sent.length >> 1] ?? 0) ^ 1;
    response.writeHead(200, { "content-length": sent.length }).end(sent);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const running: BucketServer = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    requests,
    behave: () => "answer",
    environment: (prefix = "") => ({
      KCS_SEGMENT_STORE: `s3://${BUCKET}/${prefix}`,
      AWS_ENDPOINT_URL_S3: running.endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_SESSION_TOKEN: SESSION_TOKEN,
    }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return running;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Resource>/private</Resource></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(text);
}

/** null for another bucket. */
function keyOf({ headers, url = "/" }: IncomingMessage): string | null {
  const path = url.split("?")[0] ?? "/";
  const named = headers.host?.startsWith(`${BUCKET}.`) === true ? path.slice(1) : null;
  if (named !== null) return decodeURIComponent(named);
  return path.startsWith(`/${BUCKET}/`) ? decodeURIComponent(path.slice(BUCKET.length + 2)) : null;
}

function signatureFault({ headers, method, url }: IncomingMessage, body: Buffer): string | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (given === null) return "AccessDenied";
  const [, accessKey, day = "", region = "", names = "", signature] = given;
  if (accessKey !== ACCESS_KEY) return "InvalidAccessKeyId";
  if (headers["x-amz-security-token"] !== SESSION_TOKEN) return "InvalidToken";
  if (region !== REGION) return "AuthorizationHeaderMalformed";
  const time = String(headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - at) < SKEW_MS) || !time.startsWith(day)) return "RequestTimeTooSkewed";
  for (const needed of ["host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"])
    if (!names.split(";").includes(needed)) return "AccessDenied";
  const bodyHash = sha256(body);
  if (headers["x-amz-content-sha256"] !== bodyHash) return "XAmzContentSHA256Mismatch";
  const [path = "", query = ""] = (url ?? "").split("?");
  const canonical = [
    method,
    path,
    query,
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, " ")}`),
    "",
    names,
    bodyHash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce(
    (secret: string | Buffer, part) => hmac(secret, part),
    `AWS4${SECRET_KEY}`,
  );
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n"));
  return expected.toString("hex") === signature ? null : "SignatureDoesNotMatch";
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
