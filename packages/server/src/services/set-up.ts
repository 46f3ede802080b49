import { randomBytes } from "node:crypto";
import { errors } from "../domain/errors.ts";
import type { Accounts } from "../ports/authenticator.ts";
import type { AccountStore } from "../ports/store.ts";

const linkLifetimeMs = 60 * 60 * 1000;
const ownerSetting = "owner_account_id";
const firstKeySetting = "first_api_key";

export interface SetUpDeps {
  readonly accounts: Accounts;
  readonly store: Pick<AccountStore, "readSetting" | "writeSetting">;
  /** Origin, with the path prefix if there is one. */
  readonly publicUrl: string;
  readonly now?: () => number;
}

export interface Started {
  readonly ownerAccountId: string;
  /**
   * Printed at the start, because it cannot be read again; null when it was printed before or is configured.
   */
  readonly firstKey: string | null;
  /** Printed at the start; null when the owner already has a password. */
  readonly setUpLink: string | null;
}

export interface SetUp {
  /**
   * Creates the owner and a way to sign in, if they do not exist. Every step is idempotent: a process
   * that dies between two steps, or another process that starts at the same time, neither creates a
   * second owner nor locks the owner out.
   */
  start(input: { bootstrapApiKey: string | null }): Promise<Started>;
  /**
   * A new link for a lost password of the owner (`email` null) or of an account;
   * null if the account does not exist.
   */
  resetLink(input: { email: string | null }): Promise<string | null>;
  /**
   * Uses a link. @throws ServiceError `invalid_input` that says what is wrong
   * with the link or the e-mail address
   */
  complete(input: { token: string; email: string; password: string }): Promise<void>;
}

export function createSetUp(deps: SetUpDeps): SetUp {
  const { accounts, store, publicUrl, now = Date.now } = deps;

  async function ensureOwner(): Promise<string> {
    const proposed = `acc_${randomBytes(16).toString("hex")}`;
    // The first of several processes writes the id; later ones read it and create what is missing.
    const ownerAccountId = await store.writeSetting({
      name: ownerSetting,
      value: proposed,
      onlyIfAbsent: true,
    });
    await accounts.ensureAccount({ accountId: ownerAccountId, name: "Owner" });
    return ownerAccountId;
  }

  async function createLink(accountId: string): Promise<string> {
    const { token } = await accounts.createLink({ accountId, expiresAt: now() + linkLifetimeMs });
    // In the fragment, which browsers do not send, so that the token is in no server's log.
    return `${publicUrl}/set-up#token=${token}`;
  }

  /** Only the process that claims the setting creates the key, so that it is created and printed once. */
  async function claimFirstKey(accountId: string): Promise<string | null> {
    const claim = randomBytes(16).toString("hex");
    const stored = await store.writeSetting({ name: firstKeySetting, value: claim, onlyIfAbsent: true });
    return stored === claim ? accounts.createKey({ accountId, name: "First key" }) : null;
  }

  return {
    async start({ bootstrapApiKey }) {
      const accountId = await ensureOwner();
      let firstKey: string | null = null;
      if (bootstrapApiKey === null) {
        firstKey = await claimFirstKey(accountId);
      } else {
        await accounts.ensureBootstrapKey({ accountId, key: bootstrapApiKey });
        await store.writeSetting({ name: firstKeySetting, value: "bootstrap", onlyIfAbsent: true });
      }
      const setUpLink = (await accounts.hasPassword({ accountId })) ? null : await createLink(accountId);
      return { ownerAccountId: accountId, firstKey, setUpLink };
    },

    async resetLink({ email }) {
      const accountId = email === null ? await ensureOwner() : await accounts.findAccount({ email });
      return accountId === null ? null : createLink(accountId);
    },

    async complete(input) {
      switch (await accounts.useLink(input)) {
        case "invalid_link":
          throw errors.invalidInput(
            "token: this link has already been used, has expired or is incomplete. " +
              "The operator of the service can create a new one with `kcs-server reset-link`.",
          );
        case "invalid_email":
          throw errors.invalidInput("email: is not a deliverable address");
        case "email_taken":
          throw errors.invalidInput("email: another account uses this address");
        case "done":
          return;
      }
    },
  };
}
