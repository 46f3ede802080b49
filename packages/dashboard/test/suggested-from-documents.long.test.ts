import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

test("an ontology is suggested from what was read from the documents of a project", async () => {
  const page = await scene().open();
  const text = "Larkspur Mill was founded by Odile Brandt. Odile Brandt was born in Porto.";
  await openProject(page, scene(), {
    ...{
      email: "from-documents@mail.example",
      documents: [{ source_doc_id: "mill", text }],
      tab: "settings",
    },
  });
  await page.getByRole("link", { name: "Suggest an ontology from these documents" }).click();
  const useCase = page.getByLabel("Use case");
  await useCase.filter({ hasText: "Relationships:" }).waitFor();
  assert.match(await useCase.inputValue(), /^Entities: .*Person.*\nRelationships:\n.* -> \w+ -> /s);
  await look(page, "ontology-from-documents");
  await page.getByRole("button", { name: "Suggest", exact: true }).click();
  await page.getByRole("heading", { name: "Node types" }).waitFor();
  await page
    .getByRole("button", { name: /^Person/ })
    .first()
    .waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Mills");
  await page.getByRole("button", { name: "Save this ontology" }).click();
  await page.getByRole("heading", { name: "Mills", level: 1 }).waitFor();
  await page.getByText("Version 1. No project uses it.").waitFor();
});
