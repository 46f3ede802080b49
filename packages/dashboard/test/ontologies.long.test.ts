import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ontologyFormats } from "@kcs/contract/ontology-formats";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { setScene, signUp } from "./support/scene.ts";
import { addType, OWN } from "./support/steps.ts";

const scene = setScene();

test("an ontology can begin with a ready-made one, which is loaded when it is chosen", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "ready@mail.example");
  await page.goto(`${new URL(page.url()).origin}/ontologies/new`);
  await page.getByRole("radio", { name: "Business" }).click();
  await page.getByRole("group", { name: /^7 types on 1 level, 11 relationship types/ }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Business");
  await look(page, "ontology-ready");
  await addType(page, "Award");
  await page.getByRole("radio", { name: "Support" }).click();
  await page.getByText("Your draft was replaced. Undo brings it back.").waitFor();
  await page.getByRole("button", { name: "Edit Award" }).first().waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Support");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Edit Award" }).first().waitFor();
  await page.getByRole("radio", { name: "Business", checked: true }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Business");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { name: "Business", level: 1 }).waitFor();
});

test("a new project can have a ready-made ontology, which is then one of the account", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "ready-project@mail.example");
  await page.getByRole("button", { name: "New project" }).first().click();
  await page.getByLabel("Name").fill("With a ready-made one");
  await page.getByRole("button", { name: /^None: .* Ontology/ }).click();
  await look(page, "project-new-ontologies");
  await page.getByRole("option", { name: "Legal (ready-made)" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Graph · Legal").waitFor();
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page
    .getByRole("row", { name: /^Legal/ })
    .getByRole("link", { name: "With a ready-made one" })
    .waitFor();
});

test("an ontology is made with the form, checked while it is written, and saved anew when it is changed", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "form@mail.example");
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByText("No ontology of yours yet").waitFor();
  await look(page, "ontologies-empty");
  await page.getByRole("link", { name: "New ontology" }).click();
  await page.getByLabel("Name").fill("Harbour");
  await addType(page, "Skipper");
  await addType(page, "Barge");
  await addRelationship(page, "STEERS", "Skipper", "Barge");
  await page.getByRole("button", { name: "Add a type" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("barge");
  await page.getByRole("dialog").getByText("This name is taken.").waitFor();
  assert.ok(await page.getByRole("dialog").getByRole("button", { name: "Add" }).isDisabled());
  await look(page, "ontology-name-taken");
  await page.getByRole("button", { name: "Cancel" }).click();
  await addType(page, "Raft");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Edit Raft" }).waitFor({ state: "detached" });
  const picture = page.getByRole("group", { name: "2 types on 1 level, 1 relationship type." });
  await picture.waitFor();
  await look(page, "ontology-form");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { name: "Harbour", level: 1 }).waitFor();

  const text = page.getByLabel("Schema as JSON");
  await text.fill(
    (await text.inputValue()).replace(/"Barge"\n(\s*)\],\n(\s*)"prop/, '"Brage"\n$1],\n$2"prop'),
  );
  await page
    .locator("li")
    .getByText(/edge_types\[0\].*unknown node type "Brage", did you mean "Barge"/)
    .waitFor();
  assert.ok(await page.getByRole("button", { name: "Save as a new ontology" }).isDisabled());
  await page.getByRole("button", { name: "Edit STEERS, faulty" }).waitFor({ state: "attached" });
  // On a phone the bar at the top would cover what the page was scrolled to.
  await page.evaluate("window.scrollTo(0, 0)");
  await look(page, "ontology-fault");
  await page.getByRole("button", { name: "schema.ontology.edge_types[0].target_types[0]" }).click();
  assert.equal(await page.evaluate("document.getSelection().toString()"), '"Brage"');
  await text.fill((await text.inputValue()).replace('"Brage"', '"Barge"'));
  await page.getByLabel("Name").fill("Harbour, second");
  await page.getByRole("button", { name: "Save as a new ontology" }).click();
  await page.getByRole("heading", { name: "Harbour, second", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByRole("link", { name: "Harbour", exact: true }).waitFor();
  await page
    .getByRole("row", { name: /^Harbour, second/ })
    .getByText("no project")
    .waitFor();
  await look(page, "ontologies");
  await page.getByRole("button", { name: "Delete Harbour, second" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The ontology “Harbour, second” was deleted.").waitFor();
  await page.getByRole("link", { name: "Harbour, second" }).waitFor({ state: "detached" });

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("button", { name: "New project" }).first().click();
  await page.getByLabel("Name").fill("Bound");
  await page.getByRole("button", { name: /^(None: .* )?Ontology/ }).click();
  await page.getByRole("option", { name: "Harbour", exact: true }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Graph · Harbour").waitFor();
  const project = page.url();

  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByRole("link", { name: "Harbour", exact: true }).click();
  await addType(page, "Lock");
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText(/^Version 2 was saved/).waitFor();
  await page
    .getByRole("table", { name: "Versions" })
    .getByRole("row", { name: /^2 Harbour 0/ })
    .waitFor();
  const lists = await page.getByRole("region", { name: "Relationships" }).boundingBox();
  const versions = await page.getByRole("heading", { name: "Versions" }).boundingBox();
  assert.ok(lists !== null && versions !== null);
  assert.ok(versions.y - (lists.y + lists.height) >= 16, "The versions keep a distance from the form.");
  await page.getByText("Used in Bound (version 1).").waitFor();
  assert.ok(await page.getByRole("button", { name: "Delete", exact: true }).isDisabled());
  await look(page, "ontology-versions");
  await page.getByRole("link", { name: "Open version 1" }).click();
  await page.getByRole("heading", { name: "Harbour, version 1", level: 1 }).waitFor();
  await page.getByRole("img", { name: "2 types on 1 level, 1 relationship type." }).waitFor();
  await look(page, "ontology-version");
  await page.getByRole("link", { name: "What changed since" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: /^added Lock/ })
    .waitFor();
  assert.match(page.url(), /\/compare\?before=1&after=2$/);
  await look(page, "ontology-compare");
  await page.goto(`${project}/settings`);
  await page.getByText("Harbour, version 1").waitFor();
  await page.getByText("No document was read yet.").waitFor();
  await page.getByRole("button", { name: "Change the ontology" }).click();
  await page.getByText("A project with an ontology cannot go back to none").waitFor();
  const change = page.getByRole("dialog").getByRole("button", { name: "Change and read again" });
  await page.getByText("Nothing has to leave the graph").waitFor();
  await look(page, "settings-ontology");
  await change.click();
  await page.getByText("Harbour, version 2").waitFor();
});

test("a schema is drawn in the picture, and a project is made with it", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "picture@mail.example");
  await page.goto(`${scene().url}/ontologies/new`);
  await page.getByLabel("Name").fill("Drawn");
  for (const name of ["Skipper", "Barge"]) {
    await page.getByRole("button", { name: "Add a type" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: `Edit ${name}` }).waitFor();
  }
  await page
    .getByRole("button", { name: "Edit Skipper" })
    .dragTo(page.getByRole("button", { name: "Edit Barge" }));
  const dialog = page.getByRole("dialog", { name: "Add a relationship" });
  await dialog.getByLabel("Name").fill("STEERS");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "Edit STEERS" }).waitFor();
  const text = await page.getByLabel("Schema as JSON").inputValue();
  const [edge] = JSON.parse(text).ontology.edge_types;
  assert.deepEqual([edge.name, edge.source_types, edge.target_types], ["STEERS", ["Skipper"], ["Barge"]]);
  await look(page, "ontology-picture");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "New project with this" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("With it");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Graph · Drawn").waitFor();
});

test("an ontology is made from a file, exported, and gets its next version from a file", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "files@mail.example");
  await page.goto(`${scene().url}/ontologies/new`);
  await page.getByRole("radio", { name: "A file" }).click();
  const file = page.locator("input[type=file]");
  await file.setInputFiles({
    name: "junk.ttl",
    mimeType: "text/turtle",
    buffer: Buffer.from("this is none"),
  });
  await page.getByRole("button", { name: "Make the ontology" }).click();
  await page.getByText(/^The file cannot be read: /).waitFor();
  await file.setInputFiles(turtleFile("Skipper"));
  await page.getByRole("button", { name: "harbour.ttl" }).waitFor();
  await look(page, "ontology-file");
  await page.getByRole("button", { name: "Make the ontology" }).click();
  await page.getByRole("heading", { name: "“Harbour” was made" }).waitFor();
  await page
    .getByRole("table", { name: "Left out" })
    .getByRole("row", { name: /^Barge .*subClassOf/ })
    .waitFor();
  await look(page, "ontology-left-out");
  await page.getByRole("link", { name: "Open the ontology" }).click();
  await page.getByRole("heading", { name: "Harbour", level: 1 }).waitFor();

  for (const [label, ending] of [
    ["JSON of this service", ".json"],
    ...Object.values(ontologyFormats).map(({ title, endings }) => [title, `.${endings[0]}`] as const),
  ] as const) {
    const downloaded = page.waitForEvent("download");
    await page.getByRole("link", { name: label, exact: true }).click();
    const download = await downloaded;
    assert.ok(download.suggestedFilename().endsWith(ending), label);
    assert.match(await readFile(await download.path(), "utf8"), /Skipper/, label);
  }

  await page.getByRole("button", { name: "Load a file" }).click();
  const dialog = page.getByRole("dialog");
  await file.setInputFiles(turtleFile("Captain"));
  await look(page, "ontology-load");
  await dialog.getByRole("button", { name: "Load", exact: true }).click();
  await dialog.getByRole("button", { name: "Look at it" }).click();
  await page.getByRole("button", { name: "Edit Captain" }).waitFor();
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText(/^Version 2 was saved/).waitFor();
  await page.getByRole("link", { name: "Ontologies" }).click();
  await page.getByRole("link", { name: "Harbour", exact: true }).waitFor();
  assert.equal(
    await page.getByRole("row").count(),
    2,
    "what was read for the version is not kept as an ontology",
  );
});

function turtleFile(person: string) {
  const text = `@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://harbour.example/#> .
<http://harbour.example/> a owl:Ontology ; rdfs:label "Harbour" .
:Ship a owl:Class .
:Barge a owl:Class ; rdfs:subClassOf :Ship .
:${person} a owl:Class .
:steers a owl:ObjectProperty ; rdfs:domain :${person} ; rdfs:range :Barge .`;
  return { name: "harbour.ttl", mimeType: "text/turtle", buffer: Buffer.from(text) };
}

test("a version is saved of a change only, and what is written after a save is asked for, too", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "unchanged@mail.example");
  await page.goto(`${scene().url}/ontologies/new`);
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("Name").fill("Films");
  assert.ok(await save.isDisabled(), "there is no type to save");
  await addType(page, "Film");
  await save.click();
  await page.getByRole("heading", { name: "Films", level: 1 }).waitFor();
  const saveVersion = page.getByRole("button", { name: "Save as a new version" });
  await saveVersion.waitFor();
  assert.ok(await saveVersion.isDisabled(), "nothing has changed");

  // Another layout of the text is no change.
  const text = page.getByLabel("Schema as JSON");
  await text.fill(JSON.stringify(JSON.parse(await text.inputValue())));
  assert.ok(await saveVersion.isDisabled());
  // The service has the last word on what is a change.
  const answer = { id: new URL(page.url()).pathname.split("/").at(-1), name: "Films", version: 1 };
  const replacing = /\/ontologies\/ont_\w+$/;
  await page.route(replacing, (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ headers: OWN, json: { ...answer, created_at: "2026-05-01T10:00:00Z", schema: {} } })
      : route.fallback(),
  );
  await addType(page, "Company");
  await saveVersion.click();
  await page.getByText("Nothing has changed: version 1 stays.").waitFor();
  await addType(page, "Place");
  await page.getByRole("link", { name: "Usage" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Edit Place" }).waitFor();
  await page.unroute(replacing);

  await saveVersion.click();
  await page.getByText(/^Version 2 was saved/).waitFor();
  await page.getByRole("button", { name: "Undo" }).and(page.locator(":disabled")).waitFor();
  assert.ok(await saveVersion.isDisabled(), "it is saved");
  await page.getByRole("link", { name: "Ontologies" }).click();
  const row = page.getByRole("row", { name: /^Films 2 / });
  await row.waitFor();
  await look(page, "ontologies-versions");
});

test("whoever leaves is asked before what was written is lost", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "leave@mail.example");
  await page.goto(`${scene().url}/ontologies/new`);
  await page.getByLabel("Name").fill("Half-written");
  await page.getByRole("link", { name: "Usage" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.waitFor();
  await look(page, "ontology-leave");
  await dialog.getByRole("button", { name: "Stay" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "Half-written");

  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), "beforeunload");
  await question.dismiss();

  await page.getByRole("link", { name: "Usage" }).click();
  await dialog.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "New ontology" }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "");
});

test("a text that is no schema says so and loses nothing", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "text@mail.example");
  await page.goto(`${scene().url}/ontologies/new`);
  await page.getByLabel("Schema as JSON").fill('{"ontology": ');
  await page.getByText("The text is not JSON").waitFor();
  await look(page, "ontology-text");
  assert.equal(await page.getByLabel("Schema as JSON").inputValue(), '{"ontology": ');
});

test("a use case becomes a draft, which is looked over and saved", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "suggest@mail.example");
  await page.goto(`${scene().url}/ontologies/suggest`);
  await page.getByRole("button", { name: "Use an example" }).click();
  assert.match(await page.getByLabel("Use case").inputValue(), /barges/);
  await page.getByLabel("Use case").fill("…");
  await page.getByRole("button", { name: "Suggest" }).click();
  await page.getByRole("alert").waitFor();
  await page
    .getByLabel("Use case")
    .fill("We run barges. Each barge has a length and a skipper. A barge carries cargo to a harbour.");
  await page.getByRole("button", { name: "Suggest" }).click();
  await page.getByRole("heading", { name: "Node types" }).waitFor();
  await page.getByRole("button", { name: /^Barge/ }).waitFor();
  await page
    .getByLabel("Use case")
    .fill("Entities: Barge, Skipper, Lock\nRelationships: Barge -> STEERED_BY -> Skipper");
  await page.getByRole("button", { name: "Suggest" }).click();
  await page.getByRole("button", { name: /^Lock has no relationship/ }).waitFor();
  await page
    .getByRole("button", {
      name: /^STEERED_BY Barge → Skipper.*Your words: Relationships: Barge -> STEERED_BY/,
    })
    .waitFor();
  await look(page, "ontology-suggested");
  await page.getByRole("button", { name: "Relate Lock" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("LIFTS");
  await dialog.getByRole("grid", { name: "To" }).getByRole("row", { name: "Barge" }).click();
  await dialog.getByRole("button", { name: "Swap the two" }).click();
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: /^LIFTS Barge → Lock/ }).waitFor();
  await page.getByText("has no relationship").waitFor({ state: "detached" });
  await page.getByLabel("Name").fill("Barges");
  await page.getByRole("button", { name: "Save this ontology" }).click();
  await page.getByRole("heading", { name: "Barges", level: 1 }).waitFor();
});

async function addRelationship(page: Page, name: string, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: "Add a relationship" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("grid", { name: "From" }).getByRole("row", { name: from }).click();
  await dialog.getByRole("grid", { name: "To" }).getByRole("row", { name: to }).click();
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.waitFor({ state: "detached" });
}
