import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import Fastify from "fastify";
import { createBoundedLog } from "../../bounded-log.ts";
import { createErrorHandler } from "../errors.ts";
import { addUnmatchedRequests } from "../unmatched-requests.ts";
import { addDashboardRoutes, createPageSender } from "./dashboard.ts";

const page =
  '<!doctype html><base href="/" /><meta property="csp-nonce" nonce="%NONCE%" content="%NONCE%" /><meta name="kcs-sign-up" content="%SIGN_UP%" /><p>Hello</p>';

async function start({
  publicUrl = "http://localhost:8080",
  isBuilt = true,
  fault = null,
  signUp = "closed",
  logged = [],
}: {
  readonly publicUrl?: string;
  readonly isBuilt?: boolean;
  readonly fault?: string | null;
  readonly signUp?: "open" | "closed";
  /** Gets the events that are logged. */
  readonly logged?: string[];
} = {}) {
  const assets = join(mkdtempSync(join(tmpdir(), "kcs-pages-")), "assets");
  mkdirSync(assets);
  writeFileSync(join(assets, "main-1a2b_C4d.js"), "export const built = true;");
  writeFileSync(join(assets, "icon.svg"), "<svg/>");
  const app = Fastify();
  const write = (event: string) => void logged.push(event);
  app.setErrorHandler(
    createErrorHandler(createBoundedLog({ debug: write, info: write, warn: write, error: write })),
  );
  app.addHook("onSend", () => turn()); // As some of the service's own, it takes a while.
  const dashboard = { assets, readPage: async () => (isBuilt ? page : null), fault: () => fault };
  const deps = { dashboard, publicUrl, signUp };
  addUnmatchedRequests(app, createPageSender(deps));
  await addDashboardRoutes(app, deps);
  return app;
}

test("every page path returns the same document, which is not cached", async () => {
  const app = await start();
  for (const url of [
    "/",
    "/set-up",
    "/sign-in",
    "/projects",
    "/projects/prj_1/ask",
    "/ontologies/ont_1",
    "/usage",
  ]) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 200, url);
    assert.match(answer.body, /<p>Hello<\/p>/);
    assert.equal(answer.headers["cache-control"], "no-store");
  }
  assert.equal((await app.inject({ url: "/elsewhere" })).statusCode, 404);
});

test("a browser gets the page at an address where nothing is, and a program what it can read", async () => {
  const app = await start();
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const ask = (url: string, method: "GET" | "POST" = "GET", headers: Record<string, string> = { accept }) =>
    app.inject({ url, method, headers });
  const answer = await ask("/elsewhere?x=1");
  assert.equal(answer.statusCode, 404);
  assert.match(answer.body, /<p>Hello<\/p>/);
  assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'/);
  for (const refused of [
    await ask("/elsewhere", "GET", { accept: "application/json" }),
    await ask("/elsewhere", "GET", {}),
    await ask("/elsewhere", "POST"),
    await ask("/api"),
    await ask("/api/v2/projects"),
    await ask("/assets/no/such.js"),
  ]) {
    assert.equal(refused.statusCode, 404);
    assert.match(refused.json().detail, /^No such endpoint: /);
  }
  assert.equal(
    (await (await start({ isBuilt: false })).inject({ url: "/x", headers: { accept } })).statusCode,
    503,
  );
});

test("a page may not load from other origins and may not run inline scripts", async () => {
  const { headers, body } = await (await start()).inject({ url: "/" });
  const policy = String(headers["content-security-policy"]);
  const nonce = /'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.ok(nonce.length >= 22 && body.includes(`nonce="${nonce}"`));
  const again = await (await start()).inject({ url: "/" });
  assert.ok(!String(again.headers["content-security-policy"]).includes(nonce), "a nonce is used once");
});

test("a path prefix of the public URL is the page's base", async () => {
  const { body } = await (await start({ publicUrl: "https://example.org/tools/kcs" })).inject({ url: "/" });
  assert.match(body, /<base href="\/tools\/kcs\/"/);
});

test("a page states whether sign-up is open", async () => {
  for (const signUp of ["open", "closed"] as const) {
    const { body } = await (await start({ signUp })).inject({ url: "/sign-in" });
    assert.ok(body.includes(`name="kcs-sign-up" content="${signUp}"`), body);
  }
});

test("built files are cached permanently, and no path leads out of their folder", async () => {
  const app = await start();
  const answer = await app.inject({ url: "/assets/main-1a2b_C4d.js" });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
  const icon = await app.inject({ url: "/assets/icon.svg" });
  assert.equal(icon.headers["cache-control"], "public, max-age=0", "its name has no hash");
  for (const url of ["/assets/../package.json", "/assets/%2e%2e/package.json", "/assets/..%2fpackage.json"]) {
    assert.ok((await app.inject({ url })).statusCode >= 400, url);
  }
});

test("a page says that the dashboard is being built and reloads, or says why it cannot be built", async () => {
  const waiting = await (await start({ isBuilt: false })).inject({ url: "/" });
  assert.equal(waiting.statusCode, 503);
  assert.match(waiting.body, /less than a minute/);
  for (const [tag, source] of [
    ["script", "script-src"],
    ["style", "style-src"],
  ] as const) {
    const text = waiting.body.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? "";
    const hash = createHash("sha256").update(text).digest("base64");
    const policy = String(waiting.headers["content-security-policy"]);
    assert.ok(text !== "" && policy.includes(`${source} 'sha256-${hash}'`), policy);
  }
  const failed = await (await start({ isBuilt: false, fault: "No <bundler> here." })).inject({ url: "/" });
  assert.equal(failed.statusCode, 503);
  assert.match(failed.body, /No &lt;bundler&gt; here\./);
  assert.doesNotMatch(failed.body, /<script/);
});

test("what is not a file is not found, whatever its name, which is no fault of the service", async () => {
  const logged: string[] = [];
  const app = await start({ logged });
  const names = [
    "",
    ".",
    "..%2f",
    "x".repeat(1_000),
    "%00",
    "a%2fb",
    "nothing.js",
    "main-1a2b_C4d.js%2f",
    ".hidden",
  ];
  for (const name of names)
    assert.equal((await app.inject({ url: `/assets/${name}` })).statusCode, 404, name.slice(0, 20));
  assert.equal((await app.inject({ url: "/assets/main-1a2b_C4d.js" })).statusCode, 200);
  assert.deepEqual(logged, []);
});
