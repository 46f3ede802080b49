import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { tabTo } from "./support/keys.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";

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
  await page.getByRole("link", { name: "Corrections", exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Maria");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();

  await page.getByRole("button", { name: "Rename" }).click();
  const dialog = page.getByRole("dialog");
  await look(page, "entity-rename");
  await dialog.getByRole("textbox", { name: "New name" }).fill("Maria Vell");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("She married.");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "Maria Vell", level: 2 }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Maria Vell").waitFor();

  const reject = page.getByRole("button", { name: /^Reject: Maria Vell .* Porto$/ });
  await page.getByRole("button", { name: /^Confirm: Nordvik Robotics .* Maria Vell$/ }).click();
  await page.getByText("Confirmed", { exact: true }).waitFor();
  await reject.click();
  await reject.waitFor({ state: "detached" });
  await page.getByText("The graph has no relationship between them.").waitFor();
  const notices = page.getByRole("region", { name: "Notifications" });
  await notices.getByText(/^Rejected: Maria Vell .* Porto$/).waitFor();
  await look(page, "entity-corrected");

  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  const rows = page.getByRole("table", { name: "Corrections" }).getByRole("row");
  await rows.nth(3).waitFor();
  await look(page, "corrections");
  const undo = page.getByRole("button", { name: /^Undo: “Maria Gonzalez” \(\w+\) is called “Maria Vell”$/ });
  assert.equal((await undo.textContent())?.trim(), "Undo", "its word is seen");
  await undo.click();
  await rows.nth(3).waitFor({ state: "detached" });
  assert.equal(await page.getByText("Without effect").count(), 0, "verdicts are of the name before, too");
});

test("the offer to undo a correction goes when it is undone in the list", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "offer@mail.example", documents: TEXTS, tab: "graph" });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Maria");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("button", { name: /^Confirm: Nordvik Robotics .* Maria Gonzalez$/ }).click();
  const offered = page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" });
  await offered.waitFor();
  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  await page.getByRole("button", { name: /^Undo: / }).click();
  await page.getByText("No correction yet").waitFor();
  assert.equal(await offered.count(), 0);
});

test("a type is changed to one of the project's, which is undone at once; a relationship is added", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "retyped@mail.example", documents: TEXTS, tab: "graph" });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Hamburg");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Hamburg", level: 2 }).waitFor();
  await page.waitForURL(/name=Hamburg/);
  const address = page.url();
  await page.getByRole("button", { name: "Change type" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByText(/ontology/).count(), 0, "the project has none");
  await dialog.getByRole("combobox", { name: "New type" }).fill("Pers");
  await page.getByRole("option", { name: "Person" }).waitFor();
  await dialog.getByRole("combobox", { name: "New type" }).fill("Port");
  await dialog.getByRole("button", { name: "Change type" }).click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await notices.getByText("“Hamburg” is of the type Port now.").waitFor();
  await page.waitForURL((url) => url.href !== address);
  await page.getByText("Port", { exact: true }).waitFor();
  await notices.getByRole("button", { name: "Undo" }).click();
  await notices.getByText("“Hamburg” is of the type Location again.").waitFor();
  await page.getByText("Location", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Rename" }).click();
  await dialog.getByRole("textbox", { name: "New name" }).fill("porto");
  await dialog.getByText("Another entity has this name: Porto (Location). Both become one.").waitFor();
  await dialog.getByRole("button", { name: "Rename and merge" }).waitFor();
  await look(page, "entity-rename-joined");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Add a relationship" }).click();
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Porto");
  await page.getByRole("option", { name: "Porto" }).click();
  const other = dialog.getByRole("combobox", { name: "The other entity" });
  await dialog.getByRole("textbox", { name: "Reason" }).focus();
  assert.equal(await other.inputValue(), "Porto", "the choice stands in the field");
  await dialog.getByRole("status").getByText("Porto").waitFor();
  await other.fill("Por");
  await dialog.getByRole("status").getByText("Porto").waitFor({ state: "detached" });
  await page.getByRole("option", { name: "Porto" }).click();
  await dialog.getByRole("combobox", { name: "Type of the relationship" }).fill("TWINNED_WITH");
  await look(page, "entity-add-relationship");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "Reject: Hamburg twinned with Porto" }).waitFor();
  await page.getByText("Added by hand just now. It was not read from a text.").waitFor();
  await page.getByRole("button", { name: "Add a relationship" }).click();
  await dialog.getByRole("combobox", { name: "Type of the relationship" }).fill("twin");
  await page.getByRole("option", { name: "twinned with", exact: true }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const gone = page.url();
  await page.getByRole("link", { name: "Show in the graph" }).click();
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("button", { name: "Merge" }).click();
  // The open list hides the rest of the dialog from assistive technology.
  const merge = dialog.locator("button[type=submit]");
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Hamburg");
  await page.getByText("No other entity with this name.").waitFor();
  assert.ok(await merge.isDisabled(), "an entity cannot be merged into itself");
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Porto");
  await page.getByRole("option", { name: "Porto" }).click();
  const outcome = dialog.getByRole("status");
  await outcome.getByText(/^Hamburg \(\w+\) becomes Porto \(Location\)$/).waitFor();
  await dialog.getByRole("button", { name: "Swap the two" }).click();
  await outcome.getByText(/^Porto \(Location\) becomes Hamburg \(\w+\)$/).waitFor();
  await look(page, "entity-merge");
  await dialog.getByRole("button", { name: "Swap the two" }).click();
  await merge.click();
  await notices.getByText("“Hamburg” was merged into “Porto”.").waitFor();
  await page.getByRole("heading", { name: "Porto", level: 2, exact: true }).waitFor();
  await page.goBack();
  await page
    .getByRole("complementary", { name: "Selection" })
    .getByRole("heading", { name: "Porto", level: 2, exact: true })
    .waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Porto", level: 2, exact: true }).waitFor();
  assert.notEqual(page.url(), gone);

  const nobody = new URL(address);
  nobody.search = "?id=987654321";
  await page.goto(nobody.href);
  await page.getByRole("heading", { name: "This entity does not exist any more" }).waitFor();
  await look(page, "entity-gone");
  await page.getByRole("link", { name: "back to the graph" }).click();
  await page.getByRole("combobox", { name: "Find an entity" }).waitFor();
});

test("an address of an entity leads on in any browser when the entity is renamed, given another type or merged", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "shared@mail.example", documents: TEXTS, tab: "graph" });
  const { url } = scene();
  const graph = page.url();
  const project = `/api/v1/projects/${new URL(graph).pathname.split("/")[2]}`;
  const open = async (name: string) => {
    await page.getByRole("combobox", { name: "Find an entity" }).fill(name);
    await page.keyboard.press("Enter");
    await page.waitForURL(/called=/);
  };
  await open("Maria");
  const inGraph = page.url();
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.waitForURL(/name=Maria/);
  const itsPage = page.url();
  const correct = async (correction: object): Promise<string> => {
    const { corrections } = await post(page, url, `${project}/corrections`, { corrections: [correction] });
    return corrections?.[0]?.correction_id ?? "";
  };
  const maria = { type: "Person", name: "Maria Gonzalez" };
  const first = await correct({ kind: "rename", entity: maria, name: "Maria Vell" });
  const second = await correct({
    kind: "retype",
    entity: { type: "Person", name: "Maria Vell" },
    type: "Founder",
  });

  // A page that was loaded anew knows nothing of corrections.
  await page.goto(itsPage);
  await page.getByRole("heading", { name: "Maria Vell", level: 2 }).waitFor();
  await page.waitForURL(/name=Maria(?:\+|%20)Gonzalez&type=Founder/);
  await page.goto(inGraph);
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("heading", { name: "Maria Vell", level: 2 }).waitFor();
  await page.waitForURL(/calledType=Founder/);
  const renamed = page.url();

  const into = { type: "Organization", name: "Nordvik Robotics" };
  const third = await correct({ kind: "merge", entity: { type: "Founder", name: "Maria Vell" }, into });
  await page.goto(itsPage);
  await page.getByRole("heading", { name: "Nordvik Robotics", level: 2 }).waitFor();
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  for (const id of [third, second, first])
    await page.context().request.delete(`${url}${project}/corrections/${id}`, { headers });
  await page.goto(renamed);
  await panel.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();

  await page.goto(`${graph}?entity=987654321`);
  await panel.getByRole("heading", { name: "This entity does not exist any more" }).waitFor();
  await page.getByRole("heading", { name: "Nothing to draw" }).waitFor();
  assert.equal(await page.getByText("404").count(), 0);
  await look(page, "graph-entity-gone");
});

test("before an ontology is bound the page says which corrections will have no effect", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "bound@mail.example", documents: TEXTS, tab: "settings" });
  const { url } = scene();
  const maria = { type: "Person", name: "Maria Gonzalez" };
  const porto = { type: "Location", name: "Porto" };
  const path = `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}/corrections`;
  await post(page, url, path, {
    corrections: [
      { kind: "rename", entity: maria, name: "Maria Vell" },
      { kind: "rename", entity: porto, name: "O Porto" },
      { kind: "confirm", source: maria, type: "BORN_IN", target: porto },
    ],
  });
  const types = { Location: { properties: [], description: "A place" } };
  const schema = { ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [] } };
  await post(page, url, "/api/v1/ontologies", { name: "Places", schema });
  await page.reload();
  await page.getByRole("button", { name: "Change the ontology" }).click();
  await page.getByText("2 of 3 corrections will have no effect: 1 confirmation, 1 renaming.").waitFor();
  const lost = page.getByRole("list", { name: "Corrections without effect" }).getByRole("listitem");
  await lost.getByText(/Maria Gonzalez.* is called .*Maria Vell/).waitFor();
  await lost.getByText(/^Confirmed: /).waitFor();
  assert.equal(await lost.count(), 2);
  await page.getByText("They leave the graph when the documents are read again, unless").waitFor();
  const leaving = page.getByRole("list", { name: "What leaves the graph" }).getByRole("listitem");
  await leaving.getByText(/^\d+ of \d+ entities: \d+ \w+/).waitFor();
  await leaving.getByText(/^(\d+) of \1 relationships: \d+ \w+/).waitFor();
  await look(page, "settings-ontology-corrections");
  await page.getByRole("dialog").getByRole("button", { name: "Change and read again" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(page.url().replace(/settings$/, "corrections"));
  const rows = page.getByRole("table", { name: "Corrections" }).getByRole("row");
  const outside = rows.filter({ hasText: "Not in the ontology" });
  await outside.nth(1).waitFor();
  assert.equal(await outside.count(), 2, "the reason is the one that was given before");
  await look(page, "corrections-outside");
});

test("what was confirmed becomes examples of the ontology, by keyboard, and what will happen is said before", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "taught@mail.example", documents: TEXTS, tab: "corrections" });
  const { url } = scene();
  const path = `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}`;
  const maria = { type: "Person", name: "Maria Gonzalez" };
  const nordvik = { type: "Organization", name: "Nordvik Robotics" };
  const founded = { kind: "confirm", source: nordvik, type: "FOUNDED_BY", target: maria };
  const born = {
    kind: "confirm",
    source: maria,
    type: "BORN_IN",
    target: { type: "Location", name: "Porto" },
  };
  await post(page, url, `${path}/corrections`, { corrections: [founded, born] });
  await page.reload();
  const dialog = page.getByRole("dialog");
  const teach = page.getByRole("button", { name: "Teach from verdicts" });
  await teach.focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Examples are kept in an ontology, and this project has none.").waitFor();
  await look(page, "corrections-teach-nothing");
  await page.keyboard.press("Escape");

  await bindOntology(page, url, path);
  await page.reload();
  await teach.focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("What you confirmed becomes 1 example in version 2 of “Firms”.").waitFor();
  const types = dialog.getByRole("list", { name: "Examples by type" });
  await types.getByText("1 left out: the ontology does not have this type").waitFor();
  await dialog.getByText(/Its 2 documents are read again/).waitFor();
  await look(page, "corrections-teach");
  const detail = "Some of the project's documents are being ingested. Wait until that has ended.";
  const refusal = { status: 409, headers: { "x-request-id": "req_1" }, json: { detail } };
  await page.route(/corrections\/ontology$/, (route) => route.fulfill(refusal));
  await tabTo(page, "Make version 2 and move to it");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText(detail).waitFor();
  await page.unroute(/corrections\/ontology$/);
  await dialog.getByRole("button", { name: "Make version 2 and move to it" }).press("Enter");
  await dialog
    .getByRole("status")
    .getByText("Version 2 of “Firms” was made, with 1 more example. The project is at version 2 now, and")
    .waitFor();
  await dialog.getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor();
  await look(page, "corrections-taught");
  await page.keyboard.press("Enter");
  await teach.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByText("There is no new example for version 2 of “Firms”.").waitFor();
});

/** The project's ontology becomes one with a type of relationship less than was confirmed, and its documents are read. */
async function bindOntology(page: Page, url: string, path: string): Promise<void> {
  const type = (description: string) => ({ properties: [], description });
  const types = { Person: type("A human"), Organization: type("A firm"), Location: type("A place") };
  const ends = { source_types: ["Organization"], target_types: ["Person"] };
  const edge = { name: "FOUNDED_BY", description: "was founded by", ...ends };
  const schema = { ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [edge] } };
  const { id } = await post(page, url, "/api/v1/ontologies", { name: "Firms", schema });
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const requests = page.context().request;
  const bound = await requests.patch(`${url}${path}`, { data: { ontology_id: id }, headers });
  assert.ok(bound.ok(), await bound.text());
  await waitFor("the end of the reading", async () => {
    const { status } = await (await requests.get(`${url}${path}/reread`, { headers })).json();
    return status === "completed" ? true : null;
  });
}
