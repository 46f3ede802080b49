/** What keeps requests to addresses that users name away from private networks, and how their failures are told. */
import { isIP, type LookupFunction } from "node:net";
import { createCheckedLookup, PrivateAddressError, type Resolve } from "./checked-lookup.ts";
import { createIsPublicAddress, type IsPublicAddress } from "./public-address.ts";
import { createResolve } from "./resolve-name.ts";

const MAX_ERROR_CHARACTERS = 300;

export interface GuardOptions {
  /** Whether the operator allows http and private addresses. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

export interface Guard {
  /** Returns what is wrong with a URL as the end of a sentence; null when nothing is. */
  addressFault(url: string): string | null;
  /** For the `lookup` option of a request. */
  readonly lookup: LookupFunction;
}

export function createGuard(options: GuardOptions): Guard {
  const { allowPrivate } = options;
  const isPublic: IsPublicAddress = allowPrivate ? (address) => isIP(address) > 0 : createIsPublicAddress();
  const resolve: Resolve = options.resolve ?? createResolve({ usesLocalNames: allowPrivate });
  return {
    addressFault: (url) => faultOf(url, allowPrivate, isPublic),
    lookup: createCheckedLookup(resolve, isPublic),
  };
}

const PRIVATE =
  "is private, expected a publicly reachable address (whoever operates the service can allow private ones: KCS_WEBHOOK_PRIVATE=allow)";

/** Checks literal IP addresses, which need no look-up. Host names are checked when the connection is made. */
function faultOf(text: string, allowPrivate: boolean, isPublic: IsPublicAddress): string | null {
  // Of `https:///x` the parser would make the host `x`.
  const hasHost = /^https?:\/\/[^/\\]/i.test(text.trim());
  const url = hasHost && URL.canParse(text) ? new URL(text) : null;
  const schemes = allowPrivate ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol)) {
    return `is not an ${allowPrivate ? "http or https" : "https"} URL, expected one such as https://example.com/hook`;
  }
  if (url.username !== "" || url.password !== "") return "contains a user name or password, expected none";
  if (url.hash !== "") return "contains a fragment, expected none";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !isPublic(host)) return PRIVATE;
  if (!allowPrivate && /(^|\.)localhost\.?$/i.test(host)) return PRIVATE;
  return null;
}

/** Codes of the system's look-up and of DNS. */
const unresolved: ReadonlySet<string> = new Set(
  "ENOTFOUND EAI_AGAIN ENODATA ESERVFAIL ETIMEOUT EREFUSED EBADNAME EBADRESP EFORMERR".split(" "),
);

/** Does not reveal the addresses that a name resolves to, because the text is shown to API users. */
export function describeFailure(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  if (cause instanceof PrivateAddressError) return cause.message;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null;
  if (code !== null && unresolved.has(code)) return "The host name could not be resolved";
  if (code === "ECONNREFUSED") return "The connection was refused";
  if (code === "ECONNRESET") return "The connection was closed before an answer came";
  if (code === "HPE_HEADER_OVERFLOW") return "The receiver's answer has headers that are too long";
  // The codes of Node's parser.
  if (code?.startsWith("HPE_") === true) return "The receiver's answer is not valid HTTP";
  const text = code ?? (cause instanceof Error ? cause.message : String(cause));
  return text.replaceAll("\0", "").slice(0, MAX_ERROR_CHARACTERS);
}
