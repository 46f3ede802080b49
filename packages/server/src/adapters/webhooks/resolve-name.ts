/** Resolves the host names of webhooks by DNS, without the queue in which Node looks up all other names. */
import { lookup, Resolver } from "node:dns/promises";
import type { Resolve } from "./checked-lookup.ts";

const DEFAULTS = { timeoutMs: 2_000, tries: 2 };

export interface ResolveOptions {
  /** Whether names that only this machine knows are looked up, too. */
  readonly usesLocalNames: boolean;
  /** Addresses of DNS servers; those of the system unless given. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Node's own look-up occupies one of a few threads until the system gives up, which takes ten seconds and more for a name
 * whose server does not answer. A few such names of one account would stop the look-ups of all others.
 */
export function createResolve({ usesLocalNames, servers, timeoutMs }: ResolveOptions): Resolve {
  return async (host) => {
    if (usesLocalNames && /^localhost\.?$/i.test(host)) return lookup(host, { all: true });
    const resolver = new Resolver({ timeout: timeoutMs ?? DEFAULTS.timeoutMs, tries: DEFAULTS.tries });
    if (servers !== undefined) resolver.setServers([...servers]);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const error: unknown = four.status === "rejected" ? four.reason : null;
    if (usesLocalNames && !isTimeout(error)) return lookup(host, { all: true });
    throw error ?? Object.assign(new Error("The name has no address."), { code: "ENODATA" });
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ETIMEOUT";
}
