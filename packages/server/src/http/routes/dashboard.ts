/** The dashboard's pages and files. */
import { randomBytes } from "node:crypto";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { retrySeconds, waitingPage } from "./waiting-page.ts";

export interface Dashboard {
  /** Folder of files with content hashes in their names. It may not exist yet. */
  readonly assets: string;
  /** The HTML document that all pages share; null before it is built. */
  readPage(): Promise<string | null>;
  /** Why the dashboard cannot be built; null when it is built or being built. */
  fault(): string | null;
}

/** Paths of pages; `*` stands for any path below. */
const pages = [
  "/",
  "/set-up",
  "/sign-in",
  "/sign-up",
  "/projects",
  "/projects/*",
  "/ontologies",
  "/ontologies/*",
  "/api-keys",
  "/webhooks",
  "/webhooks/*",
  "/agents",
  "/usage",
  "/account",
] as const;

const HASHED_NAME = /-[\w-]{8}\.[a-z0-9]{1,8}(?:\.(?:br|gz))?$/;
const FILE_NAME = /^\w[\w.-]{0,200}$/;

export interface DashboardRouteDeps {
  readonly dashboard: Dashboard;
  /** May have a path prefix that a proxy strips; the page's `<base>` includes it. */
  readonly publicUrl: string;
  readonly signUp: "open" | "closed";
}

/** Sends the document that all pages share, or the page that stands in for it. */
export function createPageSender({ dashboard, publicUrl, signUp }: DashboardRouteDeps) {
  const base = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/`;
  return async (reply: FastifyReply): Promise<FastifyReply> => {
    const page = await dashboard.readPage();
    reply.header("content-type", "text/html; charset=utf-8").header("cache-control", "no-store");
    return page === null
      ? sendUnavailable(reply, dashboard.fault())
      : sendPage(reply, { page, base, signUp });
  };
}

export async function addDashboardRoutes(app: FastifyInstance, deps: DashboardRouteDeps): Promise<void> {
  const { dashboard } = deps;
  const send = createPageSender(deps);
  await app.register((scope, _options, done) => {
    // The library answers 403 for the folder itself and for a name that no file system has.
    scope.addHook("onRequest", async ({ params }, reply) => {
      const { "*": name = "" } = params as Record<string, string | undefined>; // The router's, of a path with `*`.
      // Returned, so that nothing else answers while this answer is made.
      if (!FILE_NAME.test(name)) return reply.callNotFound();
    });
    void scope.register(staticFiles, {
      root: dashboard.assets,
      prefix: "/assets/",
      index: false,
      decorateReply: false,
      immutable: true,
      maxAge: "365d",
      preCompressed: true,
      // A name without a hash stays when the content changes.
      setHeaders: (reply, path) => {
        if (!HASHED_NAME.test(path)) reply.header("cache-control", "public, max-age=0");
      },
    });
    done();
  });
  for (const url of pages) app.get(url, (_request, reply) => send(reply));
}

function sendPage(
  reply: FastifyReply,
  { page, base, signUp }: { readonly page: string; readonly base: string; readonly signUp: string },
): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  return reply
    .header("content-security-policy", policy(nonce))
    .send(
      page
        .replace('<base href="/"', `<base href="${base}"`)
        .replace("%SIGN_UP%", signUp)
        .replaceAll("%NONCE%", nonce),
    );
}

/** Loads nothing from other origins. Components that insert style sheets at run time use the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function sendUnavailable(reply: FastifyReply, fault: string | null): FastifyReply {
  const { html, contentSecurityPolicy } = waitingPage(fault);
  return reply
    .code(503)
    .header("retry-after", retrySeconds)
    .header("content-security-policy", contentSecurityPolicy)
    .send(html);
}
