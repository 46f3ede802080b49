import assert from "node:assert/strict";
import { test } from "node:test";
import { moveToFirms, pathOf } from "./support/firms.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";

const scene = setScene();
const documents = [
  {
    source_doc_id: "one",
    text: "Maria Gonzalez founded Nordvik Robotics. Nordvik Robotics is headquartered in Hamburg.",
  },
];

test("a relationship that was added between types of another ontology is added again between the present ones", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "added-again@mail.example", documents, tab: "corrections" });
  const { url } = scene();
  const path = pathOf(page);
  const nordvik = { type: "Organization", name: "Nordvik Robotics" };
  const maria = { type: "Person", name: "Maria Gonzalez" };
  const added = (type: string) => ({ kind: "add_relationship", source: maria, type, target: nordvik });
  await post(page, url, `${path}/corrections`, {
    corrections: [{ ...added("ADVISES"), valid_from: "2031", valid_to: "2032" }, added("OWNS")],
  });
  const edges = [
    { name: "ADVISES", source_types: ["Person"], target_types: ["Firm"] },
    { name: "OWNS", source_types: ["Firm"], target_types: ["Firm"] },
  ];
  await moveToFirms(page, url, edges);
  await page.reload();
  const words = "The ontology does not allow it between these types.";
  await page.getByText(words).nth(1).waitFor();
  await look(page, "corrections-other-types");
  const again = (what: string) =>
    page.getByRole("button", { name: `Add between the present types: Added: Maria Gonzalez ${what}` });
  await again("owns Nordvik Robotics").click();
  await page
    .getByRole("alert")
    .getByText("The graph has no “Maria Gonzalez” of a type that the ontology allows here (Firm).")
    .waitFor();
  await again("advises Nordvik Robotics from 2031 until 2032").click();
  const row = page.getByRole("row").filter({ hasText: "Added: Maria Gonzalez advises Nordvik Robotics" });
  await row.getByText(words).waitFor({ state: "detached" });
  assert.equal(await row.count(), 1, "it is there once, with its times");
  assert.match((await row.textContent()) ?? "", /from 2031 until 2032/);
});

test("renamings that a move left without effect are told and made again for the type that the reading gives, one after another", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "renamed-again@mail.example", documents, tab: "settings" });
  const { url } = scene();
  const nordvik = { type: "Organization", name: "Nordvik Robotics" };
  const nobody = { type: "Person", name: "Hamburg" };
  const named = (entity: object, name: string) => ({ kind: "rename", entity: { ...entity, also: [] }, name });
  await post(page, url, `${pathOf(page)}/corrections`, {
    corrections: [
      named(nordvik, "Nordvik"),
      named({ type: "Organization", name: "Nordvik" }, "Nordvik Works"),
      named(nobody, "Harry"),
      { kind: "rename", entity: { type: "Person", name: "Maria Gonzalez" }, name: "Maria Vell" },
    ],
  });
  const settings = page.url();
  await page.goto(settings.replace("settings", "corrections"));
  const ofNobody = page.getByRole("row", { name: /Hamburg/ });
  await ofNobody.getByText("“Hamburg” is of the type Location now.").waitFor();
  await ofNobody.getByText("Without effect").waitFor();
  await moveToFirms(page, url, []);
  await page.goto(settings);
  await page.getByText("3 corrections have no effect on the documents as they are read now.").waitFor();
  await look(page, "settings-without-effect");
  await page.getByRole("link", { name: "Show them" }).click();
  const rows = page.getByRole("table", { name: "Corrections" }).getByRole("row");
  await page.getByText("“Nordvik Robotics” is of the type Firm now.").waitFor();
  await page.getByText("“Nordvik” names nothing in the graph now.").waitFor();
  await page.getByText("“Hamburg” names nothing in the graph now.").waitFor();
  assert.equal(await rows.count(), 4, "those without effect");
  const again = page.getByRole("button", { name: /^Make it again for the present type/ });
  assert.equal(await again.count(), 1, "nobody is called Hamburg or Nordvik");
  await look(page, "corrections-without-effect");
  await again.click();
  await rows.nth(3).waitFor({ state: "detached" });
  await page.getByText("“Nordvik” is of the type Firm now.").waitFor();
  await again.click();
  await rows.nth(2).waitFor({ state: "detached" });
  await page.getByRole("radio", { name: /^All/ }).click();
  await page.getByText("“Nordvik Robotics” (Firm) is called “Nordvik”").waitFor();
  await page.getByText("“Nordvik” (Firm) is called “Nordvik Works”").waitFor();
  assert.equal(await rows.count(), 5, "those before are undone");
});
