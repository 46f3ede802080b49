/** Tells failures before a request was sent from those after it. */

/** Codes of Node's `fetch` for connections that were not made. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_INVALID_URL",
]);
/** Codes of certificates that are not trusted, and of the handshake, which come before the request. */
const TLS_FAULT =
  /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_|ERR_SSL_\w{0,40}(?:HANDSHAKE_FAILURE|WRONG_VERSION_NUMBER|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNRECOGNIZED_NAME|PACKET_LENGTH_TOO_LONG))/;
/** Without a code. */
const BEFORE_SENDING = /before secure TLS connection was established|^(?:bad port|unknown scheme)$/;

/** Whether surely nothing was sent. @param error of `fetch`; Node's says why only in `cause` */
export function isNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const reason = error.cause instanceof Error ? error.cause : error;
  const { code, syscall, errors } = reason as { code?: unknown; syscall?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0 && errors.every(isNeverSent)) return true;
  if (syscall === "connect" || BEFORE_SENDING.test(reason.message)) return true;
  return typeof code === "string" && (NEVER_SENT.has(code) || TLS_FAULT.test(code));
}
