import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChangeAccount } from "../../ports/account-changes.ts";
import type { Accounts, LinkOutcome } from "../../ports/authenticator.ts";
import { hashKey, keyPrefix } from "./key-cache.ts";
import type { Library } from "./library.ts";

/** A domain reserved by RFC 2606: it receives no mail, and sign-in and sign-up reject it. */
const placeholderDomain = "kcs.invalid";
const credentialProvider = "credential";
const bootstrapIdPrefix = "bootstrap_";

const email = z.email().max(254);

/** Whether the library accepts an e-mail address at sign-in and the address can exist. */
export function isUsableEmail(text: string): boolean {
  return email.safeParse(text).success && !text.toLowerCase().endsWith(".invalid");
}

export function createAccounts(deps: {
  readonly library: Library;
  readonly onKeysChanged: () => void;
  readonly change: ChangeAccount;
}): Accounts {
  const { library, onKeysChanged, change } = deps;
  return {
    async ensureAccount({ accountId, name }) {
      const { adapter, internalAdapter } = await library.$context;
      if ((await internalAdapter.findUserById(accountId)) !== null) return;
      const now = new Date();
      const address = `${accountId.toLowerCase()}@${placeholderDomain}`;
      const user = {
        id: accountId,
        name,
        email: address,
        emailVerified: false,
        createdAt: now,
        updatedAt: now,
      };
      try {
        await adapter.create({ model: "user", data: user, forceAllowId: true });
      } catch (error) {
        // Another process may have created it meanwhile.
        if ((await internalAdapter.findUserById(accountId)) === null) throw error;
      }
    },

    async hasPassword({ accountId }) {
      const { internalAdapter } = await library.$context;
      const account = await internalAdapter.findCredentialAccount(accountId);
      return account !== null && typeof account.password === "string";
    },

    async findAccount({ email: address }) {
      const { internalAdapter } = await library.$context;
      return (await internalAdapter.findUserByEmail(address))?.user.id ?? null;
    },

    async createKey({ accountId, name }) {
      const { key } = await library.api.createApiKey({ body: { userId: accountId, name } });
      onKeysChanged();
      return key;
    },

    async ensureBootstrapKey({ accountId, key }) {
      await ensureBootstrapKey(library, { accountId, key });
      onKeysChanged();
    },

    async createLink({ accountId, expiresAt }) {
      const { adapter, internalAdapter } = await library.$context;
      const expired = [{ field: "expiresAt", value: new Date(), operator: "lt" as const }];
      await adapter.deleteMany({ model: "verification", where: expired });
      const token = randomBytes(32).toString("base64url");
      await internalAdapter.createVerificationValue({
        identifier: linkIdentifier(token),
        value: accountId,
        expiresAt: new Date(expiresAt),
      });
      return { token };
    },

    useLink: (input) => useLink(library, change, input),
  };
}

function linkIdentifier(token: string): string {
  return `set-up:${token}`;
}

async function useLink(
  library: Library,
  change: ChangeAccount,
  input: { token: string; email: string; password: string },
): Promise<LinkOutcome> {
  const { internalAdapter, password } = await library.$context;
  const identifier = linkIdentifier(input.token);
  const link = await internalAdapter.findVerificationValue(identifier);
  if (link === null || link.expiresAt.getTime() <= Date.now()) return "invalid_link";
  if (!isUsableEmail(input.email)) return "invalid_email";
  const holder = await internalAdapter.findUserByEmail(input.email);
  if (holder !== null && holder.user.id !== link.value) return "email_taken";
  const hash = await password.hash(input.password);
  const accountId = link.value;
  return change({ accountId, isMade: (outcome) => outcome === "done" }, () =>
    replacePassword(library, { accountId, identifier, email: input.email, hash }),
  );
}

async function replacePassword(
  library: Library,
  input: { accountId: string; identifier: string; email: string; hash: string },
): Promise<LinkOutcome> {
  const { adapter, internalAdapter } = await library.$context;
  const { accountId, identifier, email, hash } = input;
  // Begins the transaction, so that of several uses at once those that wait for it find no link any more.
  await internalAdapter.updateUser(accountId, { email });
  if ((await internalAdapter.consumeVerificationValue(identifier)) === null) return "invalid_link";
  await adapter.deleteMany({ model: "verification", where: [{ field: "value", value: accountId }] });
  if ((await internalAdapter.findCredentialAccount(accountId)) === null) {
    const account = { userId: accountId, accountId, providerId: credentialProvider, password: hash };
    await internalAdapter.createAccount(account);
  } else {
    await internalAdapter.updatePassword(accountId, hash);
  }
  await internalAdapter.deleteUserSessions(accountId);
  return "done";
}

/** Derives the row's id from the key, so that two processes that start at once create one row. */
async function ensureBootstrapKey(
  library: Library,
  input: { accountId: string; key: string },
): Promise<void> {
  const { adapter } = await library.$context;
  const { accountId } = input;
  const keyHash = hashKey(input.key);
  const id = bootstrapIdPrefix + createHash("sha256").update(`id:${keyHash}`).digest("hex").slice(0, 32);
  const earlier = await adapter.findMany<{ id: string }>({
    model: "apikey",
    where: [
      { field: "referenceId", value: accountId },
      { field: "id", value: bootstrapIdPrefix, operator: "starts_with" },
    ],
  });
  for (const key of earlier) {
    if (key.id !== id) await adapter.delete({ model: "apikey", where: [{ field: "id", value: key.id }] });
  }
  if (earlier.some((key) => key.id === id)) return;
  const now = new Date();
  const row = {
    id,
    configId: "default",
    name: "Bootstrap key",
    prefix: keyPrefix,
    start: input.key.slice(0, 10),
    key: keyHash,
    referenceId: accountId,
    enabled: true,
    rateLimitEnabled: false,
    requestCount: 0,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await adapter.create({ model: "apikey", data: row, forceAllowId: true });
  } catch (error) {
    const where = [{ field: "id", value: id }];
    if ((await adapter.findOne({ model: "apikey", where })) === null) throw error;
  }
}
