import assert from "node:assert/strict";
import { test } from "node:test";
import type { Accounts } from "../ports/authenticator.ts";
import { createSetUp } from "./set-up.ts";

test("a link for a lost password is made for the owner and for known addresses, for an hour", async () => {
  const links: unknown[] = [];
  const accounts: Partial<Accounts> = {
    ensureAccount: async () => undefined,
    findAccount: async ({ email }) => (email === "ada@example.com" ? "acc_ada" : null),
    async createLink(input) {
      links.push(input);
      return { token: "t" };
    },
  };
  const { resetLink } = createSetUp({
    accounts: accounts as Accounts, // Has the methods that a link needs.
    store: { readSetting: async () => null, writeSetting: async () => "acc_owner" },
    publicUrl: "https://kcs.example",
    now: () => 5,
  });
  const link = "https://kcs.example/set-up#token=t";
  assert.deepEqual(
    [
      await resetLink({ email: null }),
      await resetLink({ email: "ada@example.com" }),
      await resetLink({ email: "no@example.com" }),
    ],
    [link, link, null],
  );
  const expiresAt = 5 + 60 * 60_000;
  assert.deepEqual(links, [
    { accountId: "acc_owner", expiresAt },
    { accountId: "acc_ada", expiresAt },
  ]);
});
