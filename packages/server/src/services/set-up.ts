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
  /** Origin and, where there is one, path prefix. */
  readonly publicUrl: string;
  readonly now?: () => number;
}

export interface Started {
  readonly ownerAccountId: string;
  /** To be printed, for it cannot be read again; null when it was given out before or is set by configuration. */
  readonly firstKey: string | null;
  /** To be printed; null when the owner has a password already. */
  readonly setUpLink: string | null;
}

export interface SetUp {
  /**
   * Makes sure that there is an owner and a way in. Every step can be repeated: a process that dies half-way,
   * or another that starts at the same time, neither doubles the owner nor locks them out.
   */
  start(input: { bootstrapApiKey: string | null }): Promise<Started>;
  /** A new link for a lost password: of the owner, or of the account with this e-mail address. null when there is none. */
  resetLink(input: { email: string | null }): Promise<string | null>;
  /**
   * Uses a link. @throws ServiceError `invalid_input` that says what is wrong with link or e-mail address.
   */
  complete(input: { token: string; email: string; password: string }): Promise<void>;
}

export function createSetUp(deps: SetUpDeps): SetUp {
  const { accounts, store, publicUrl, now = Date.now } = deps;

  async function ensureOwner(): Promise<string> {
    const proposed = `acc_${randomBytes(16).toString("hex")}`;
    // The first of several processes decides; a later start finds its choice and makes what is missing.
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
    // In the fragment, which browsers do not send: the token reaches no server's log.
    return `${publicUrl}/set-up#token=${token}`;
  }

  /** Only who claims the setting makes the key, so that it is made and shown once. */
  async function claimFirstKey(accountId: string): Promise<string | null> {
    const claim = randomBytes(16).toString("hex");
    const holds = await store.writeSetting({ name: firstKeySetting, value: claim, onlyIfAbsent: true });
    return holds === claim ? accounts.createKey({ accountId, name: "First key" }) : null;
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
            "token: this link was used already, has expired or is not complete. " +
              "Whoever runs the service gets a new one with `kcs-server reset-link`.",
          );
        case "invalid_email":
          throw errors.invalidInput("email: is not an address that mail can reach");
        case "email_taken":
          throw errors.invalidInput("email: another account has this address");
        case "done":
          return;
      }
    },
  };
}
