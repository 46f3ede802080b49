/** Sends webhooks over HTTP, and never to where only the inside may go. */
import { lookup } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Sent, WebhookMessage, WebhookSender } from "../../ports/webhook-sender.ts";
import { createCheckedLookup, PrivateAddressError, type Resolve } from "./checked-lookup.ts";
import { createIsPublicAddress, type IsPublicAddress } from "./public-address.ts";

const DEADLINE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The answer's body says nothing to us; a little is read so that the receiver can end in order. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_ERROR_CHARACTERS = 300;
const GONE = 410;

export interface SenderOptions {
  /** Whether http and private addresses are allowed: the operator's decision. */
  readonly allowPrivate: boolean;
  readonly userAgent: string;
  readonly deadlineMs?: number;
  readonly resolve?: Resolve;
}

export function createWebhookSender(options: SenderOptions): WebhookSender {
  const isPublic: IsPublicAddress = options.allowPrivate
    ? (address) => isIP(address) > 0
    : createIsPublicAddress();
  const resolve: Resolve = options.resolve ?? ((host) => lookup(host, { all: true, order: "verbatim" }));
  const connection = { lookup: createCheckedLookup(resolve, isPublic) };
  const addressFault = (url: string) => faultOf(url, options.allowPrivate, isPublic);
  return {
    addressFault,
    async send(message, stop) {
      const began = performance.now();
      const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const timed = () => Math.round(performance.now() - began);
      try {
        // Checked again: what the operator allows may have changed since the webhook was made.
        const fault = addressFault(message.url);
        if (fault !== null) throw new Error(`The address ${fault}`);
        const signal = AbortSignal.any([deadline, stop]);
        const status = await post(message, { ...options, connection, signal });
        return { ...judge(status), durationMs: timed(), responseStatus: status };
      } catch (error) {
        if (stop.aborted) throw error;
        const text = deadline.aborted ? `No answer within ${timed()} ms` : describe(error);
        return { outcome: "refused", durationMs: timed(), responseStatus: null, error: text };
      }
    },
  };
}

/** Literal addresses need no look-up, so they are checked here; names when they are connected to. */
function faultOf(text: string, allowPrivate: boolean, isPublic: IsPublicAddress): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const schemes = allowPrivate ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol)) {
    return `is no ${allowPrivate ? "http or https" : "https"} address, expected one like https://example.com/hook`;
  }
  if (url.username !== "" || url.password !== "") return "holds a user name or password, expected none";
  if (url.hash !== "") return "holds a fragment, expected none";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !isPublic(host)) return "is private, expected one that is reachable from everywhere";
  if (!allowPrivate && /(^|\.)localhost\.?$/i.test(host))
    return "is private, expected one that is reachable from everywhere";
  return null;
}

/** The status of the answer. Redirects are not followed; no connection is kept. */
function post(
  { url, headers, body }: WebhookMessage,
  options: SenderOptions & {
    readonly connection: { readonly lookup: ReturnType<typeof createCheckedLookup> };
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
    let hasAnswer = false;
    outgoing.on("error", reject);
    // Where nobody listens for it, such an answer ends the request without any other event.
    outgoing.on("upgrade", (incoming: IncomingMessage, socket) => {
      socket.destroy();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on("close", () => {
      if (!hasAnswer) reject(new Error("The connection was closed before an answer came"));
    });
    outgoing.on("response", (incoming: IncomingMessage) => {
      hasAnswer = true;
      readSome(incoming).then(() => {
        resolve(incoming.statusCode ?? 0);
        outgoing.destroy();
      }, reject);
    });
    outgoing.end(body);
  });
}

/** Until the end, or the bound. */
function readSome(incoming: IncomingMessage): Promise<void> {
  let bytes = 0;
  return new Promise((resolve, reject) => {
    incoming.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) resolve();
    });
    incoming.on("end", resolve);
    incoming.on("error", reject);
    incoming.on("close", () => resolve());
  });
}

function judge(status: number): Pick<Sent, "outcome" | "error"> {
  const kind = Math.floor(status / 100);
  if (kind === 2) return { outcome: "accepted", error: null };
  if (status === GONE) return { outcome: "gone", error: "The receiver answered that it is gone" };
  const hint = kind === 3 ? "; redirects are not followed" : "";
  return { outcome: "refused", error: `The receiver answered ${status}${hint}` };
}

/** Nothing about where a name leads, for whoever asks is outside. */
function describe(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  if (cause instanceof PrivateAddressError) return cause.message;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "The host name could not be resolved";
  if (code === "ECONNREFUSED") return "The connection was refused";
  if (code === "ECONNRESET") return "The connection was closed before an answer came";
  const text = code ?? (cause instanceof Error ? cause.message : String(cause));
  return text.replaceAll("\0", "").slice(0, MAX_ERROR_CHARACTERS);
}
