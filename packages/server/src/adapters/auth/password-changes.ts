/** Lets a password be changed only while the one that was checked is stored. The library checks it, then replaces whatever is stored. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BASE_ERROR_CODES } from "@better-auth/core/error";
import { APIError } from "better-auth/api";
import type { PasswordHashing } from "./password-hashing.ts";

export interface PasswordChanges {
  /** Runs a request to change a password. Of several with the same old one, in all processes on the database, one succeeds. */
  run<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Notes which hash a request has found right. */
  readonly hashing: PasswordHashing;
  /** An adapter in which a request replaces that hash and no other. */
  guard(inner: DBAdapter): DBAdapter;
}

export function createPasswordChanges(hashing: PasswordHashing): PasswordChanges {
  const changes = new AsyncLocalStorage<{ checkedHash: string | null }>();
  return {
    run: (change) => changes.run({ checkedHash: null }, change),
    hashing: {
      hash: (password) => hashing.hash(password),
      async verify(input) {
        const isRight = await hashing.verify(input);
        const change = changes.getStore();
        if (change !== undefined && isRight) change.checkedHash = input.hash;
        return isRight;
      },
    },
    guard: (inner) => ({
      ...inner,
      async update<T>(input: Parameters<typeof inner.update>[0]) {
        const change = changes.getStore();
        if (change === undefined || input.model !== "account") return inner.update<T>(input);
        const { model, where, update } = input;
        const isUnchanged = { field: "password", value: change.checkedHash };
        // Unlike `update`, it is one statement with all conditions.
        const row = await inner.incrementOne<T>({
          model,
          where: [...where, isUnchanged],
          increment: {},
          set: update,
        });
        if (row === null) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.INVALID_PASSWORD);
        return row;
      },
    }),
  };
}
