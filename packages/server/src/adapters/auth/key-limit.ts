/** Bounds the keys of an account where they are inserted, so that requests at the same time cannot exceed the bound together. */
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "better-auth/api";
import type { ChangeAccount } from "../../ports/account-changes.ts";

const maxKeysPerAccount = 500;

/** An adapter that inserts the keys of an account one after the other, in all processes, and undoes what is then too many. */
export function limitKeys(inner: DBAdapter, change: ChangeAccount): DBAdapter {
  return {
    ...inner,
    create<T extends Record<string, unknown>, R = T>(input: Parameters<typeof inner.create<T, R>>[0]) {
      const { referenceId: accountId } = input.data;
      if (input.model !== "apikey" || typeof accountId !== "string") return inner.create<T, R>(input);
      return change({ accountId }, async () => {
        const made = await inner.create<T, R>(input);
        const where = [{ field: "referenceId", value: accountId }];
        if ((await inner.count({ model: "apikey", where })) <= maxKeysPerAccount) return made;
        throw new APIError("BAD_REQUEST", {
          message: `An account can have ${maxKeysPerAccount} API keys. Delete some that you no longer use.`,
        });
      });
    },
  };
}
