/** Recognizes browsers that have signed in to an account before, by a cookie that outlives the session. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { parseCookies } from "better-auth/cookies";
import { serializeCookie } from "better-call";
import type { Library } from "./library.ts";

const cookieSeconds = 180 * 24 * 3600;

export interface KnownBrowsers {
  /** Whether this browser has signed in to the account with this address. */
  isKnown(request: Request, email: string): Promise<boolean>;
  /** Adds the cookie to the answer to a sign-in. */
  remember(response: Response, email: string): Promise<Response>;
}

export function createKnownBrowsers(deps: {
  readonly library: Library;
  readonly secret: string;
}): KnownBrowsers {
  /** Gives a separate limit of wrong passwords and nothing else, so it need not be revocable. */
  const markOf = (email: string) =>
    createHmac("sha256", deps.secret).update(`browser ${email.toLowerCase()}`).digest("base64url");

  /** Sent to the accounts library's endpoints alone. */
  async function cookie() {
    const { createAuthCookie } = await deps.library.$context;
    const { name, attributes } = createAuthCookie("known_browser", { maxAge: cookieSeconds });
    return { name, attributes: { ...attributes, path: `${attributes.path?.replace(/\/$/, "")}/api/auth` } };
  }

  return {
    async isKnown(request, email) {
      const { name } = await cookie();
      const mark = Buffer.from(parseCookies(request.headers.get("cookie") ?? "").get(name) ?? "");
      const expected = Buffer.from(markOf(email));
      return mark.length === expected.length && timingSafeEqual(mark, expected);
    },

    async remember(response, email) {
      const { name, attributes } = await cookie();
      response.headers.append("set-cookie", serializeCookie(name, markOf(email), attributes));
      return response;
    },
  };
}
