import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";
import { OWN } from "./support/steps.ts";

const scene = setScene();
const PEOPLE = [
  ...["Ada Larsen", "Tomas Vell", "Odile Brandt", "Maria Gonzalez", "Jon Feld"],
  ...["Ilse Hart", "Peter Novak", "Anna Keller", "Hugo Marsh", "Clara Wood"],
];
const MILLS = ["Larkspur", "Tarnholm", "Orrin", "Vell", "Kestrel", "Harl", "Clay", "Dorn", "Elm", "Fern"];
const TEXTS = PEOPLE.map((person, at) => ({
  source_doc_id: `mill ${at}`,
  text: `${person} maintains ${MILLS[at]} Mill.`,
}));

/** A project that proposes of each person that they tend a mill. */
async function openMills(page: Page, email: string): Promise<void> {
  await openProject(page, scene(), { email, tab: "graph" });
  const { url } = scene();
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const types = { Person: { properties: [] }, Mill: { properties: [], description: "A mill" } };
  const tends = { name: "TENDS", source_types: ["Person"], target_types: ["Mill"] };
  const schema = { ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [tends] } };
  const { id } = await post(page, url, "/api/v1/ontologies", { name: "Mills", schema });
  const { project_id } = await post(page, url, "/api/v1/projects", { name: "Mills", ontology_id: id });
  const path = `/api/v1/projects/${project_id}`;
  await post(page, url, `${path}/ingest/batch`, { documents: TEXTS });
  await waitFor("the end of all jobs", async () => {
    const listed = await page.context().request.get(`${url}${path}/jobs`, { headers });
    const { jobs } = await listed.json();
    return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
  });
  await page.goto(`${url}/projects/${project_id}/graph?view=proposed`);
  await page.getByRole("radio", { name: "Proposed 10" }).waitFor();
}

test("a verdict says which others have come into the graph with it, and the list of corrections how many", async () => {
  const page = await scene().open();
  await openMills(page, "verdict-effect@mail.example");
  await page.getByRole("button", { name: "Confirm: Anna Keller tends Dorn Mill" }).click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await notices
    .getByText("Confirmed: Anna Keller tends Dorn Mill. With it, 5 more came into the graph.")
    .waitFor();
  await page.getByRole("radio", { name: "Proposed 4" }).waitFor();
  await notices.getByText("Show which").click();
  await notices
    .getByRole("listitem")
    .filter({ hasText: /^\+ .+ tends .+ Mill$/ })
    .nth(4)
    .waitFor();
  await look(page, "verdict-effect");
  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  await page.getByText("In the graph because of them: 5 “tends”.").waitFor();
  await look(page, "corrections-moved");
});

test("several proposals are judged together, with one undo, and the page says why they wait", async () => {
  const page = await scene().open();
  await openMills(page, "judged-together@mail.example");
  await page.getByText(/no sentence makes them 80 % probable/).waitFor();
  await look(page, "proposals-why");
  const here = page.url();
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "10 proposed relationships wait for you" }).waitFor();
  assert.equal(await page.getByText("This project has no ontology").count(), 0, "it has one");
  await look(page, "overview-proposals");
  await page.getByRole("link", { name: "10 proposed relationships wait for you" }).click();
  await page.waitForURL(here);
  for (const fact of ["Ada Larsen tends Larkspur Mill", "Jon Feld tends Kestrel Mill"])
    await page.getByRole("checkbox", { name: `Select: ${fact}` }).check({ force: true });
  await look(page, "proposals-selected");
  await page.getByRole("button", { name: "Reject 2" }).click();
  const notices = page.getByRole("region", { name: "Notifications" });
  await notices.getByText("2 relationships rejected.").waitFor();
  await page.getByRole("radio", { name: "Proposed 8" }).waitFor();
  await page.getByRole("region", { name: "Selected proposals" }).waitFor({ state: "detached" });
  const address = page.url();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
  assert.equal(await notices.getByText("2 relationships rejected.").count(), 0, "on pages of the project");
  await page.goBack();
  assert.equal(page.url(), address);
  await notices.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("radio", { name: "Proposed 10" }).waitFor();
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByRole("button", { name: "Confirm 10" }).click();
  await page.getByText("No relationship is proposed").waitFor();
});

test("the overview counts the proposals that are left after verdicts, wherever these were made", async () => {
  const page = await scene().open();
  await openMills(page, "overview-count@mail.example");
  const project = page.getByRole("navigation", { name: "Project" });
  const notices = page.getByRole("region", { name: "Notifications" });
  await project.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "and 10 proposed" }).click();
  await page.getByRole("button", { name: "Reject: Ada Larsen tends Larkspur Mill" }).click();
  await notices.getByText("Rejected: Ada Larsen tends Larkspur Mill").waitFor();
  await project.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "and 9 proposed" }).waitFor();
  await notices.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "and 10 proposed" }).waitFor();
  // In another window, or by a program.
  const { url } = scene();
  const path = `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}`;
  const ends = {
    source: { type: "Person", name: "Ada Larsen" },
    target: { type: "Mill", name: "Larkspur Mill" },
  };
  await post(page, url, `${path}/corrections`, { corrections: [{ kind: "reject", type: "TENDS", ...ends }] });
  await page.getByRole("link", { name: "and 9 proposed" }).waitFor();
});

test("the row of a table that states a proposal is quoted with the names of its columns", async () => {
  const page = await scene().open();
  const at = PEOPLE.slice(0, 3).map(
    (person, index) => `| ${person} | ${MILLS[index]} Mill | ${1900 + index} |`,
  );
  const text = `Keepers\n\n| Keeper | Mill | Since |\n| --- | --- | --- |\n${at.join("\n")}`;
  await openProject(page, scene(), {
    ...{ email: "quoted-row@mail.example", tab: "graph?view=proposed" },
    documents: [{ source_doc_id: "keepers", text }],
  });
  const end = (name: string, type: string) => ({
    ...{ entity_id: null, name, type, confirmed_type: type, same_name: [] },
  });
  const start = text.indexOf("| Tomas Vell");
  const row = text.slice(start, text.indexOf("\n", start));
  const evidence = {
    ...{ chunk_id: "c", source_doc_id: "keepers", start, end: start + row.length },
    text: row,
  };
  await page.route(/\/graph\/proposals/, (route) =>
    route.fulfill({
      headers: OWN,
      json: {
        ...{ total: 1, limit: 50, offset: 0 },
        proposals: [
          {
            ...{ type: "TENDS", confidence: 0.7, evidence: [evidence], valid_from: null, valid_to: null },
            source: end("Tomas Vell", "Keeper"),
            target: end("Somebody Unknown", "Mill"),
          },
        ],
      },
    }),
  );
  await page.reload();
  const proposal = page.getByRole("row").filter({ hasText: "Tomas Vell" });
  await proposal.getByText("Keeper: Tomas Vell · Mill: Tarnholm Mill · Since: 1901").waitFor();
  assert.equal(await proposal.getByRole("link", { name: "Somebody Unknown" }).count(), 0);
  await look(page, "proposals-row");
});

test("on a phone the buttons of a proposal are below it, on a wide screen in one line, and its entities are links", async () => {
  const page = await scene().open();
  await openMills(page, "proposal-buttons@mail.example");
  const row = page.getByRole("row").filter({ hasText: "Ada Larsen" });
  const buttons = row.getByRole("button");
  const tops = async () => {
    const boxes = await Promise.all((await buttons.all()).map((each) => each.boundingBox()));
    return new Set(boxes.map((box) => Math.round(box?.y ?? 0)));
  };
  await buttons.nth(2).waitFor();
  assert.equal((await tops()).size, 1);
  await look(page, "proposals");
  await page.setViewportSize({ width: 390, height: 800 });
  const quote = await row.getByRole("blockquote").boundingBox();
  const lowest = (quote?.y ?? 0) + (quote?.height ?? 0);
  for (const top of await tops()) assert.ok(top >= lowest, `${top} is above ${lowest}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole("link", { name: "Ada Larsen" }).click();
  await page.getByRole("heading", { name: "Ada Larsen", level: 2 }).waitFor();
});

test("the types of both ends are shown, and what confirming does where the graph has a name under another type", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "other-type@mail.example", tab: "graph" });
  const { url } = scene();
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const requests = page.context().request;
  const types = {
    Person: { properties: [] },
    Organization: { properties: [], description: "A company or institution" },
    Product: { properties: [], description: "Something that is made and sold" },
  };
  const open = async (targets: readonly string[]) => {
    const edges = [
      { name: "FOUNDED", source_types: ["Person"], target_types: ["Organization"] },
      { name: "MAKES", source_types: ["Organization"], target_types: targets },
    ];
    const schema = { ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: edges } };
    const { id } = await post(page, url, "/api/v1/ontologies", { name: "Makers", schema });
    const { project_id } = await post(page, url, "/api/v1/projects", { name: "Makers", ontology_id: id });
    const path = `/api/v1/projects/${project_id}`;
    const texts = [
      "Odile Brandt founded Kestrel. Kestrel is a company.",
      "Harl Works makes the Gale pump. Harl Works was founded by Peter Novak. Harl Works sells Kestrel.",
    ];
    await post(page, url, `${path}/ingest/batch`, {
      documents: texts.map((text, at) => ({ source_doc_id: `text ${at}`, text })),
    });
    await waitFor("the end of all jobs", async () => {
      const { jobs } = await (await requests.get(`${url}${path}/jobs`, { headers })).json();
      return jobs.every(({ status }: { status: string }) => status === "completed") ? true : null;
    });
    await page.goto(`${url}/projects/${project_id}/graph?view=proposed`);
    return path;
  };
  const named = async (path: string) => {
    const found = await requests.get(`${url}${path}/entities?search=Kestrel`, { headers });
    const { entities } = await found.json();
    return entities.map(({ type }: { type: string }) => type).sort();
  };
  const notices = page.getByRole("region", { name: "Notifications" });

  const taking = await open(["Product", "Organization"]);
  const row = page.getByRole("row").filter({ hasText: "makes Kestrel" });
  await row.getByText("“Kestrel” is in the graph as Organization. Confirm uses the Organization.").waitFor();
  await row.getByText("Product", { exact: true }).waitFor();
  await row.getByRole("checkbox").check({ force: true });
  const selected = page.getByRole("region", { name: "Selected proposals" });
  await selected
    .getByText("Confirm uses what is in the graph under another type: Kestrel (Organization).")
    .waitFor();
  await look(page, "proposals-other-type");
  await selected.getByRole("button", { name: "Confirm 1" }).click();
  await notices.getByText("1 relationship confirmed.").waitFor();
  assert.deepEqual(await named(taking), ["Organization"]);
  await page.getByRole("link", { name: "Corrections", exact: true }).click();
  await page.getByText("Confirmed: Harl Works makes Kestrel (Kestrel as Organization)").waitFor();

  const adding = await open(["Product"]);
  await row.getByText(/to which “makes” does not apply here. Confirm adds another “Kestrel”/).waitFor();
  await look(page, "proposals-second-entity");
  await row.getByRole("button", { name: /^Confirm/ }).click();
  await notices.getByText(/^Confirmed: Harl Works makes Kestrel/).waitFor();
  assert.deepEqual(await named(adding), ["Organization", "Product"]);
});
