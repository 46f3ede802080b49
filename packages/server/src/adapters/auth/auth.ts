import { normalizeIP } from "@better-auth/core/utils/ip";
import type { Caller } from "../../domain/account.ts";
import type { ChangeAccount } from "../../ports/account-changes.ts";
import type { Accounts, AuthEndpoints, Authenticator } from "../../ports/authenticator.ts";
import { type AccountStore, StoreUnavailableError } from "../../ports/store.ts";
import { createAccounts } from "./accounts.ts";
import { createKeyCache } from "./key-cache.ts";
import { createKnownBrowsers } from "./known-browsers.ts";
import { createLastUsed } from "./last-used.ts";
import {
  attempts,
  clientAddressHeader,
  createLibrary,
  type Library,
  type LibrarySettings,
  libraryOptions,
  type OptionSettings,
} from "./library.ts";
import { migrateLibrary } from "./migrate-library.ts";
import { createPasswordChanges, type PasswordChanges } from "./password-changes.ts";
import { createPasswordGuard } from "./password-guard.ts";
import { createPasswordHashing, type HashingTurns, type PasswordHashing } from "./password-hashing.ts";
import { createPasswordLimits } from "./password-limits.ts";
import { createSessionTurns } from "./session-turns.ts";
import { createSignIn } from "./sign-in.ts";
import { createStoreFailures, type StoreFailures } from "./store-failures.ts";
import { createStrangerGuard, type StrangerGuard } from "./stranger-guard.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

export interface AuthSettings extends Omit<LibrarySettings, "passwordChanges" | "onKeysChanged"> {
  readonly store: Pick<AccountStore, "findApiKey" | "touchApiKeys">;
  /** Epoch milliseconds; for tests. */
  readonly now?: () => number;
  /** For tests. */
  readonly hashing?: PasswordHashing;
}

export interface Auth {
  readonly authenticator: Authenticator;
  readonly accounts: Accounts;
  readonly endpoints: AuthEndpoints;
}

/** Creates the library's missing tables, then the authentication of the service. */
export async function createAuth(settings: AuthSettings): Promise<Auth> {
  const { store, log, secret, now = Date.now } = settings;
  const turns = createPasswordHashing();
  const hashing = settings.hashing ?? turns.hashing;
  const keys = createKeyCache({ store, now });
  const throttle = createThrottle(now);
  const onKeysChanged = () => keys.invalidate();
  const passwordChanges = createPasswordChanges(hashing);
  const librarySettings = { ...settings, passwordChanges, onKeysChanged };
  await migrateLibrary(libraryOptions(librarySettings), log);
  const { translateError = (error) => error } = settings.database;
  const change: ChangeAccount = (of, work) =>
    settings.database.change(of, work).catch((error: unknown) => {
      throw translateError(error);
    });
  const failures = createStoreFailures(translateError);
  const library = await createLibrary(
    { ...librarySettings, database: { ...settings.database, change } },
    failures,
  );
  await library.$context;
  const strangers = createStrangerGuard({ library, throttle });
  const shared = { library, throttle, passwordChanges, change };
  const lastUsed = createLastUsed({ store, log });

  return {
    authenticator: {
      async authenticateKey(key) {
        const record = await keys.find(key);
        if (record === null) return null;
        lastUsed.record(record.keyId, now());
        return { accountId: record.accountId, via: "api_key", keyId: record.keyId };
      },
      authenticateSession: async (cookieHeader = "") =>
        (await strangers.isSigned(cookieHeader))
          ? failures.run(() => findSession(library, cookieHeader))
          : null,
      close: () => lastUsed.close(),
    },
    accounts: createAccounts({ library, onKeysChanged, change }),
    endpoints: createEndpoints({ ...shared, failures, strangers, turns, secret, now }),
  };
}

/** Creates the library's missing tables and nothing else. */
export async function createAccountTables(given: Pick<OptionSettings, "database" | "log">): Promise<void> {
  const unused = {
    publicUrl: "http://localhost",
    secret: "",
    signUpOpen: false,
    onKeysChanged: () => undefined,
  };
  const passwordChanges = createPasswordChanges(createPasswordHashing().hashing);
  await migrateLibrary(libraryOptions({ ...given, ...unused, passwordChanges }), given.log);
}

async function findSession(library: Library, cookieHeader: string): Promise<Caller | null> {
  const headers = new Headers({ cookie: cookieHeader });
  // A refresh would have to set a cookie in the response. The dashboard's own session request does that.
  const session = await library.api.getSession({ headers, query: { disableRefresh: true } });
  return session === null ? null : { accountId: session.user.id, via: "session" };
}

function createEndpoints(deps: {
  library: Library;
  failures: StoreFailures;
  strangers: StrangerGuard;
  throttle: Throttle;
  passwordChanges: PasswordChanges;
  change: ChangeAccount;
  turns: Pick<HashingTurns, "ofAddress">;
  secret: string;
  now: () => number;
}): AuthEndpoints {
  const { library, failures, strangers, throttle } = deps;
  const sessions = createSessionTurns();
  const browsers = createKnownBrowsers(deps);
  const signIn = createSignIn(deps);
  const guard = createPasswordGuard({ ...deps, browsers, signIn, limits: createPasswordLimits(deps) });
  return {
    async handle(request, clientAddress) {
      const answer = await strangers.answer(request, clientAddress);
      if (answer !== null) return answer;
      request.headers.set(clientAddressHeader, clientAddress);
      return sessions.run(request, clientAddress, () =>
        failures.run(() => guard.handle(request, clientAddress)),
      );
    },
    async signIn({ email, password, clientAddress, userAgent }) {
      const headers = new Headers({ [clientAddressHeader]: clientAddress, "user-agent": userAgent });
      const body = { email, password };
      const signedIn = await failures
        .run(() => signIn(email, () => library.api.signInEmail({ body, headers, asResponse: true })))
        .catch(tellLinkWasUsed);
      return signedIn.ok ? browsers.remember(signedIn, email) : signedIn;
    },
    // Normalizes like the library: addresses in one IPv6 /64 network count as one.
    countLinkAttempt: (clientAddress) =>
      throttle.attempt({ key: `${normalizeIP(clientAddress)}|/set-up`, ...attempts }),
  };
}

/** An error of the database says that nothing was changed, which is true of the sign-in alone. */
function tellLinkWasUsed(error: unknown): never {
  if (!(error instanceof StoreUnavailableError)) throw error;
  const told =
    "The e-mail address and the password are set, but the sign-in failed. Sign in with them in a moment.";
  throw new StoreUnavailableError(error.reason, told, error);
}
