/** Answers strangers before the accounts library does, which needs 1 to 2 ms of the event loop for any request. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { normalizeIP } from "@better-auth/core/utils/ip";
import { APIError } from "better-auth/api";
import { parseCookies, toResponse } from "better-call";
import { errors } from "../../domain/errors.ts";
import { attempts, type Library } from "./library.ts";
import type { Throttle } from "./throttle.ts";

/** Per address and endpoint. */
const requests = { max: 600, windowSeconds: 60 };
const signInPath = "/sign-in/email";
const signUpPath = "/sign-up/email";

export interface StrangerGuard {
  /** Whether the service has signed the session cookie in this header. The session may have ended. */
  isSigned(cookieHeader: string | null): Promise<boolean>;
  /**
   * The answer to a request that needs a session and has no signed cookie; null if the library must answer.
   * @throws ServiceError `too_many_requests` when the address has made too many
   */
  answer(request: Request, clientAddress: string): Promise<Response | null>;
}

export function createStrangerGuard(deps: {
  readonly library: Library;
  readonly throttle: Throttle;
}): StrangerGuard {
  const { library, throttle } = deps;

  /** Reads the cookie as the library does. */
  async function isSigned(cookieHeader: string | null): Promise<boolean> {
    const { authCookies, secret } = await library.$context;
    const value = parseCookies(cookieHeader ?? "").get(authCookies.sessionToken.name) ?? "";
    const end = value.lastIndexOf(".");
    if (end < 1) return false;
    const expected = Buffer.from(createHmac("sha256", secret).update(value.slice(0, end)).digest("base64"));
    const given = Buffer.from(value.slice(end + 1));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  function requireFew(path: string, clientAddress: string): void {
    if (path === signInPath) return; // `password-guard.ts` limits it: known browsers have limits of their own.
    const isGuessable = path === signUpPath || path === "/change-password";
    // Normalizes addresses so that those in one IPv6 /64 network count as one.
    const key = `${normalizeIP(clientAddress)}|${path}`;
    const wait = throttle.attempt({ key, ...(isGuessable ? attempts : requests) });
    if (wait > 0) throw errors.tooManyAttempts(wait);
  }

  return {
    isSigned,
    async answer(request, clientAddress) {
      const path = new URL(request.url).pathname.slice(library.options.basePath.length);
      requireFew(path, clientAddress);
      if (path === signInPath || path === signUpPath) return null;
      return (await isSigned(request.headers.get("cookie"))) ? null : answerWithoutSession(path);
    },
  };
}

/** As the library does. */
function answerWithoutSession(path: string): Response {
  if (path === "/get-session") return Response.json(null);
  if (path === "/sign-out") return Response.json({ success: true });
  return toResponse(APIError.from("UNAUTHORIZED", { message: "Unauthorized", code: "UNAUTHORIZED" }));
}
