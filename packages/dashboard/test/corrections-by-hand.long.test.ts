/** What a person adds, removes, splits and judges with a reason on the page of an entity. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
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

async function openMaria(email: string, documents: typeof TEXTS): Promise<Page> {
  const page = await scene().open();
  await openProject(page, scene(), { email, documents, tab: "graph" });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Maria");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();
  return page;
}

test("properties are added and removed; verdicts and additions have reasons", async () => {
  const page = await openMaria("reasons@mail.example", TEXTS);
  const dialog = page.getByRole("dialog");
  const reason = dialog.getByRole("textbox", { name: "Reason" });
  const properties = page.getByRole("region", { name: "Properties" });

  await page.getByText("No property was read from the documents.").waitFor();
  await page.getByRole("button", { name: "Add a property" }).click();
  const add = dialog.locator("button[type=submit]");
  await dialog.getByRole("combobox", { name: "Property" }).fill("office");
  assert.ok(await add.isDisabled(), "it has no value yet");
  await dialog.getByRole("textbox", { name: "Value" }).fill("Harbour Street 4");
  await reason.fill("She said so.");
  await look(page, "entity-add-property");
  await add.click();
  await properties.getByText("Harbour Street 4").waitFor();
  await look(page, "entity-properties");
  await page.getByRole("button", { name: "Remove office: Harbour Street 4" }).click();
  await reason.fill("She moved.");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No property was read from the documents.").waitFor();

  const born = page.getByRole("button", { name: /^Say why: Maria Gonzalez .* Porto$/ });
  await born.click();
  await reason.fill("Her passport says so.");
  await look(page, "entity-judge");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Confirmed", { exact: true }).waitFor();
  await born.click();
  assert.equal(await dialog.getByRole("button", { name: "Confirm" }).count(), 0, "it is confirmed");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Add a relationship" }).click();
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Hamburg");
  await page.getByRole("option", { name: "Hamburg" }).click();
  await dialog.getByRole("combobox", { name: "Type of the relationship" }).fill("LIVES_IN");
  await reason.fill("Her letter says so.");
  await dialog.locator("button[type=submit]").click();
  await page.getByText("Reason: Her letter says so.").waitFor();
  await page.getByRole("button", { name: "Reject: Maria Gonzalez lives in Hamburg" }).click();
  await page.getByText("Reason: Her letter says so.").waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  const table = page.getByRole("table", { name: "Corrections" });
  for (const said of ["She said so.", "She moved.", "Her passport says so.", "Her letter says so."])
    await table.getByText(said, { exact: true }).waitFor();
});

test("what some documents say of a name is split from it", async () => {
  const documents = [...TEXTS, { source_doc_id: "three", text: "Maria Gonzalez was born in Lisbon." }];
  const page = await openMaria("split@mail.example", documents);
  const dialog = page.getByRole("dialog");
  const address = page.url();
  await page.getByRole("button", { name: "Split", exact: true }).click();
  const split = dialog.locator("button[type=submit]");
  await dialog.getByRole("combobox", { name: "Documents that mean the other one" }).click();
  assert.deepEqual(
    await page.getByRole("option").allInnerTexts(),
    ["one", "three"],
    "those that mention her",
  );
  await page.getByRole("option", { name: "three" }).click();
  // The open list hides the rest of the dialog.
  await page.keyboard.press("Escape");
  await dialog.getByRole("textbox", { name: "Name of the other one" }).fill("Maria Gonzalez");
  assert.ok(await split.isDisabled(), "it would be the same");
  await dialog.getByRole("textbox", { name: "Name of the other one" }).fill("Maria Gonzalez of Lisbon");
  await look(page, "entity-split");
  await split.click();
  await page.getByRole("heading", { name: "Maria Gonzalez of Lisbon", level: 2 }).waitFor();
  await page.getByRole("button", { name: /^Reject: Maria Gonzalez of Lisbon .* Lisbon$/ }).waitFor();
  await page.goto(address);
  await page.getByRole("button", { name: /^Reject: Maria Gonzalez .* Porto$/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Reject: .* Lisbon$/ }).count(), 0);

  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  const table = page.getByRole("table", { name: "Corrections" });
  await table.getByText(/^In three, “Maria Gonzalez” \(\w+\) is “Maria Gonzalez of Lisbon”/).waitFor();
});

test("texts that were ingested after a confirmation are shown beside it, and those that tell against it", async () => {
  const page = await scene().open();
  const { url } = scene();
  await openProject(page, scene(), { email: "later@mail.example", tab: "graph" });
  const node_types = { Person: { description: "A human being" }, Company: { description: "A business" } };
  const post_type = {
    name: "WORKS_FOR",
    source_types: ["Person"],
    target_types: ["Company"],
    properties: [],
  };
  const schema = {
    ontology: {
      hierarchy: [{ level: 0, node_types }],
      edge_types: [{ ...post_type, temporal: true, functional: true }],
    },
  };
  const { id } = await post(page, url, "/api/v1/ontologies", { name: "Posts", schema });
  const { project_id } = await post(page, url, "/api/v1/projects", { name: "Posts", ontology_id: id });
  const path = `/api/v1/projects/${project_id}`;
  const ingest = async (source_doc_id: string, text: string) => {
    await post(page, url, `${path}/ingest`, { source_doc_id, text });
    await waitFor("the end of all jobs", async () => {
      const headers = { origin: url, "sec-fetch-site": "same-origin" };
      const listed = await page.context().request.get(`${url}${path}/jobs`, { headers });
      const { jobs } = await listed.json();
      return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
    });
  };
  await ingest("old", "3 March 2014\n\nIlse Brandt works for Harrow Mills Ltd.");
  const ilse = { type: "Person", name: "Ilse Brandt" };
  const mills = { type: "Company", name: "Harrow Mills Ltd" };
  await post(page, url, `${path}/corrections`, {
    corrections: [{ kind: "confirm", source: ilse, type: "WORKS_FOR", target: mills }],
  });
  await ingest("again", "1 April 2015\n\nIlse Brandt works for Harrow Mills Ltd.");
  await ingest("new", "2 May 2016\n\nIlse Brandt works for Nordvik Robotics Ltd.");
  await page.goto(`${url}/projects/${project_id}/corrections`);
  await page.getByText("1 text against it").waitFor();
  await look(page, "corrections-later");
  await page.getByRole("button", { name: /^Show later texts: Confirmed: Ilse Brandt/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Ilse Brandt works for Nordvik Robotics Ltd.").waitFor();
  await dialog.getByText("Ilse Brandt works for Harrow Mills Ltd.").waitFor();
  await look(page, "corrections-later-texts");
  await dialog.getByRole("link", { name: "new" }).click();
  await page.getByRole("heading", { name: "new" }).waitFor();
});
