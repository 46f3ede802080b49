/** The service and a browser, for all tests of a file. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, afterEach, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import {
  useDatabases as givenDatabases,
  type Setting,
  startTestService,
  type TestService,
} from "../../../server/test/support/service.ts";
import { launchBrowser, openPage, type Visit } from "./browser.ts";

export interface Scene {
  /** Where the service is, without a slash at the end. */
  readonly url: string;
  readonly service: TestService;
  /** A page of somebody who never was here. */
  open(options?: BrowserContextOptions): Promise<Page>;
}

export const owner = { email: "owner@mail.example", password: "a long enough phrase" } as const;

/** Call it once at the top of a test file; use what it returns inside tests only. No page may have had a fault after a test. */
export function setScene(env: Readonly<Record<string, string>> = {}): () => Scene {
  const setting = embeddedDatabase();
  const visits: Visit[] = [];
  let scene: Scene | null = null;
  let browser: Browser | null = null;
  before(async () => {
    const port = await freePort();
    const home = await setting.createHome();
    const opened = await launchBrowser();
    browser = opened;
    const service = await startTestService({ home, env: { KCS_PORT: String(port), ...env } });
    scene = {
      url: service.baseUrl,
      service,
      async open(options) {
        const visit = await openPage(opened, options);
        visits.push(visit);
        return visit.page;
      },
    };
  });
  afterEach(() => {
    assert.deepEqual(
      visits.flatMap(({ faults }) => faults),
      [],
    );
  });
  after(async () => {
    await browser?.close();
    await scene?.service.stop();
    await scene?.service.home.remove();
  });
  return () => {
    assert.ok(scene !== null, "The service is not running yet.");
    return scene;
  };
}

function embeddedDatabase(): Setting {
  const setting = givenDatabases().find(({ database }) => database === "sqlite");
  assert.ok(setting !== undefined);
  return setting;
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

/** A new account, at its projects. */
export async function signUp(page: Page, { url }: Scene, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`);
  await fillCredentials(page, { ...owner, email });
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
}
