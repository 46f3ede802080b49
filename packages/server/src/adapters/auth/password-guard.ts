/** Limits the requests that check a password. */
import { normalizeIP } from "@better-auth/core/utils/ip";
import { z } from "zod";
import { errors } from "../../domain/errors.ts";
import type { ChangeAccount } from "../../ports/account-changes.ts";
import type { KnownBrowsers } from "./known-browsers.ts";
import { attempts, type Library } from "./library.ts";
import type { PasswordChanges } from "./password-changes.ts";
import type { HashingTurns } from "./password-hashing.ts";
import type { PasswordLimits, Source } from "./password-limits.ts";
import { isMade, type SignIn } from "./sign-in.ts";
import type { StoreFailures } from "./store-failures.ts";
import type { Throttle } from "./throttle.ts";

/** Per address: a flood must not reach the database. */
const lookUps = { max: 600, windowSeconds: 60 };
const signInBody = z.object({ email: z.string() });

export interface PasswordGuard {
  /**
   * Passes a request on to the library.
   * @throws ServiceError `too_many_requests` after too many wrong passwords
   */
  handle(request: Request, clientAddress: string): Promise<Response>;
}

interface Attempt {
  readonly source: Source;
  readonly email: string;
}

export function createPasswordGuard(deps: {
  readonly library: Library;
  readonly browsers: KnownBrowsers;
  readonly limits: PasswordLimits;
  readonly throttle: Throttle;
  readonly passwordChanges: PasswordChanges;
  readonly change: ChangeAccount;
  readonly signIn: SignIn;
  readonly failures: Pick<StoreFailures, "unnoted">;
  readonly turns: Pick<HashingTurns, "ofAddress">;
}): PasswordGuard {
  const { library, browsers, limits, throttle, passwordChanges, change, signIn, failures, turns } = deps;

  async function admitSignIn(request: Request, clientAddress: string): Promise<Response> {
    const email = signInBody.parse(await request.clone().json()).email.toLowerCase();
    const address = normalizeIP(clientAddress);
    const isFrom: Readonly<Record<Source, () => boolean | Promise<boolean>>> = {
      browser: () => browsers.isKnown(request, email),
      address: () => isKnownAddress(address, email),
      stranger: () => true,
    };
    const waits: number[] = [];
    for (const source of ["browser", "address", "stranger"] as const) {
      if (!(await isFrom[source]())) continue;
      // An account's known browsers and addresses do not share the limit of strangers at the same address.
      const key = source === "stranger" ? `${address}|/sign-in` : `${source} of ${email}`;
      const wait = throttle.attempt({ key, ...attempts }) || (await limits.admit(source, email));
      if (wait === 0) {
        const check = () => checkPassword(request, { source, email });
        const response = await turns.ofAddress({ address, isStranger: source === "stranger" }, check);
        return response.ok ? browsers.remember(response, email) : response;
      }
      waits.push(wait);
    }
    throw errors.tooManyAttempts(Math.min(...waits));
  }

  /** Whether the account has a session of this address. Takes the same steps for an account that does not exist. */
  async function isKnownAddress(address: string, email: string): Promise<boolean> {
    if (throttle.attempt({ key: `${address}|look-up`, ...lookUps }) > 0) return false;
    const { adapter, internalAdapter } = await library.$context;
    const found = await internalAdapter.findUserByEmail(email);
    const where = [
      { field: "userId", value: found?.user.id ?? "" },
      { field: "ipAddress", value: address },
    ];
    return (await adapter.findOne({ model: "session", where })) !== null;
  }

  /** The session shows that the browser has signed in. `stranger-guard.ts` limits the attempts of each address. */
  async function changePassword(request: Request): Promise<Response> {
    const session = await library.api.getSession({
      headers: request.headers,
      query: { disableRefresh: true },
    });
    if (session === null) return library.handler(request);
    const { id: accountId, email } = session.user;
    const wait = await limits.admit("browser", email);
    if (wait > 0) throw errors.tooManyAttempts(wait);
    // The renewal of a session would begin the transaction before the passwords are hashed. The session ends with this request.
    const url = new URL(request.url);
    url.searchParams.set("disableRefresh", "true");
    return forgiving({ source: "browser", email }, () =>
      change({ accountId, isMade }, () =>
        passwordChanges.run(() => library.handler(new Request(url, request))),
      ),
    );
  }

  async function checkPassword(request: Request, by: Attempt): Promise<Response> {
    return forgiving(by, () => signIn(by.email, () => library.handler(request)));
  }

  /**
   * An admitted request stays counted as a failure if the library refuses it. What is forgiven is no part of what was made: other attempts
   * change the same count. If forgiving fails, the next attempt may have to wait.
   */
  async function forgiving(by: Attempt, check: () => Promise<Response>): Promise<Response> {
    const forgive = () => failures.unnoted(() => limits.forgive(by.source, by.email)).catch(() => undefined);
    const response = await check().catch(async (error: unknown) => {
      await forgive();
      throw error;
    });
    if (response.ok) await forgive();
    return response;
  }

  return {
    handle(request, clientAddress) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/sign-in/email")) return admitSignIn(request, clientAddress);
      if (pathname.endsWith("/change-password")) return changePassword(request);
      const handle = () => library.handler(request);
      if (!pathname.endsWith("/sign-up/email")) return handle();
      const signUp = () => change({ accountId: null, isMade }, handle);
      return turns.ofAddress({ address: normalizeIP(clientAddress), isStranger: true }, signUp);
    },
  };
}
