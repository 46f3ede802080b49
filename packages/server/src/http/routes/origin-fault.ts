import type { FastifyRequest } from "fastify";

/**
 * Protects against cross-site request forgery: says why a request that changes something is refused, or null.
 * Programs without cookies send none of these headers and are admitted.
 */
export function originFault(request: FastifyRequest, publicOrigin: string): string | null {
  if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return null;
  const { origin, cookie } = request.headers;
  if (origin !== undefined && origin !== publicOrigin) {
    return (
      `This request comes from a page of ${origin.slice(0, 200)}, but the service is at ${publicOrigin}. ` +
      "Open it there, or set KCS_PUBLIC_URL to the address that people use."
    );
  }
  if (origin === publicOrigin) return null;
  const site = request.headers["sec-fetch-site"];
  if (cookie !== undefined) return `A request with a cookie needs the header Origin: ${publicOrigin}`;
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    return "This request comes from a page of another site.";
  }
  return null;
}
