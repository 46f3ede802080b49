import { randomUUID } from "node:crypto";

/** Keeps the client's `X-Request-Id` if it is safe to log. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,128}$/.test(given) ? given : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`; // Cheap: Node caches the random bits for many UUIDs.
}
