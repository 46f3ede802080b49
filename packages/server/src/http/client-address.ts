import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const maxHops = 32;
const localAddress = "127.0.0.1";

type Connection = Pick<IncomingMessage, "headers"> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * The address of the client: the socket's address, unless that is a trusted proxy. Then `X-Forwarded-For` is
 * read from right to left past further trusted proxies to the first other address. Entries further left can
 * be forged by the client.
 * @param trustedProxies addresses and networks ("10.0.0.0/8"), already validated by the configuration
 */
export function createClientAddress(trustedProxies: readonly string[]): (connection: Connection) => string {
  const trusted = new BlockList();
  for (const entry of trustedProxies) addTo(trusted, entry);
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  return ({ headers, socket }) => {
    let client = normalized(socket.remoteAddress ?? "") ?? localAddress;
    if (!isTrusted(client)) return client;
    for (const hop of forwardedFor(headers["x-forwarded-for"]).reverse()) {
      const address = normalized(hop);
      if (address === null) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

function addTo(list: BlockList, entry: string): void {
  const [network = "", prefix] = entry.split("/");
  const address = normalized(network);
  if (address === null) return;
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, prefixLength(Number(prefix), { network, family }), family);
}

/**
 * The prefix length of IPv4-mapped networks ("::ffff:10.0.0.0/104") counts
 * from the start of the IPv6 address.
 */
function prefixLength(prefix: number, { network, family }: { network: string; family: string }): number {
  return isIP(network) === 6 && family === "ipv4" ? Math.max(0, prefix - 96) : prefix;
}

/** The last `maxHops` entries, which bounds the work for a header of any length. */
function forwardedFor(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text
    .split(",")
    .map((hop) => hop.trim())
    .slice(-maxHops);
}

/** An address without zone and port, with IPv4-mapped IPv6 as IPv4; null for any other text. */
function normalized(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = (bracketed ?? withPort ?? text).replace(/%[\s\S]*/, "").toLowerCase();
  if (isIP(address) === 0) return null;
  if (isIP(address) === 4) return address;
  // The URL parser normalizes every notation of an address: "::ffff:a00:1".
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  const bits = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? "0", 16));
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}
