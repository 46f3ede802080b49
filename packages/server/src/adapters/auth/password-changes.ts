/** Lets a password be changed, and a session begin, only while the password that was checked is stored. The library checks it, then writes whatever is stored. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BASE_ERROR_CODES } from "@better-auth/core/error";
import { APIError } from "better-auth/api";
import type { PasswordHashing } from "./password-hashing.ts";

export interface PasswordChanges {
  /** Runs a request that checks a password, to change it or to sign in. Of several changes of the same one, in all processes on the database, one succeeds. */
  run<Result>(change: () => Promise<Result>): Promise<Result>;
  /** @throws APIError 401 when another password than the one that the running request has checked is stored; does nothing outside of `run` */
  requireChecked(adapter: Pick<DBAdapter, "findOne">, accountId: string): Promise<void>;
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
    async requireChecked(adapter, accountId) {
      const change = changes.getStore();
      if (change === undefined) return;
      const where = [
        { field: "userId", value: accountId },
        { field: "password", value: change.checkedHash },
      ];
      if ((await adapter.findOne({ model: "account", where })) === null)
        throw APIError.from("UNAUTHORIZED", BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD);
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
