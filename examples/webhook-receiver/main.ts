/** Receives webhooks and verifies their signatures: WEBHOOK_SECRET=whsec_… PORT=9090 node main.ts */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

const maxBodyBytes = 1024 * 1024;
const toleranceSeconds = 300;
const rememberedIds = 10_000;

/** Whether the service sent the message within the last five minutes: https://www.standardwebhooks.com */
function isGenuine(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  // Not "older than": a timestamp that is not a number has an age of NaN.
  if (!(ageSeconds <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return String(signatures)
    .split(" ")
    .some((signature) => {
      const [version, value = ""] = signature.split(",");
      const given = Buffer.from(value, "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** The bytes as they arrived, which are what is signed; null where there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length; // The stream has no encoding set.
    if (length > maxBodyBytes) return null;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/** The work itself, after the answer: the service waits ten seconds for that. */
function handle(message: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }): void {
  const { job_id, source_doc_id, error_message } = message.data;
  if (message.type === "job.completed") console.log(`${job_id}: ${source_doc_id} is ready`);
  else if (message.type === "job.failed") console.log(`${job_id}: ${source_doc_id} failed: ${error_message}`);
  else console.log(message.type);
}

const secret = process.env["WEBHOOK_SECRET"] ?? "";
if (!secret.startsWith("whsec_")) throw new Error("Set WEBHOOK_SECRET to the webhook's secret, whsec_…");

/** A message may arrive twice, with the same id. A program that must not forget keeps them in its database. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const body = await readBody(request).catch(() => null);
  if (body === null) return void response.writeHead(413, { connection: "close" }).end();
  if (!isGenuine(secret, request.headers, body)) return void response.writeHead(401).end();
  response.writeHead(204).end();

  const id = String(request.headers["webhook-id"]);
  if (seen.has(id)) return;
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > rememberedIds && oldest !== undefined) seen.delete(oldest);
  handle(JSON.parse(body.toString()));
});
server.listen(Number(process.env["PORT"] ?? 9090), () => console.log("Receives webhooks"));
