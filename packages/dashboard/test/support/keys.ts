import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Behind the last thing of a page nothing has the focus, and `activeElement` is the body. */
const NAME = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  return element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
})()`;

/** Presses Tab until something with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(NAME);
    if (String(label).includes(name)) return;
  }
  assert.fail(`The key Tab does not lead to “${name}”.`);
}
