/** What everybody must be able to see and use, on every page. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env["DASHBOARD_SCREENSHOTS"] ?? "";
const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 800 };
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Two of four show what a rule can find: colours in light and dark, places on a wide screen and a phone. */
const views = [
  { view: "light", size: wide, colorScheme: "light", isHeldToRules: true },
  { view: "dark-phone", size: phone, colorScheme: "dark", isHeldToRules: true },
  { view: "phone", size: phone, colorScheme: "light", isHeldToRules: false },
  { view: "dark", size: wide, colorScheme: "dark", isHeldToRules: false },
] as const;

/**
 * Holds the page as it is now to the rules of accessibility, in light and dark, and to the width of the screen.
 * `on` "phone": as it is on a phone alone. With DASHBOARD_SCREENSHOTS set to a folder it leaves pictures there.
 */
export async function look(page: Page, name: string, on: "all" | "phone" = "all"): Promise<void> {
  const before = page.viewportSize();
  for (const { view, size, colorScheme, isHeldToRules } of views) {
    if ((!isHeldToRules && pictures === "") || (on === "phone" && size !== phone)) continue;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // What the bar at the top covers of a scrolled page is not too small for that.
    await page.evaluate("window.scrollTo(0, 0)");
    await photograph(page, `${name}-${view}`);
    if (isHeldToRules) await holdToRules(page, `${name}, ${view}`);
  }
  await page.setViewportSize(before ?? wide);
  await page.emulateMedia({ colorScheme: "light" });
}

async function holdToRules(page: Page, view: string): Promise<void> {
  assert.deepEqual(await violationsOf(page), [], view);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  assert.ok(Number(overflow) <= 0, `${view}: wider than the screen by ${overflow} pixels`);
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  // Not as a script of the page, which its Content-Security-Policy would refuse.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const options = JSON.stringify({ runOnly: { type: "tag", values: rules }, resultTypes: ["violations"] });
  const results: AxeResults = await page.evaluate(`axe.run(document, ${options})`);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
}

async function photograph(page: Page, name: string): Promise<void> {
  if (pictures === "") return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
