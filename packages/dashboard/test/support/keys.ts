import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Presses Tab until something with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent",
    );
    if (String(label).includes(name)) return;
  }
  assert.fail(`The key Tab does not lead to “${name}”.`);
}
