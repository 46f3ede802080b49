/**
 * Protects a service on a private machine or network against web pages of other
 * sites (DNS rebinding, cross-site calls).
 */
import type { FastifyRequest } from "fastify";

const LOOPBACK: ReadonlySet<string | null> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a `Host` header names this machine by a loopback name, with any port. */
export function isLoopbackHost(host: string | undefined): boolean {
  return LOOPBACK.has(hostnameOf(host));
}

/**
 * Returns a function that says why a request must be refused, or null. `Host` must be the service's own name
 * or a loopback name: the owner of any other name can point it to this address, and the browser then treats
 * their page as same-origin. `Origin` must be the service's own or an allowed one; programs send none.
 */
export function createHostAndOriginFault(deps: {
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}): (request: Pick<FastifyRequest, "headers">) => string | null {
  const { hostname, origin: ownOrigin } = new URL(deps.publicUrl);
  return ({ headers: { host, origin } }) => {
    const name = hostnameOf(host);
    if (name === null || (name !== hostname && !LOOPBACK.has(name))) {
      return `Host: got ${JSON.stringify((host ?? "").slice(0, 200))}, expected ${hostname} or this machine. Set KCS_PUBLIC_URL to the address that clients use.`;
    }
    if (origin === undefined || origin === ownOrigin || deps.corsOrigins.includes(origin)) return null;
    return `Origin: pages of ${JSON.stringify(origin.slice(0, 200))} may not call this service. Add the origin to KCS_CORS_ORIGINS if they should.`;
  };
}

/** The host name without the port, which does not matter for the check; null for an invalid header. */
function hostnameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null;
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}
