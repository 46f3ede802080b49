import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createIsPublicAddress } from "./public-address.ts";

const isPublic = createIsPublicAddress();

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "this network and unspecified": ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  "private networks": [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "fc00::1",
    "fd12:3456::1",
  ],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  "link-local, including cloud metadata services": [
    "169.254.0.1",
    "169.254.169.254",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
  ],
  "site-local": ["fec0::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  "reserved and broadcast": ["240.0.0.1", "255.255.255.255"],
  "documentation and benchmarks": [
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "198.18.0.1",
    "2001:db8::1",
    "3fff::1",
  ],
  "protocol assignments": ["192.0.0.1", "192.88.99.1", "2001::1", "2001:10::1", "2001:1ff:ffff::1"],
  "IPv4-mapped": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "0:0:0:0:0:ffff:c0a8:0001",
  ],
  "IPv4-compatible and translated": ["::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1"],
  NAT64: ["64:ff9b::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::10.0.0.1"],
  "6to4 and Teredo": ["2002:7f00:1::1", "2002:c0a8:1::1", "2001:0:7f00:1::"],
  "discard-only": ["100::1"],
  "texts that are not addresses": [
    "",
    "localhost",
    "example.com",
    "1.2.3",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "::g",
    "[::1]",
    "8.8.8.8 ",
  ],
};

describe("addresses to which nothing is sent", () => {
  for (const [kind, addresses] of Object.entries(REFUSED)) {
    test(kind, () => {
      for (const address of addresses) assert.equal(isPublic(address), false, address);
    });
  }
});

test("addresses of the public Internet are allowed", () => {
  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.167.1.1",
    "169.253.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "2400:cb00::1",
  ])
    assert.equal(isPublic(address), true, address);
});

test("no IPv6 spelling of any IPv4 address is public", () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.constantFrom("::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "::ffff:0:"),
      (v4, prefix) => {
        assert.equal(isPublic(prefix + v4), false);
      },
    ),
  );
});
