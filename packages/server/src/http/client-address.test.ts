import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createClientAddress } from "./client-address.ts";

function clientOf(
  remoteAddress: string | undefined,
  forwarded?: string,
  trusted: readonly string[] = ["10.0.0.0/8", "2001:db8:5::/48", "192.0.2.1"],
): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return createClientAddress(trusted)({ headers, socket: { remoteAddress } });
}

test("without trusted proxies the socket's address is used, with any headers", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.string(), (peer, forwarded) => {
      assert.equal(clientOf(peer, forwarded, []), peer);
    }),
  );
});

test("an untrusted peer cannot choose its address", () => {
  assert.equal(clientOf("203.0.113.7", "198.51.100.1"), "203.0.113.7");
  assert.equal(clientOf("192.0.2.2", "198.51.100.1"), "192.0.2.2");
});

test("behind trusted proxies the rightmost untrusted address is used", () => {
  assert.equal(clientOf("10.1.1.1", "198.51.100.1"), "198.51.100.1");
  assert.equal(clientOf("192.0.2.1", "6.6.6.6, 198.51.100.1, 10.2.2.2, 192.0.2.1"), "198.51.100.1");
  assert.equal(clientOf("2001:db8:5::9", "198.51.100.1,2001:DB8:5:0::1"), "198.51.100.1");
});

test("an invalid entry ends the search at the last valid hop", () => {
  assert.equal(clientOf("10.1.1.1", "198.51.100.1, garbage"), "10.1.1.1");
  assert.equal(clientOf("10.1.1.1", "198.51.100.1, unknown, 10.3.3.3"), "10.3.3.3");
  assert.equal(clientOf("10.1.1.1", ""), "10.1.1.1");
  assert.equal(clientOf("10.1.1.1"), "10.1.1.1");
  assert.equal(clientOf("10.1.1.1", "10.2.2.2, 10.3.3.3"), "10.2.2.2");
});

test("all notations of an address are normalized to one", () => {
  for (const form of [
    "::ffff:203.0.113.7",
    "::FFFF:cb00:7107",
    "0:0:0:0:0:ffff:203.0.113.7",
    "203.0.113.7",
  ]) {
    assert.equal(clientOf(form), "203.0.113.7");
    assert.equal(clientOf("10.0.0.1", form), "203.0.113.7");
  }
  assert.equal(clientOf("::ffff:10.0.0.1", "203.0.113.7:4711"), "203.0.113.7");
  assert.equal(clientOf("10.0.0.1", "[2001:DB8::0:1]:443"), "2001:db8::1");
  assert.equal(clientOf("fe80::1%eth0"), "fe80::1");
});

test("networks may be written as IPv4-mapped IPv6", () => {
  assert.equal(clientOf("10.0.0.1", "203.0.113.7", ["::ffff:10.0.0.0/104"]), "203.0.113.7");
  assert.equal(clientOf("11.0.0.1", "203.0.113.7", ["::ffff:10.0.0.0/104"]), "11.0.0.1");
});

test("a socket without an address (a local one) counts as this machine", () => {
  assert.equal(clientOf(undefined), "127.0.0.1");
});

test("a header of any length and content gives an address in bounded time", () => {
  assert.equal(clientOf("10.1.1.1", `198.51.100.1, ${"10.2.2.2, ".repeat(5000)}10.2.2.2`), "10.2.2.2");
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => clientOf("10.1.1.1", text).length > 0));
});
