/** What every command stands on: the data directory, the database brought up to date, and the accounts in it. */
import { type Auth, createAuth } from "./adapters/auth/auth.ts";
import { makeDataDirectory } from "./adapters/database/data-directory.ts";
import { type OpenedStore, openStore } from "./adapters/database/open-store.ts";
import type { Config } from "./config.ts";
import type { Log } from "./ports/log.ts";
import { readOrCreateSecret } from "./secrets.ts";
import { createSetUp, type SetUp } from "./services/set-up.ts";

export interface Foundation {
  readonly opened: OpenedStore;
  readonly auth: Auth;
  readonly setUp: SetUp;
}

/** @throws what says why it cannot be opened; what was opened by then is closed again */
export async function openFoundation(config: Config, log: Log): Promise<Foundation> {
  makeDataDirectory(config.dataDir);
  const opened = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
  try {
    // The embedded database is locked for this process, so whoever held a lease is dead.
    if (opened.kind === "sqlite") await opened.store.expireAllLeases();
    const auth = await createAuth({
      store: opened.store,
      database: opened.authDatabase(),
      publicUrl: config.publicUrl,
      secret: config.secret ?? (await readOrCreateSecret(config.dataDir)),
      signUpOpen: config.signUp === "open",
      log,
    });
    return {
      opened,
      auth,
      setUp: createSetUp({ accounts: auth.accounts, store: opened.store, publicUrl: config.publicUrl }),
    };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

/** Brings the database up to date and returns. */
export async function composeMigration(config: Config, log: Log): Promise<void> {
  const { opened, auth } = await openFoundation(config, log);
  await auth.authenticator.close();
  await opened.store.close();
}

/** A new one-time link for the owner's e-mail address and password. */
export async function composeResetLink(config: Config, log: Log): Promise<string> {
  const { opened, auth, setUp } = await openFoundation(config, log);
  const link = await setUp.resetLink({ email: null });
  await auth.authenticator.close();
  await opened.store.close();
  if (link === null) throw new Error("There is no account to make a link for.");
  return link;
}
