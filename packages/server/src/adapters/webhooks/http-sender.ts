/** Sends webhooks over HTTP, and never to private addresses unless the operator allows them. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { SendResult, WebhookMessage, WebhookSender } from "../../ports/webhook-sender.ts";
import { createGuard, describeFailure, type GuardOptions } from "./guard.ts";
import { limitInterimAnswers } from "./interim-answers.ts";
import { refuseShortChunks } from "./short-chunks.ts";

const DEADLINE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * The response body is ignored: the status is the answer. A small part of it is read for a short time so that the receiver can
 * finish its response normally.
 */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RESPONSE_MS = 1_000;
const GONE = 410;

export interface SenderOptions extends GuardOptions {
  readonly userAgent: string;
  readonly deadlineMs?: number;
}

export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { addressFault, lookup } = createGuard(options);
  const connection = { lookup };
  return {
    addressFault,
    async send(message, stop) {
      const startedAt = performance.now();
      const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const elapsedMs = () => Math.round(performance.now() - startedAt);
      try {
        // Checks the address again: the operator's setting may have changed since the webhook was created.
        const fault = addressFault(message.url);
        if (fault !== null) throw new Error(`The address ${fault}`);
        const signal = AbortSignal.any([deadline, stop]);
        const status = await post(message, { ...options, connection, signal });
        return { ...judge(status), durationMs: elapsedMs(), responseStatus: status };
      } catch (error) {
        if (stop.aborted) throw error;
        const text = deadline.aborted ? `No answer within ${elapsedMs()} ms` : describeFailure(error);
        return { outcome: "refused", durationMs: elapsedMs(), responseStatus: null, error: text };
      }
    },
  };
}

/** Returns the status of the response. Does not follow redirects and keeps no connection open. */
function post(
  { url, headers, body }: WebhookMessage,
  options: SenderOptions & {
    readonly connection: { readonly lookup: LookupFunction };
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const target = new URL(url);
  const open = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = open(target, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": options.userAgent,
      },
      agent: false,
      lookup: options.connection.lookup,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: options.signal,
    });
    // Has no effect once there is a status.
    outgoing.on("error", reject);
    limitInterimAnswers(outgoing);
    // Without this listener, a protocol upgrade ends the request without any other event.
    outgoing.on("upgrade", (incoming: IncomingMessage, socket) => {
      socket.destroy();
      resolve(incoming.statusCode ?? 0);
    });
    let status: Promise<number> | null = null;
    outgoing.on("close", () => {
      if (status === null) reject(new Error("The connection was closed before an answer came"));
    });
    outgoing.on("response", (incoming: IncomingMessage) => {
      // Its status counts; the body is read for the receiver's sake.
      refuseShortChunks(incoming, () => new Error("The receiver answers in chunks of a few bytes"));
      status = readBeginning(incoming).then(() => incoming.statusCode ?? 0);
      resolve(status.finally(() => outgoing.destroy()));
    });
    outgoing.end(body);
  });
}

/** Resolves at the end of the body, however it ends, or after `MAX_RESPONSE_BYTES` or `MAX_RESPONSE_MS`. */
async function readBeginning(incoming: IncomingMessage): Promise<void> {
  let bytes = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_RESPONSE_MS);
  incoming.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_RESPONSE_BYTES) resolve();
  });
  for (const end of ["end", "error", "close"]) incoming.on(end, () => resolve());
  await promise;
  clearTimeout(timer);
}

function judge(status: number): Pick<SendResult, "outcome" | "error"> {
  const kind = Math.floor(status / 100);
  if (kind === 2) return { outcome: "accepted", error: null };
  if (status === GONE) return { outcome: "gone", error: "The receiver answered that it is gone" };
  const hint = kind === 3 ? "; redirects are not followed" : "";
  return { outcome: "refused", error: `The receiver answered ${status}${hint}` };
}
