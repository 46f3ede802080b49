/** Keeps pages of other sites from reaching a service that only this machine or this network can reach. */
import type { FastifyRequest } from "fastify";

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Tells why a request must not be carried out: `Host` is neither the service's own name nor this machine's (whoever
 * owns a name can point it at any address, and then the browser takes the page for the service's own), or `Origin`
 * is a page that may not call. null when nothing is wrong. Programs send no `Origin`.
 */
export function createPlaceFault(deps: {
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

/** Without the port, which no page can choose for a name; null for what is no host. */
function hostnameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null;
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}
