/** Short messages that tell a new user what is the matter. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { fillCredentials, openProject, post, setScene } from "./support/scene.ts";
import { OWN } from "./support/steps.ts";

const scene = setScene();
const documents = [{ source_doc_id: "one", text: "Maria Gonzalez founded Nordvik Robotics." }];

test("the name of an entity that is gone is said above the graph", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "gone-name@mail.example", documents, tab: "graph" });
  const words = page.getByText("“Ilse Brandt” is no longer in the graph.");
  const address = page.url();
  await page.goto(`${address}?find=Ilse+Brandt`);
  await words.waitFor();
  await look(page, "graph-name-gone");
  await page.goto(`${address}?find=Maria+Gonzalez`);
  await page.getByRole("complementary").getByRole("heading", { name: "Maria Gonzalez" }).waitFor();
  assert.equal(await words.count(), 0);
});

test("of an entity whose relationships have all ended the page and the map say that none holds now", async () => {
  const page = await scene().open();
  await page.route(/\/relationships\?/, (route) =>
    route.fulfill({ headers: OWN, json: { relationships: [], total: 0, limit: 100, offset: 0 } }),
  );
  await page.route(/\/entities\/[^/?]+(?:\?.*)?$/, async (route) => {
    const headers = { ...route.request().headers(), origin: scene().url, "sec-fetch-site": "same-origin" };
    const entity = await (await route.fetch({ headers })).json();
    const history = entity.relationships.map((each: object) => ({ ...each, valid_to: "2004", evidence: [] }));
    await route.fulfill({ headers: OWN, json: { ...entity, relationships: [], history } });
  });
  await openProject(page, scene(), { email: "ended@mail.example", documents, tab: "graph" });
  await page.goto(`${page.url()}?find=Maria+Gonzalez`);
  await page.getByText("Maria Gonzalez has no relationship that holds now · 1 at other times").waitFor();
  await page.getByRole("link", { name: "Open its page" }).click();
  await page.getByRole("heading", { name: "Earlier relationships" }).waitFor();
  await page.getByText("No relationship of it holds now.").waitFor();
  await look(page, "entity-none-now");
});

test("the first question for an agent is of a project that has texts, and an empty one says so in the list", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "first-question@mail.example", documents, tab: "documents" });
  const { url } = scene();
  const { project_id: empty } = await post(page, url, "/api/v1/projects", { name: "Aaa" });
  await page.goto(`${url}/agents`);
  await page.getByText("What is the project “Observatory”").waitFor();
  await page.route(new RegExp(`${empty}/stats$`), async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ headers: OWN, json: { ...(await reply.json()), documents: 900, chunks: 0 } });
  });
  await page.goto(`${url}/projects`);
  await page.getByRole("row", { name: /Aaa/ }).getByText("900, none searchable").waitFor();
  await look(page, "projects-none-searchable");
});

test("until a document is read again nothing is said of the fit of the ontology", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "early-fit@mail.example", documents, tab: "documents" });
  const { url } = scene();
  const path = `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}`;
  const schema = {
    ontology: { hierarchy: [{ level: 0, node_types: { Person: { properties: [] } } }], edge_types: [] },
  };
  const { id } = await post(page, url, "/api/v1/ontologies", { name: "People", schema });
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  await page.context().request.patch(`${url}${path}`, { data: { ontology_id: id }, headers });
  await page.route(/\/graph\/fit/, (route) =>
    route.fulfill({ headers: OWN, json: { entities: [], relationships: [], dropped: [] } }),
  );
  await page.route(/\/reread$/, async (route) => {
    const reply = await route.fetch();
    const running = { status: "running", documents_processed: 0, documents_total: 300 };
    await route.fulfill({ headers: OWN, json: { ...(await reply.json()), ...running } });
  });
  await page.goto(page.url().replace("documents", "settings"));
  await page.getByText("No document was read yet.").waitFor();
});

test("a refused sign-in has the words of its form", async () => {
  const page = await scene().open();
  await page.goto(`${scene().url}/sign-in`);
  await fillCredentials(page, { email: "nobody@mail.example", password: "a long enough phrase" });
  await page.keyboard.press("Enter");
  await page.getByText("Invalid e-mail address or password").waitFor();
});

test("when all has ended while somebody is asked whether to cancel all, the question says so", async () => {
  const page = await scene().open();
  let pending = 3;
  const queue = {
    ...{ running: 0, completed: 1, failed: 0, others_unfinished: 0, failures: [], reread: null },
    ...{ batch: { completed: 1, failed: 0 }, jobs_per_minute: null, seconds_left: null },
  };
  await page.route(/\/queue$/, (route) => route.fulfill({ headers: OWN, json: { ...queue, pending } }));
  await openProject(page, scene(), { email: "all-ended@mail.example", documents, tab: "jobs" });
  await page.getByRole("button", { name: "Cancel all" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The 3 jobs that have not ended will be cancelled.").waitFor();
  pending = 0;
  await dialog.getByText("Nothing waits any more: all jobs have ended meanwhile.").waitFor();
});
