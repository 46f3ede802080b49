import assert from "node:assert/strict";
import { test } from "node:test";
import { newWebhookSecret, signatureHeaders } from "./webhook-signature.ts";

test("a message is signed as the specification's own example is", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const headers = signatureHeaders(secret, {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  });
  assert.deepEqual(headers, {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("secrets are 32 random bytes in base64 behind their prefix", () => {
  const secret = newWebhookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(secret, newWebhookSecret());
});
