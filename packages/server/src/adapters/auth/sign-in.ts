/** A sign-in, which begins no session with a password that is being replaced. */
import type { ChangeAccount } from "../../ports/account-changes.ts";
import type { Library } from "./library.ts";
import type { PasswordChanges } from "./password-changes.ts";

/** Runs the library's sign-in of an address. Its writes are one change of the account. */
export type SignIn = (email: string, run: () => Promise<Response>) => Promise<Response>;

export function createSignIn(deps: {
  readonly library: Library;
  readonly passwordChanges: PasswordChanges;
  readonly change: ChangeAccount;
}): SignIn {
  const { library, passwordChanges, change } = deps;
  return async (email, run) => {
    const { adapter, internalAdapter } = await library.$context;
    const found = await internalAdapter.findUserByEmail(email.toLowerCase());
    // The library deletes an expired session only when its cookie is sent again. Before the change, in which it would hold rows of other accounts.
    const expired = [{ field: "expiresAt", value: new Date(), operator: "lt" as const }];
    await adapter.deleteMany({ model: "session", where: expired });
    return change({ accountId: found?.user.id ?? null, isMade }, () => passwordChanges.run(run));
  };
}

export function isMade(response: Response): boolean {
  return response.ok;
}
