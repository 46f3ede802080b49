import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../domain/errors.ts";
import { createAccountSlots } from "./account-slots.ts";

const refused = (kind: ServiceError["kind"]) => (error: unknown) =>
  error instanceof ServiceError && error.kind === kind && error.retryAfterSeconds !== null;

test("an account has its own number of places, all together another, and each is given back once", () => {
  const slots = createAccountSlots({ what: "exports", perAccount: 2, total: 3 });
  const [first] = [slots.take("a"), slots.take("a")];
  assert.throws(() => slots.take("a"), refused("too_many_requests"));
  const other = slots.take("b");
  assert.throws(() => slots.take("b"), refused("unavailable"));
  other();
  other();
  first?.();
  slots.take("a");
  assert.throws(() => slots.take("a"), /^ServiceError: At most 2 exports of an account run at once/);
  slots.take("b");
  assert.throws(() => slots.take("b"), refused("unavailable"));
});
