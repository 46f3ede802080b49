/** A real Chromium without a window. */
import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Nothing is fetched that the page did not ask for; the sandbox is not there for root in a container. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long a page may take on a machine that is busy with other tests. */
const patienceMs = 60_000;

export function launchBrowser(): Promise<Browser> {
  const executablePath = places.find(isExecutable);
  assert.ok(
    executablePath !== undefined,
    `These tests need Chromium, which is at none of ${places.join(", ")}. Install it: apt-get install chromium`,
  );
  return chromium.launch({ executablePath, args: flags });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Visit {
  readonly page: Page;
  /** Errors of scripts, and what the Content-Security-Policy refused, since the page was opened. */
  readonly faults: readonly string[];
}

/** A browser of its own, without cookies. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    colorScheme: "light",
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.stack || `${error.name}: ${error.message}`));
  page.on("console", (message) => {
    // A refused request is an outcome that pages show; the browser logs each as an error.
    const isOutcome = message.text().startsWith("Failed to load resource");
    const { url, lineNumber } = message.location();
    if (message.type() === "error" && !isOutcome) faults.push(`${message.text()} (${url}:${lineNumber})`);
  });
  return { page, faults };
}
