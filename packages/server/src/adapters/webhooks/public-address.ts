/** Distinguishes public IP addresses from those of private networks and of this machine. */
import { BlockList, isIP } from "node:net";

/** Networks of IANA's IPv4 special-purpose registry that are not globally reachable, and multicast. */
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
 * All public IPv6 addresses are in 2000::/3. Outside of it are loopback, link-local, unique-local and
 * multicast addresses and the forms that embed an IPv4 address: mapped (::ffff:0:0/96), compatible (::/96)
 * and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const PUBLIC_V6 = "2000::/3";
/**
 * Exceptions in that network: protocol assignments with Teredo, documentation, 6to4 and SRv6, which map to
 * other addresses or to none.
 */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

/** True for an IP address, in any notation, at which a packet reaches nothing private. */
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
