/** Fetches pages over HTTP with the guards of webhooks: never from private addresses, unless the operator allows them. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type FetchedPage, type PageFetcher, PageUnreachable } from "../../ports/page-fetcher.ts";
import { createGuard, describeFailure, type GuardOptions } from "./guard.ts";
import { limitInterimAnswers } from "./interim-answers.ts";
import { refuseShortChunks } from "./short-chunks.ts";

const DEADLINE_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 16 * 1024;

export interface FetcherOptions extends GuardOptions {
  readonly userAgent: string;
  readonly deadlineMs?: number;
}

export function createPageFetcher(options: FetcherOptions): PageFetcher {
  const { addressFault, lookup } = createGuard(options);

  function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const outgoing = send(url, {
        // Without compression the size of the page is what arrives.
        headers: { "user-agent": options.userAgent, accept: "*/*", "accept-encoding": "identity" },
        agent: false,
        lookup,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      });
      outgoing.on("error", reject).on("response", (incoming) => {
        refuseShortChunks(incoming, sentInShortChunks);
        resolve(incoming);
      });
      limitInterimAnswers(outgoing);
      outgoing.on("upgrade", (_incoming, socket) => {
        socket.destroy();
        reject(new Error("The server changes to another protocol"));
      });
      outgoing.on("close", () => reject(new Error("The connection was closed before an answer came")));
      outgoing.end();
    });
  }

  async function follow(first: string, signal: AbortSignal): Promise<FetchedPage> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const fault = addressFault(url);
      if (fault !== null) throw new PageUnreachable(`The address that it redirects to ${fault}`);
      const incoming = await open(new URL(url), signal);
      const next = redirectOf(incoming, url);
      if (next === null) return { url, body: bodyOf(incoming, signal) };
      incoming.destroy();
      url = next;
    }
    throw new PageUnreachable(`The page redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    addressFault,
    async fetch(url, given) {
      const deadline = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
      const signal = given === undefined ? deadline : AbortSignal.any([given, deadline]);
      try {
        return await follow(url, signal);
      } catch (error) {
        throw unreachable(error, signal);
      }
    },
  };
}

function sentInShortChunks(): Error {
  return new PageUnreachable("The server sends the page in chunks of a few bytes");
}

function unreachable(error: unknown, { aborted, reason }: AbortSignal): unknown {
  if (error instanceof PageUnreachable) return error;
  if (!aborted) return new PageUnreachable(describeFailure(error));
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return isLate ? new PageUnreachable("The page took too long") : reason;
}

/** @throws PageUnreachable for an answer that is neither a page nor a redirect */
function redirectOf(incoming: IncomingMessage, url: string): string | null {
  const { statusCode = 0, headers } = incoming;
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  if (statusCode === 200 && isPlain) return null;
  const { location = "" } = headers;
  const isRedirect =
    [301, 302, 303, 307, 308].includes(statusCode) && location !== "" && URL.canParse(location, url);
  if (isRedirect) return new URL(location, url).href.replace(/#.*$/s, "");
  incoming.destroy();
  const answer = isPlain
    ? `answered ${statusCode}`
    : "answered with a compressed page, which was not asked for";
  throw new PageUnreachable(`The server ${answer}`);
}

const CUT = "The page ended too early";

async function* bodyOf(incoming: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of incoming) yield chunk as Uint8Array; // Without an encoding, chunks are buffers.
    // Of an answer whose end is that of its connection, this is all that Node tells.
    signal.throwIfAborted();
    if (!incoming.complete) throw new PageUnreachable(CUT);
  } catch (error) {
    // Node tells of it as a connection that was reset.
    const isCut = !signal.aborted && !incoming.complete && !(error instanceof PageUnreachable);
    throw isCut ? new PageUnreachable(CUT) : unreachable(error, signal);
  } finally {
    incoming.destroy();
  }
}
