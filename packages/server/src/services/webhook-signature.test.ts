import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { newWebhookSecret, signatureHeaders } from "./webhook-signature.ts";

test("the example of the specification gets the signature of the specification", () => {
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

test("a secret is its prefix and 32 random bytes in base64", () => {
  const secret = newWebhookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(secret, newWebhookSecret());
});

test("the example in the documentation accepts genuine messages only", async () => {
  const page = await readFile(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean; // As in the example.
  };
  const secret = newWebhookSecret();
  const body = '{"type":"webhook.test"}';
  const headers = signatureHeaders(secret, { id: "msg_1", at: Date.now(), body });
  assert.equal(isGenuine(secret, headers, body), true);
  assert.equal(isGenuine(secret, headers, `${body} `), false);
  assert.equal(isGenuine(newWebhookSecret(), headers, body), false);
  assert.equal(isGenuine(secret, { ...headers, "webhook-id": "msg_2" }, body), false);
  const old = signatureHeaders(secret, { id: "msg_1", at: Date.now() - 400_000, body });
  assert.equal(isGenuine(secret, old, body), false);
  const rotated = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
  assert.equal(isGenuine(secret, rotated, body), true);
});
