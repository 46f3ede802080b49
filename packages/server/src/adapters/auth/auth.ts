import { normalizeIP } from "@better-auth/core/utils/ip";
import type { Caller } from "../../domain/account.ts";
import type { Accounts, AuthEndpoints, Authenticator } from "../../ports/authenticator.ts";
import type { AccountStore } from "../../ports/store.ts";
import { createAccounts } from "./accounts.ts";
import { createKeyCache } from "./key-cache.ts";
import { createLastUsed } from "./last-used.ts";
import {
  attempts,
  clientAddressHeader,
  createLibrary,
  type Library,
  type LibrarySettings,
  libraryOptions,
} from "./library.ts";
import { migrateLibrary } from "./migrate-library.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

export interface AuthSettings extends Omit<LibrarySettings, "throttle" | "onKeysChanged"> {
  readonly store: Pick<AccountStore, "findApiKey" | "touchApiKeys">;
  /** Epoch milliseconds; for tests. */
  readonly now?: () => number;
}

export interface Auth {
  readonly authenticator: Authenticator;
  readonly accounts: Accounts;
  readonly endpoints: AuthEndpoints;
}

/** Creates the library's missing tables, then the authentication of the service. */
export async function createAuth(settings: AuthSettings): Promise<Auth> {
  const { store, log, now = Date.now } = settings;
  const keys = createKeyCache({ store, now });
  const throttle = createThrottle(now);
  const onKeysChanged = () => keys.invalidate();
  const librarySettings = { ...settings, throttle, onKeysChanged };
  await migrateLibrary(libraryOptions(librarySettings), log);
  const library = await createLibrary(librarySettings);
  await library.$context;
  const lastUsed = createLastUsed({ store, log });

  return {
    authenticator: {
      async authenticateKey(key) {
        const record = await keys.find(key);
        if (record === null) return null;
        lastUsed.record(record.keyId, now());
        return { accountId: record.accountId, via: "api_key" };
      },
      authenticateSession: (cookieHeader) => findSession(library, cookieHeader),
      close: () => lastUsed.close(),
    },
    accounts: createAccounts({ library, onKeysChanged }),
    endpoints: createEndpoints(library, throttle),
  };
}

async function findSession(library: Library, cookieHeader: string | undefined): Promise<Caller | null> {
  if (cookieHeader === undefined) return null;
  const headers = new Headers({ cookie: cookieHeader });
  // A refresh would have to set a cookie in the response. The dashboard's own session request does that.
  const session = await library.api.getSession({ headers, query: { disableRefresh: true } });
  return session === null ? null : { accountId: session.user.id, via: "session" };
}

function createEndpoints(library: Library, throttle: Throttle): AuthEndpoints {
  return {
    handle(request, clientAddress) {
      request.headers.set(clientAddressHeader, clientAddress);
      return library.handler(request);
    },
    signIn({ email, password, clientAddress, userAgent }) {
      const headers = new Headers({ [clientAddressHeader]: clientAddress, "user-agent": userAgent });
      return library.api.signInEmail({ body: { email, password }, headers, asResponse: true });
    },
    // Normalizes like the library: addresses in one IPv6 /64 network count as one.
    countLinkAttempt: (clientAddress) =>
      throttle.attempt({ key: `${normalizeIP(clientAddress)}|/set-up`, ...attempts }),
  };
}
