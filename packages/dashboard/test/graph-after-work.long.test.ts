import { test } from "node:test";
import { moveToFirms, pathOf } from "./support/firms.ts";
import { look } from "./support/look.ts";
import { openProject, post, setScene } from "./support/scene.ts";

const scene = setScene();
const documents = [
  { source_doc_id: "one", text: "Maria Gonzalez founded Nordvik Robotics." },
  { source_doc_id: "two", text: "Nordvik Robotics is headquartered in Hamburg." },
];
/** By which the client knows an answer of the service. */
const OWN = { "x-request-id": "req_test" };
const PROPOSAL = {
  ...{ type: "MEETS", chunks: 1, confidence: 0.62, valid_from: null, valid_to: null },
  source: { entity_id: "1", name: "Ilse Brandt", type: "Person", confirmed_type: "Person", same_name: [] },
  target: {
    ...{ entity_id: null, name: "the committee", type: "Organization" },
    ...{ confirmed_type: "Organization", same_name: [] },
  },
  evidence: [
    { chunk_id: "1:0", source_doc_id: "minutes", start: 0, end: 24, text: "Present were Ilse Brandt" },
  ],
};
const BUSY = {
  ...{ pending: 0, running: 1, completed: 0, failed: 0, others_unfinished: 0 },
  batch: { completed: 0, failed: 0 },
  ...{ reread: null, jobs_per_minute: null, seconds_left: null, failures: [] },
};
const later = [{ source_doc_id: "three", text: "Tomas Vell was born in Porto." }];

test("a map without relationships says that the ontology decides, and leads to proposals and corrections", async () => {
  const page = await scene().open();
  await page.route(/\/graph\/proposals\?/, (route) =>
    route.fulfill({ json: { proposals: [PROPOSAL], total: 20, limit: 1, offset: 0 }, headers: OWN }),
  );
  await openProject(page, scene(), { email: "empty-map@mail.example", documents, tab: "graph" });
  await page.getByText("All 3 entities with relationships").waitFor();
  const { url } = scene();
  const entity = { type: "Person", name: "Maria Gonzalez" };
  await post(page, url, `${pathOf(page)}/corrections`, {
    corrections: [{ kind: "rename", entity, name: "Maria Vell" }],
  });
  await moveToFirms(page, url, []);
  await page.reload();
  await page.getByText("“Firms”, decides which relationships are read.").waitFor();
  await page.getByText(/: \d+ entities have none\./).waitFor();
  await page.getByRole("link", { name: "Change the ontology" }).waitFor();
  await look(page, "graph-empty-by-ontology");
  await page.getByRole("link", { name: "Corrections" }).click();
  await page.getByRole("table", { name: "Corrections" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "20 proposed relationships wait" }).click();
  await page.getByRole("radio", { name: "Proposed 20", checked: true }).waitFor();
});

test("a map without relationships of a project without ontology leads to a suggestion from its documents", async () => {
  const page = await scene().open();
  const minutes = [{ source_doc_id: "minutes", text: "Present were Ilse Brandt and Odile Hart." }];
  await openProject(page, scene(), { email: "no-ontology@mail.example", documents: minutes, tab: "graph" });
  await page.getByText("2 entities have no relationship. An ontology tells what to look for").waitFor();
  await page.getByRole("link", { name: "suggest one from this project’s documents" }).click();
  await page.waitForURL(/ontologies\/suggest\?project=/);
  await page.getByLabel("Use case").filter({ hasText: "Entities:" }).waitFor();
});

test("a map that is open is read again when work ends; under a choice it stays until it is asked for", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "open-map@mail.example", documents, tab: "graph" });
  await page.getByText("All 3 entities with relationships").waitFor();
  const ingest = async (batch: typeof documents) => {
    let isHidden = true;
    // As if the work were long: a page that nobody touches looks for new work seldom.
    await page.route(/\/queue$/, (route) =>
      isHidden ? route.fulfill({ json: BUSY, headers: OWN }) : route.continue(),
    );
    await page.getByText(/to go/).waitFor({ timeout: 25_000 });
    await post(page, scene().url, `${pathOf(page)}/ingest/batch`, { documents: batch });
    isHidden = false;
    await page.getByText(/to go/).waitFor({ state: "detached" });
  };
  await ingest(later);
  await page.getByText("All 5 entities with relationships").waitFor();

  await page.getByRole("combobox", { name: "Find an entity" }).fill("Hamburg");
  await page.getByRole("option", { name: "Hamburg" }).click();
  await page.getByText("The only relationship of Hamburg").waitFor();
  await ingest([{ source_doc_id: "four", text: "Larkspur Mill is headquartered in Hamburg." }]);
  await page.getByText("The graph has changed.").waitFor();
  await page.getByText("The only relationship of Hamburg").waitFor();
  await page.getByRole("button", { name: "Show it" }).click();
  await page.getByText("All 2 relationships of Hamburg").waitFor();
  await page.getByText("The graph has changed.").waitFor({ state: "detached" });
});
