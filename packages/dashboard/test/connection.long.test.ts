import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

test("while the service is gone every page says so, and goes on by itself when it is back", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    ...{ email: "gone@mail.example", isSearchOnly: true, tab: "documents" },
    documents: [{ source_doc_id: "tides", text: "The tide turns at noon." }],
  });
  await page.getByRole("table").waitFor();
  const everything = /\/(api|assets|health)/;
  await page.route(everything, (route) => route.abort("connectionrefused"));
  const usage = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" });
  const place = await usage.boundingBox();
  await page.getByRole("searchbox", { name: "Find by name" }).fill("tides");
  await page.getByText("The service cannot be reached. This page connects again by itself.").waitFor();
  assert.deepEqual(await usage.boundingBox(), place, "nothing moves under the pointer");
  await look(page, "gone");
  const bottom = await page.evaluate(
    "document.querySelector('[aria-label=\"Sign out\"]').getBoundingClientRect().bottom - innerHeight",
  );
  assert.ok(Number(bottom) <= 0, "the account is on the screen");
  // The code of this page was not loaded yet.
  await usage.click();
  await page.getByText("and shows what is missing as soon as the service answers").waitFor();
  await look(page, "gone-unloaded");
  assert.equal(await page.getByText(/preload|import/i).count(), 0, "no error of the loader");

  await page.unroute(everything);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.getByText("The service cannot be reached").first().waitFor({ state: "detached" });
  assert.deepEqual(await page.evaluate(unstyled), []);
});

test("pages that were opened one after the other while the service is gone get their styles when it is back", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "styles@mail.example", tab: "" });
  await page.getByRole("heading", { name: "Observatory", level: 1 }).waitFor();
  const everything = /\/(api|assets|health)/;
  await page.route(everything, (route) => route.abort("connectionrefused"));
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Graph" }).click();
  await page.getByRole("status").getByText("The service cannot be reached.").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).click();
  await page.getByText("and shows what is missing as soon as the service answers").waitFor();
  await page.unroute(everything);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.getByText("The service cannot be reached").first().waitFor({ state: "detached" });
  // Those of the page that was left in between come, too: it does not ask for them again.
  await waitFor("all styles", async () =>
    (await page.evaluate<readonly string[]>(unstyled)).length === 0 ? true : null,
  );
  await look(page, "gone-and-back");
});

/** The addresses of style sheets whose rules are not there. */
const unstyled = `[...document.querySelectorAll("link[rel=stylesheet]")].flatMap((link) => {
  try { return link.sheet.cssRules.length > 0 ? [] : [link.href]; } catch { return [link.href]; }
})`;

test("a page on which nobody does anything notices, too", async () => {
  const page = await scene().open();
  await page.clock.install();
  await openProject(page, scene(), { email: "idle@mail.example", isSearchOnly: true, tab: "settings" });
  await page.getByRole("textbox", { name: "Name of the project" }).waitFor();
  await page.route(/\/health/, (route) => route.abort("connectionrefused"));
  await page.clock.runFor(16_000);
  await page.getByText("The service cannot be reached.").waitFor();
  await page.unroute(/\/health/);
  await page.clock.runFor(3_000);
  await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
});

test("a page that is opened while the service is gone keeps the menu", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "menu@mail.example", isSearchOnly: true, tab: "documents" });
  await page.route(/\/(api|health)/, (route) => route.abort("connectionrefused"));
  await page.reload();
  await page.getByRole("heading", { name: "Not available", level: 1 }).waitFor();
  await page.getByText("This page connects again by itself, and shows what is missing").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).waitFor();
  await look(page, "gone-opened");
  await page.unroute(/\/(api|health)/);
  await page.getByText("No document yet").waitFor();
});

for (const [path, name, wanted] of [
  ["/projects", "Projects", "Observatory"],
  ["/ontologies", "Ontologies", "No ontology of yours yet"],
] as const)
  test(`${name} say that the service is gone, and what will happen, when their first load fails`, async () => {
    const page = await scene().open();
    const email = `first-${name.toLowerCase()}@mail.example`;
    await openProject(page, scene(), { email, isSearchOnly: true, tab: "documents" });
    await page.getByText("No document yet").waitFor();
    // The session is known and the code is loaded; the data is not.
    await page.route(/\/(api\/v1|health)/, (route) => route.abort("connectionrefused"));
    await page.goto(`${scene().url}${path}`);
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByText("This page connects again by itself, and shows what is missing").waitFor();
    assert.equal(await page.getByRole("status", { name: "Loading" }).count(), 0);
    await look(page, `gone-${name.toLowerCase()}`);
    await page.unroute(/\/(api\/v1|health)/);
    await page.getByText(wanted).first().waitFor();
  });

test("a question that is asked while the service is gone keeps its page, and is answered when it is back", async () => {
  const page = await scene().open();
  // The session is read again only when what was read is a minute old.
  await page.clock.install();
  await openProject(page, scene(), {
    ...{ email: "asks@mail.example", isSearchOnly: true, tab: "ask" },
    documents: [{ source_doc_id: "tides", text: "The tide turns at noon." }],
  });
  const question = page.getByRole("textbox", { name: "Question" });
  await question.waitFor();
  await page.route(/\/(api|health|projects)/, (route) => route.abort("connectionrefused"));
  await page.clock.runFor(61_000);
  await question.fill("When does the tide turn?");
  await question.press("Enter");
  await page.clock.runFor(10_000);
  await page.getByText("The service cannot be reached. Is it running").waitFor();
  assert.equal(await question.inputValue(), "When does the tide turn?");
  assert.equal(await page.getByRole("heading", { name: "Not available" }).count(), 0);
  await look(page, "gone-asked");
  await page.unroute(/\/(api|health|projects)/);
  await page.clock.runFor(5_000);
  await page.getByText("The tide turns at noon").first().waitFor();
});
