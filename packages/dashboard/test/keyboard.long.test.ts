/** Who cannot use a mouse. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { tabTo } from "./support/keys.ts";
import { completeSignUp, owner, setScene } from "./support/scene.ts";

const scene = setScene();

async function typeCredentials(page: Page, email: string): Promise<void> {
  await tabTo(page, "E-mail address");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
}

test("the keyboard alone leads from nothing to a first answer in under two minutes", async (t) => {
  const { url } = scene();
  const page = await scene().open();
  const began = performance.now();
  await page.goto(`${url}/sign-up`);
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
  await typeCredentials(page, "first-by-keyboard@mail.example");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  // The address is there, and the focus behind it.
  await page.getByLabel("Password").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
  await tabTo(page, "Try it with a sample text");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /Where was the founder/ }).waitFor();
  await tabTo(page, "Where was the founder");
  await page.keyboard.press("Enter");
  // The question is there, and so is the focus.
  await page.getByRole("textbox", { name: "Question" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
  const seconds = (performance.now() - began) / 1_000;
  t.diagnostic(`${seconds.toFixed(1)} s, with no time to think`);
  assert.ok(seconds < 120, `${seconds} s`);
});

test("the first press of Tab offers to skip to the page", async () => {
  const { url } = scene();
  const page = await scene().open();
  await page.goto(`${url}/sign-up`);
  await completeSignUp(page, "skip@mail.example");
  await page.reload();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
  // What Tab reaches after the skip.
  await page.getByRole("main").getByRole("button").first().waitFor();
  await tabTo(page, "Skip to content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const focused = await page.evaluate("document.activeElement?.closest('main') !== null");
  assert.equal(focused, true);
});
