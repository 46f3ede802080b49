/** Bounds the keys of an account where they are inserted, so that requests at the same time cannot exceed the bound together. */
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "better-auth/api";
import { createTurns } from "../../domain/turns.ts";

const maxKeysPerAccount = 500;

/**
 * An adapter that inserts the keys of an account one after the other. The library has no transactions here, and another
 * process may insert, too: what is then too many is removed again before anyone has the key.
 */
export function limitKeys(inner: DBAdapter): DBAdapter {
  const turns = createTurns({ ofAccount: 1 });

  async function requireFewer(accountId: string, limit: number): Promise<void> {
    const where = [{ field: "referenceId", value: accountId }];
    if ((await inner.count({ model: "apikey", where })) < limit) return;
    throw new APIError("BAD_REQUEST", {
      message: `An account can have ${maxKeysPerAccount} API keys. Delete some that you no longer use.`,
    });
  }

  return {
    ...inner,
    async create<T extends Record<string, unknown>, R = T>(input: Parameters<typeof inner.create<T, R>>[0]) {
      const { referenceId: accountId } = input.data;
      if (input.model !== "apikey" || typeof accountId !== "string") return inner.create<T, R>(input);
      const insert = async () => {
        await requireFewer(accountId, maxKeysPerAccount);
        const made = await inner.create<T, R & { id: string }>(input);
        try {
          await requireFewer(accountId, maxKeysPerAccount + 1);
        } catch (error) {
          await inner.delete({ model: "apikey", where: [{ field: "id", value: made.id }] });
          throw error;
        }
        return made;
      };
      return turns.run(insert, { accountId, signal: null });
    },
  };
}
