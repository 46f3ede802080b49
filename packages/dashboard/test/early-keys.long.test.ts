import assert from "node:assert/strict";
import { test } from "node:test";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();
const documents = [{ source_doc_id: "one", text: "Maria Gonzalez founded Nordvik Robotics." }];

test("what is typed behind Ctrl+K while its code is loaded stands in its field, and nowhere else", async () => {
  const page = await scene().open();
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/palette-[^/]*\.js$/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await openProject(page, scene(), { email: "early-keys@mail.example", documents, tab: "documents" });
  const search = page.locator("main input").first();
  await search.focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("webx");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("hooks");
  assert.equal(await search.inputValue(), "");
  loaded.resolve();
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("menuitem", { name: /Webhooks/ }).waitFor();
  const field = palette.getByRole("searchbox");
  assert.equal(await field.inputValue(), "webhooks");
  await page.keyboard.type("!");
  assert.equal(await field.inputValue(), "webhooks!", "it goes on behind that");
});
