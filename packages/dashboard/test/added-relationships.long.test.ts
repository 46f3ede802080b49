/** Relationships that a person adds with times, and what is left to see of those that were rejected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";

const scene = setScene();

const edge = (name: string, source: string, target: string) => ({
  ...{ name, source_types: [source], target_types: [target], properties: [] },
});
const SCHEMA = {
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: {
          Person: { description: "A human being" },
          Company: { description: "A business" },
          Town: { description: "A place where people live" },
        },
      },
    ],
    edge_types: [
      edge("BORN_IN", "Person", "Town"),
      edge("FOUNDED", "Person", "Company"),
      edge("HEADQUARTERED_IN", "Company", "Town"),
      edge("CHAIRS", "Person", "Company"),
      edge("OWNS", "Person", "Company"),
    ],
  },
};
const TEXTS = [
  {
    source_doc_id: "one",
    text: "Maria Gonzalez founded Nordvik Robotics. Maria Gonzalez was born in Porto.",
  },
];

/** The page of Maria, in a project with an ontology. */
async function openMaria(email: string): Promise<{ readonly page: Page; readonly path: string }> {
  const page = await scene().open();
  const { url } = scene();
  await openProject(page, scene(), { email, tab: "graph" });
  const { id } = await post(page, url, "/api/v1/ontologies", { name: "Firms", schema: SCHEMA });
  const { project_id } = await post(page, url, "/api/v1/projects", { name: "Firms", ontology_id: id });
  const path = `/api/v1/projects/${project_id}`;
  await post(page, url, `${path}/ingest/batch`, { documents: TEXTS });
  const read = async (what: string) => {
    const headers = { origin: url, "sec-fetch-site": "same-origin" };
    return (await page.context().request.get(`${url}${path}/${what}`, { headers })).json();
  };
  await waitFor("the end of all jobs", async () => {
    const { jobs } = await read("jobs");
    return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
  });
  const { entities } = await read("entities?search=maria");
  await page.goto(`${url}/projects/${project_id}/entity?id=${entities[0].entity_id}`);
  await page.getByRole("heading", { name: "Maria Gonzalez", level: 2 }).waitFor();
  return { page, path };
}

test("a relationship with a name that no text mentions is refused with the reason, and with a way to add one", async () => {
  const { page } = await openMaria("unmentioned@mail.example");
  await page.getByRole("button", { name: "Add a relationship" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Quillon Works");
  await dialog
    .getByRole("status")
    .getByText(/^The graph has no entity called “Quillon Works”/)
    .waitFor();
  const way = dialog.getByRole("link", { name: "add a document that mentions it" });
  await way.waitFor();
  await look(page, "relationship-unmentioned");
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Nordvik");
  await page.getByRole("option", { name: "Nordvik Robotics" }).waitFor();
  await dialog.getByRole("combobox", { name: "The other entity" }).fill("Quillon Works");
  await way.click();
  await page.waitForURL(/\/ingest$/);
  await page.getByRole("button", { name: "Choose files" }).waitFor();
});

test("a relationship is added with times, of a type that the ontology allows, and shown with them", async () => {
  const { page } = await openMaria("times@mail.example");
  const dialog = page.getByRole("dialog");
  const type = dialog.getByRole("combobox", { name: "Type of the relationship" });
  const open = async () => {
    await page.getByRole("button", { name: "Add a relationship" }).click();
    await dialog.getByRole("combobox", { name: "The other entity" }).fill("Nordvik");
    await page.getByRole("option", { name: "Nordvik Robotics" }).click();
    await dialog.getByRole("status").getByText("Nordvik Robotics").waitFor();
  };
  await open();
  await type.focus();
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(
    await page.getByRole("option").allInnerTexts(),
    ["founded", "chairs", "owns", "born in", "headquartered in"],
    "those between a person and a company are first",
  );
  await page.getByRole("option", { name: "chairs" }).click();
  await dialog.getByRole("textbox", { name: "From" }).fill("March 2002");
  await dialog.getByRole("textbox", { name: "Until" }).focus();
  await dialog.getByText("Write a year, a month or a day: 2002, 2002-03 or 2002-03-14.").waitFor();
  await dialog.getByRole("textbox", { name: "From" }).fill("2001-05");
  await dialog.getByRole("textbox", { name: "Until" }).fill("1999");
  const submit = dialog.locator("button[type=submit]");
  assert.ok(await submit.isDisabled(), "it ends before it begins");
  await dialog.getByRole("textbox", { name: "Reason" }).focus();
  await dialog.getByText("It ends before it begins.").waitFor();
  await look(page, "entity-add-relationship");
  await dialog.getByRole("textbox", { name: "Until" }).fill("");
  await submit.click();
  const relationships = page.getByRole("region", { name: "Relationships", exact: true });
  await relationships.getByText("from May 2001", { exact: true }).waitFor();

  await open();
  await type.fill("owns");
  await page.getByRole("option", { name: "owns" }).click();
  await dialog.getByRole("textbox", { name: "From" }).fill("1994-03-08");
  await dialog.getByRole("textbox", { name: "Until" }).fill("2000");
  await submit.click();
  const earlier = page.getByRole("region", { name: "Earlier relationships" });
  await earlier.getByText("from Mar 8, 1994 until 2000", { exact: true }).waitFor();
  const timeline = page.getByRole("region", { name: "Timeline" });
  assert.deepEqual(await timeline.getByText(/^from/).allInnerTexts(), [
    ...["from Mar 8, 1994 until 2000", "from May 2001"],
  ]);
  await look(page, "entity-added-times");

  await page.getByRole("link", { name: "Show in the graph" }).click();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByText("from May 2001", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Time", exact: true }).click();
  await page.getByRole("textbox", { name: "As of a year, month or day" }).fill("1995-06");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("button", { name: "Time Jun 1995" }).waitFor();
  await panel.getByText("from Mar 8, 1994 until 2000", { exact: true }).waitFor();
  await panel.getByText("At other times").waitFor();

  await page.getByRole("link", { name: "Corrections", exact: true }).first().click();
  const table = page.getByRole("table", { name: "Corrections" });
  await table.getByText("Added: Maria Gonzalez chairs Nordvik Robotics from May 2001").waitFor();
  await page.getByRole("button", { name: /^Undo: Added: .* until 2000$/ }).click();
  await table.getByText(/until 2000/).waitFor({ state: "detached" });
  const row = table.getByRole("row", { name: /chairs/ });
  await row.getByText(/^Changes what is read from \d+ passages?$/).waitFor();
  await look(page, "corrections-linked");
  await row.getByRole("link", { name: "Nordvik Robotics" }).click();
  await panel.getByRole("heading", { name: "Nordvik Robotics", level: 2 }).waitFor();
});

test("the only relationship that was rejected stays in view on the page of its entity, and is undone there", async () => {
  const { page, path } = await openMaria("only@mail.example");
  await page.getByRole("link", { name: "Porto" }).first().click();
  await page.getByRole("heading", { name: "Porto", level: 2 }).waitFor();
  const reject = page.getByRole("button", { name: "Reject: Maria Gonzalez born in Porto" });
  await reject.click();
  const relationships = page.getByRole("region", { name: "Relationships", exact: true });
  await relationships.getByText("The graph has no relationship of it.").waitFor();
  // Of others, more than the service lists at once.
  const others = Array.from({ length: 101 }, (_, at) => ({
    ...{ kind: "reject", type: "BORN_IN", source: { type: "Person", name: `Visitor ${at}` } },
    target: { type: "Town", name: "Lisbon" },
  }));
  await post(page, scene().url, `${path}/corrections`, { corrections: others.slice(1) });
  await post(page, scene().url, `${path}/corrections`, { corrections: others.slice(0, 1) });
  await page.reload();
  await relationships.getByText("1 rejected relationship").waitFor();
  await relationships.getByText("Rejected: Maria Gonzalez born in Porto").waitFor();
  await look(page, "entity-rejected");
  await relationships.getByRole("button", { name: "Undo: Rejected: Maria Gonzalez born in Porto" }).click();
  await reject.waitFor();
  await relationships.getByText("1 rejected relationship").waitFor({ state: "detached" });
  await page
    .getByRole("region", { name: "Notifications" })
    .getByText(/^No longer rejected/)
    .waitFor();
});

test("a type whose only relationship was rejected is offered again, and a new one can be written", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    ...{ email: "types@mail.example", tab: "graph" },
    documents: [{ source_doc_id: "one", text: "Maria Gonzalez was born in Porto." }],
  });
  await page.getByRole("combobox", { name: "Find an entity" }).fill("Maria");
  await page.getByRole("option", { name: "Maria Gonzalez" }).click();
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("button", { name: "Reject: Maria Gonzalez born in Porto" }).click();
  await page.getByText("The graph has no relationship of it.").waitFor();
  const dialog = page.getByRole("dialog");
  const type = dialog.getByRole("combobox", { name: "Type of the relationship" });
  await page.getByRole("button", { name: "Add a relationship" }).click();
  await type.fill("bor");
  await page.getByRole("option", { name: "born in" }).waitFor();
  await type.fill("stayed with");
  await dialog.getByRole("status").getByText("a new type").waitFor();
  await look(page, "entity-new-type");
  await type.fill("born in");
  await dialog.getByRole("status").getByText("a new type").waitFor({ state: "detached" });
});
