/** Which addresses are anybody's, and which lead into a network or to this machine. */
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registry for IPv4, without what is globally reachable; and multicast. */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/**
 * All that is given out for the public is in 2000::/3. Outside of it are loopback, link-local, unique-local, multicast,
 * and the ways to write an IPv4 address: mapped (::ffff:0:0/96), compatible (::/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const PUBLIC_V6 = "2000::/3";
/** Within it: protocol assignments with Teredo, documentation, 6to4 and SRv6, which lead to other addresses or nowhere. */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

/** True of an IP address, in any spelling, that a packet may be sent to without reaching something private. */
export type IsPublicAddress = (address: string) => boolean;

export function createIsPublicAddress(): IsPublicAddress {
  const notPublicV4 = listOf(NOT_PUBLIC_V4, "ipv4");
  const publicV6 = listOf([PUBLIC_V6], "ipv6");
  const notPublicV6 = listOf(NOT_PUBLIC_V6, "ipv6");
  return (address) => {
    const version = isIP(address);
    if (version === 4) return !notPublicV4.check(address, "ipv4");
    if (version !== 6 || address.includes("%")) return false;
    return publicV6.check(address, "ipv6") && !notPublicV6.check(address, "ipv6");
  };
}

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
