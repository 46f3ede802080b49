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
      tab: "",
    },
  });
  const project = page.url().replace(/\/$/, "");
  await page.getByText("This project has no ontology. One tells what to look for in its texts:").waitFor();
  await look(page, "overview-no-ontology");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Suggest an ontology from these documents" }).waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("link", { name: "suggest one from its documents" }).click();
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
  await page.getByText("Observatory does not use this ontology yet.").waitFor();
  await look(page, "ontology-use-in-project");
  await page.getByRole("button", { name: "Use it in Observatory" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the ontology" });
  await dialog.getByRole("button", { name: "Mills Ontology" }).waitFor();
  await dialog.getByText("With an ontology texts are read in another way").waitFor();
  await dialog.getByRole("button", { name: "Change and read again" }).click();
  await page.waitForURL(project);
  await page.getByText("Graph · Mills").waitFor();
  assert.equal(await page.getByText("This project has no ontology").count(), 0);
});

test("an ontology that is made for a project without one is offered to it", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "minutes", text: "Present were Ilse Brandt and Odile Hart." }];
  await openProject(page, scene(), { email: "made-for-project@mail.example", documents, tab: "graph" });
  await page.getByRole("link", { name: "suggest one from this project’s documents" }).first().click();
  await page.getByRole("link", { name: "Without a suggestion" }).click();
  await page.getByRole("radio", { name: "Business" }).click();
  await page.getByRole("group", { name: /^7 types on 1 level/ }).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Use it in Observatory" }).waitFor();
});
