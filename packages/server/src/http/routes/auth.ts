/** `/api/auth`: only those endpoints of the accounts library that the dashboard needs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { ServiceError } from "../../domain/errors.ts";
import type { AuthEndpoints } from "../../ports/authenticator.ts";
import { check, jsonBody, registerJsonBodies } from "../body.ts";
import { authBodies } from "./auth-bodies.ts";
import { originFault } from "./origin-fault.ts";

export const authPrefix = "/api/auth";
export const authBodyLimit = 64 * 1024;

export interface AuthRouteDeps {
  readonly endpoints: AuthEndpoints;
  readonly publicOrigin: string;
  readonly signUp: "open" | "closed";
  readonly clientAddress: (connection: FastifyRequest["raw"]) => string;
}

interface LibraryRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The query string that the library gets instead of the caller's. */
  readonly query?: string;
  readonly body?: z.ZodType;
}

const signUpRoute: LibraryRoute = { method: "POST", path: "/sign-up/email", body: authBodies.signUp };

/** The library's status where an account could not be written. */
const NOT_WRITTEN = 422;

const libraryRoutes: readonly LibraryRoute[] = [
  { method: "POST", path: "/sign-in/email", body: authBodies.signIn },
  { method: "POST", path: "/sign-out", body: authBodies.nothing },
  { method: "GET", path: "/get-session" },
  { method: "POST", path: "/change-password", body: authBodies.changePassword },
  { method: "POST", path: "/api-key/create", body: authBodies.createKey },
  { method: "POST", path: "/api-key/delete", body: authBodies.deleteKey },
  { method: "GET", path: "/api-key/list", query: "?sortBy=createdAt&sortDirection=desc" },
];

/**
 * Headers that are passed to the library. Without `Authorization` and key
 * headers, so that a key cannot manage keys.
 */
const passedHeaders = [
  "cookie",
  "origin",
  "user-agent",
  "sec-fetch-site",
  "sec-fetch-mode",
  "sec-fetch-dest",
];

export function addAuthRoutes(app: FastifyInstance, deps: AuthRouteDeps): void {
  app.register((scope, _options, done) => {
    registerJsonBodies(scope);
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      const fault = originFault(request, deps.publicOrigin);
      if (fault !== null) return reply.code(403).send({ detail: fault });
    });
    for (const route of libraryRoutes) addLibraryRoute(scope, route, deps);
    if (deps.signUp === "open") addLibraryRoute(scope, signUpRoute, deps);
    else scope.post(authPrefix + signUpRoute.path, { bodyLimit: authBodyLimit }, refuseSignUp);
    done();
  });
}

function refuseSignUp(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(403).send({
    detail: "Sign-up is closed on this service. Its operator can allow it with KCS_SIGN_UP=open.",
  });
}

function addLibraryRoute(scope: FastifyInstance, route: LibraryRoute, deps: AuthRouteDeps): void {
  scope.route({
    method: route.method,
    url: authPrefix + route.path,
    bodyLimit: authBodyLimit,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { value = {} } = jsonBody(request);
      const body = route.body && check(route.body, value);
      const url = deps.publicOrigin + authPrefix + route.path + (route.query ?? "");
      const headers = new Headers();
      for (const name of passedHeaders) {
        const value = request.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      if (body !== undefined) headers.set("content-type", "application/json");
      const init = {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const handle = () => deps.endpoints.handle(new Request(url, init), deps.clientAddress(request.raw));
      const response = await handle();
      // Of two sign-ups with one new address at once, one finds it taken only when it writes. Repeated, it finds it taken at once.
      const isRepeated = route === signUpRoute && response.status === NOT_WRITTEN;
      return sendResponse(isRepeated ? await handle() : response, reply);
    },
  });
}

/**
 * Sends the library's status, cookies and JSON without the session's token, and adds a `detail` to the members of an error.
 * @throws ServiceError for a 5xx status of the library, which logs the cause itself
 */
export async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  if (response.status >= 500) throw new ServiceError("internal", "The account could not be read or changed.");
  for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
  const text = await response.text();
  reply.code(response.status).header("content-type", "application/json; charset=utf-8");
  if (response.status < 400) return reply.send(text === "" ? "null" : withoutToken(text));
  const error = parseError(text);
  const detail = error.message ?? (response.status === 401 ? "Sign in first" : "Not accepted");
  return reply.send(JSON.stringify({ ...error, detail }));
}

/** The session's token is in the cookie, which scripts of a page cannot read. */
function withoutToken(json: string): string {
  const isToken = (name: string, value: unknown) => name === "token" && typeof value === "string";
  return JSON.stringify(
    JSON.parse(json, (name, value: unknown) => (isToken(name, value) ? undefined : value)),
  );
}

function parseError(text: string): { message?: string; code?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    const { message, code } = value as { message?: unknown; code?: unknown }; // Both are checked below.
    return { ...(typeof message === "string" && { message }), ...(typeof code === "string" && { code }) };
  } catch {
    return {};
  }
}
