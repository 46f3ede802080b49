import assert from "node:assert/strict";
import { test } from "node:test";
import { securityHeaders } from "./security-headers.ts";

test("https is required of the service's own host and of no other name of its domain", () => {
  assert.equal(securityHeaders({ isHttps: true })["strict-transport-security"], "max-age=31536000");
  assert.ok(!("strict-transport-security" in securityHeaders({ isHttps: false })));
});
