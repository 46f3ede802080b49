/** The service and a browser, for all tests of a file. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, afterEach, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { closeAtEnd } from "../../../../scripts/test/lane-end.ts";
import { waitFor } from "../../../server/test/support/ingestion.ts";
import { sqlite, startTestService, type TestService } from "../../../server/test/support/service.ts";
import { launchBrowser, openPage, type Visit } from "./browser.ts";

export interface Scene {
  /** Where the service is, without a slash at the end. */
  readonly url: string;
  readonly service: TestService;
  /** A page of somebody who never was here. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

export const owner = { email: "owner@mail.example", password: "a long enough phrase" } as const;

/**
 * Call it once at the top of a test file; use what it returns inside tests only. No page may have had a fault after a test.
 * Without settings of its own a file uses the service of its process, in which other files have made accounts.
 */
export function setScene(env?: Readonly<Record<string, string>>): () => Scene {
  const visits: Visit[] = [];
  let scene: Scene | null = null;
  before(async () => {
    const browser = await sharedBrowser();
    const service = await (env === undefined ? sharedService() : startService(env));
    scene = {
      url: service.baseUrl,
      service,
      async open(options) {
        const visit = await openPage(browser, { ...(env === undefined && fromNewAddress()), ...options });
        visits.push(visit);
        return visit.page;
      },
    };
  });
  afterEach(async (context) => {
    if ("passed" in context && !context.passed) await describePages(visits);
    assert.deepEqual(
      visits.flatMap(({ faults }) => faults),
      [],
    );
  });
  after(async () => {
    for (const { page } of visits) await page.context().close();
    if (env !== undefined && scene !== null) await end(scene.service);
  });
  return () => {
    assert.ok(scene !== null, "The service is not running yet.");
    return scene;
  };
}

/** Into the output of a failed test: where its pages are, and what they say. */
async function describePages(visits: readonly Visit[]): Promise<void> {
  for (const { page } of visits) {
    if (page.isClosed()) continue;
    const text = await page.evaluate<string>("document.body.innerText");
    process.stdout.write(`${page.url()}\n${text.slice(0, 1_000)}\n`);
  }
}

async function startService(env: Readonly<Record<string, string>>): Promise<TestService> {
  const home = await sqlite.createHome();
  return startTestService({ home, env: { KCS_PORT: String(await freePort()), ...env } });
}

async function end(service: TestService): Promise<void> {
  await service.stop();
  await service.home.remove();
}

let addresses = 0;

/** Visitors of a shared service come from addresses of their own: sign-ups and sign-ins are limited by address. */
function fromNewAddress(): BrowserContextOptions {
  addresses++;
  return { extraHTTPHeaders: { "x-forwarded-for": `10.0.${addresses >> 8}.${addresses & 255}` } };
}

const shared: { browser?: Promise<Browser>; service?: Promise<TestService> } = {};

function sharedBrowser(): Promise<Browser> {
  if (shared.browser === undefined) {
    const launched = launchBrowser();
    shared.browser = launched;
    closeAtEnd(async () => {
      delete shared.browser;
      await (await launched).close();
    });
  }
  return shared.browser;
}

function sharedService(): Promise<TestService> {
  if (shared.service === undefined) {
    const started = startService({ KCS_TRUSTED_PROXIES: "127.0.0.1" });
    shared.service = started;
    closeAtEnd(async () => {
      delete shared.service;
      await end(await started);
    });
  }
  return shared.service;
}

/** The page's own address has the port, so it must be known before the service starts. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(address)));
    });
  });
}

/** The link of the first visit, as the service printed it. */
export function setUpLink({ service }: Scene): string {
  const link = /http\S+\/set-up#token=\S+/.exec(service.printed)?.[0];
  assert.ok(link !== undefined, service.printed);
  return link;
}

export async function fillCredentials(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
}

/** A new account, at its projects; made by the API, which is faster than the page. */
export async function signUp(page: Page, { url }: Scene, email: string): Promise<void> {
  await createAccount(page, url, email);
  await page.goto(`${url}/projects`);
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
}

async function createAccount(page: Page, url: string, email: string): Promise<void> {
  await post(page, url, "/api/auth/sign-up/email", { ...owner, email });
  await post(page, url, "/api/auth/sign-in/email", { ...owner, email });
}

/** A new account, at a page of its first project, whose documents are indexed; made by the API. */
export async function openProject(
  page: Page,
  { url }: Scene,
  given: {
    readonly email: string;
    readonly isSearchOnly?: boolean;
    readonly documents?: readonly { readonly source_doc_id: string; readonly text: string }[];
    readonly tab: string;
  },
): Promise<void> {
  await createAccount(page, url, given.email);
  const body = { name: "Observatory", vector_only: given.isSearchOnly ?? false };
  const { project_id } = await post(page, url, "/api/v1/projects", body);
  const path = `/api/v1/projects/${project_id}`;
  if (given.documents !== undefined) {
    await post(page, url, `${path}/ingest/batch`, { documents: given.documents });
    await waitFor("the end of all jobs", async () => {
      const listed = await page.context().request.get(`${url}${path}/jobs`, { headers: fromPage(url) });
      const { jobs } = await listed.json();
      return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
    });
  }
  await page.goto(`${url}/projects/${project_id}/${given.tab}`);
  await page.getByRole("navigation", { name: "Project" }).waitFor();
}

/** The service takes a cookie from its own pages only. */
function fromPage(url: string): Record<string, string> {
  return { origin: url, "sec-fetch-site": "same-origin" };
}

/** As the page itself does. */
export async function post(
  page: Page,
  url: string,
  path: string,
  data: object,
): Promise<{
  project_id?: string;
  id?: string;
  corrections?: readonly { correction_id: string }[];
}> {
  const reply = await page.context().request.post(`${url}${path}`, { data, headers: fromPage(url) });
  assert.ok(reply.ok(), await reply.text());
  return reply.json();
}

/** As {@link signUp}, through the page. */
export async function signUpInPage(page: Page, { url }: Scene, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`);
  await completeSignUp(page, email);
}

/** From the page for a new account to its projects. */
export async function completeSignUp(page: Page, email: string): Promise<void> {
  await fillCredentials(page, { ...owner, email });
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("If it already had one").waitFor();
  await fillCredentials(page, { ...owner, email });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
}
