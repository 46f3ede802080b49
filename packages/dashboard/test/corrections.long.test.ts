import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

const TEXTS = [
  {
    source_doc_id: "one",
    text: "Maria Gonzalez founded Nordvik Robotics. Maria Gonzalez was born in Porto.",
  },
  { source_doc_id: "two", text: "Nordvik Robotics is headquartered in Hamburg." },
];

test("an entity is renamed, a relationship confirmed and one rejected; all is listed and undone", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "corrections@mail.example", documents: TEXTS, tab: "graph" });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Maria");
  await page.getByRole("option", { name: "Maria Gonzalez" }).click();
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();

  await page.getByRole("button", { name: "Rename" }).click();
  const dialog = page.getByRole("dialog");
  await look(page, "entity-rename");
  await dialog.getByRole("textbox", { name: "New name" }).fill("Maria Vell");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("She married.");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "Maria Vell", level: 2 }).waitFor();

  const reject = page.getByRole("button", { name: /^Reject: Maria Vell .* Porto$/ });
  await page.getByRole("button", { name: /^Confirm: Nordvik Robotics .* Maria Vell$/ }).click();
  await page.getByText("Confirmed").waitFor();
  await reject.click();
  await reject.waitFor({ state: "detached" });
  await look(page, "entity-corrected");

  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  const rows = page.getByRole("table", { name: "Corrections" }).getByRole("row");
  await rows.nth(3).waitFor();
  await look(page, "corrections");
  await page.getByRole("button", { name: /^Undo: “Maria Gonzalez” is called “Maria Vell”$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await rows.nth(3).waitFor({ state: "detached" });
  assert.equal(await page.getByText("Without evidence").count(), 0, "verdicts are of the name before, too");
});
