/** The configuration of the authentication library. */
import { apiKey } from "@better-auth/api-key";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import type { Kysely } from "kysely";
import type { AccountDatabase } from "../../ports/account-changes.ts";
import type { Log } from "../../ports/log.ts";
import { keyPrefix } from "./key-cache.ts";
import { limitKeys } from "./key-limit.ts";
import { libraryIndexes } from "./library-indexes.ts";
import { createLibraryRules } from "./library-rules.ts";
import type { PasswordChanges } from "./password-changes.ts";
import { hashSessionTokens } from "./session-tokens.ts";
import type { StoreFailures } from "./store-failures.ts";

export const clientAddressHeader = "x-kcs-client-address";

/** In UTF-16 code units. The route enforces the exact rule of 10 to 128 characters. */
const passwordUnits = { min: 10, max: 256 };

const keyLetters = 64;
const sessionSeconds = 7 * 24 * 3600;
const daysOfTenThousandYears = 3_652_425;
/** Attempts per address and minute at endpoints where passwords or links can be guessed. */
export const attempts = { max: 10, windowSeconds: 60 };

/** Untyped, because the library's tables are not part of our schema. */
type AuthDatabase = AccountDatabase<Kysely<unknown>>;

export interface LibrarySettings {
  readonly database: AuthDatabase;
  /** Origin and optional path prefix. */
  readonly publicUrl: string;
  /** At least 32 random characters. */
  readonly secret: string;
  readonly signUpOpen: boolean;
  readonly log: Log;
  readonly passwordChanges: PasswordChanges;
  /** Called after a key has been created or revoked. */
  readonly onKeysChanged: () => void;
}

export type OptionSettings = Omit<LibrarySettings, "database"> & {
  readonly database: Pick<AuthDatabase, "db" | "type">;
};

export type Library = Awaited<ReturnType<typeof createLibrary>>;

/** `migrateLibrary` must have run before. */
export async function createLibrary(settings: LibrarySettings, storeFailures: StoreFailures) {
  const options = libraryOptions(settings);
  const watched = storeFailures.watch(await getAdapter(options));
  const adapter = settings.passwordChanges.guard(
    limitKeys(hashSessionTokens(watched), settings.database.change),
  );
  return betterAuth({ ...options, database: () => adapter });
}

export function libraryOptions(settings: OptionSettings) {
  const { origin, protocol, pathname } = new URL(settings.publicUrl);
  const rules = createLibraryRules(settings);
  return {
    appName: "Knowledge Context Service",
    // Requests are passed to the library under this address, regardless of their Host header and the prefix.
    baseURL: origin,
    basePath: "/api/auth",
    trustedOrigins: [origin],
    // `secrets` instead of `secret`: otherwise the library's environment variables could override it.
    secrets: [{ version: 1, value: settings.secret }],
    // Its own transactions would hold a connection while a password is hashed, and it changes a password without one (`ChangeAccount`).
    database: { db: settings.database.db, type: settings.database.type, transaction: false },
    telemetry: { enabled: false },
    logger: libraryLogger(settings.log),
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !settings.signUpOpen,
      minPasswordLength: passwordUnits.min,
      maxPasswordLength: passwordUnits.max,
      // Also makes the answer for an address that has an account the same as for a new one.
      autoSignIn: false,
      password: settings.passwordChanges.hashing,
    },
    session: { expiresIn: sessionSeconds },
    verification: { storeIdentifier: "hashed" },
    // `stranger-guard.ts` counts requests earlier.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: "kcs",
      useSecureCookies: protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: pathname.replace(/\/$/, "") || "/" },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // NODE_ENV=test would otherwise disable both checks.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      // The migration has just run. A check in the background could only delay the end of a short command.
      database: { defaultFindManyLimit: 1000, validateSchema: false },
    },
    hooks: { after: rules.after },
    databaseHooks: { session: { create: { after: rules.afterSignIn } } },
    plugins: [keyPlugin(), libraryIndexes()],
  } satisfies BetterAuthOptions;
}

function keyPlugin() {
  return apiKey({
    defaultPrefix: keyPrefix,
    defaultKeyLength: keyLetters,
    requireName: true,
    minimumNameLength: 1,
    // The library counts UTF-16 code units; the route has already counted characters.
    maximumNameLength: 200,
    startingCharactersConfig: { shouldStore: true, charactersLength: 10 },
    keyExpiration: { minExpiresIn: 0, maxExpiresIn: daysOfTenThousandYears },
    rateLimit: { enabled: false },
    enableMetadata: false,
    enableSessionForAPIKeys: false,
  });
}

/**
 * The library's warnings concern user input, such as a wrong password; only its errors concern the operator.
 */
function libraryLogger(log: Log) {
  return {
    level: "warn" as const,
    log(level: string, message: string, ...details: unknown[]) {
      const error = details.find((detail) => detail instanceof Error);
      if (level === "error") log.error("auth_failed", { reason: message, ...(error && { error }) });
      else log.debug("auth_refused", { reason: message });
    },
  };
}
