import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { sampleText } from "../src/first-run/sample-text.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();
const documents = [{ source_doc_id: sampleText.name, text: sampleText.text }];

test("keys lead to any page, project and document, ask, and show what keys there are", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "keys@mail.example", documents, tab: "documents" });
  await page.getByRole("table").waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await palette.getByRole("menuitem", { name: /Settings/ }).waitFor();
  await look(page, "palette");
  await page.keyboard.type("brindle");
  await palette.getByRole("menuitem", { name: /Brindlemoor Observatory.*Document/ }).click();
  await page.getByRole("heading", { name: "Text" }).waitFor();

  await page.keyboard.press("Control+k");
  const box = await palette.boundingBox();
  await page.keyboard.type("agnes");
  // Told to screen readers only when somebody has stopped typing.
  const told = "document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')";
  await waitFor("the entity as the first choice", async () =>
    /^Agnes Thorley.*Person$/.test(String(await page.evaluate(`${told}?.textContent`))) ? true : null,
  );
  assert.equal((await palette.boundingBox())?.y, box?.y, "the window stays where it is");
  await look(page, "palette-entity");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Agnes Thorley", level: 2 }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Agnes Thorley").waitFor();
  assert.equal(await page.title(), "Agnes Thorley · Observatory · Knowledge Context");

  await page.keyboard.press("Control+k");
  await page.keyboard.type("night");
  await palette.getByRole("menuitem", { name: /Dark theme/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Theme: dark. Switch to light" }).waitFor();
  assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
  await page.getByRole("button", { name: "Theme: dark. Switch to light" }).click();
  const theme = page.getByRole("button", { name: "Theme: light. Switch to system" });
  assert.equal(await theme.getAttribute("title"), "Theme: light. Switch to system");
  await theme.click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("create");
  await palette.getByRole("menuitem", { name: /^New project/ }).click();
  await page.getByRole("dialog", { name: "New project" }).getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("brindle");
  await palette.getByText("Open a project to search its documents and entities.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Observatory" }).click();
  await page.getByRole("heading", { name: "Observatory", level: 1 }).waitFor();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("mcp");
  await palette.getByRole("menuitem", { name: /Agents/ }).waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });

  await page.keyboard.press("Control+k");
  await page.keyboard.type("Where was Agnes Thorley born?");
  await palette.getByRole("menuitem", { name: /Ask Observatory/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
  assert.equal(await page.title(), "Where was Agnes Thorley born? · Observatory · Knowledge Context");

  await page.getByRole("heading", { name: "Answer" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await look(page, "shortcuts");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.getByRole("textbox", { name: "Question" }).and(page.locator(":focus")).waitFor();
});

test("the API reference has the font of the dashboard, finds an endpoint, and copies an example", async () => {
  const page = await scene().open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${scene().url}/docs`);
  await page.getByRole("heading", { name: "API reference", level: 1 }).waitFor();
  await page.evaluate("document.fonts.ready");
  assert.deepEqual(
    await page.evaluate(
      "[...document.fonts].filter(({ family }) => family.includes('Variable')).map(({ status }) => status)",
    ),
    ["loaded"],
  );
  const contents = page.getByRole("navigation", { name: "Endpoints" });
  await page.getByRole("searchbox", { name: "Find an endpoint" }).fill("queue cancel");
  await contents.getByText("Create a project").waitFor({ state: "hidden" });
  assert.equal(await contents.getByRole("listitem").count(), 1);
  await page.keyboard.press("Enter");
  await page.waitForURL(/#cancelJobs$/);
  const article = page.locator("#cancelJobs");
  await article.getByRole("button", { name: "Copy" }).first().click();
  await article.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    /^curl -X POST .*queue\/cancel"/,
  );
  await page.getByRole("searchbox", { name: "Find an endpoint" }).fill("no such thing");
  await page.getByText("No endpoint with this name.").waitFor();
  // All are alike, and so many take minutes.
  await page.evaluate(
    "document.querySelectorAll('article:not(#createProject, #query)').forEach((each) => each.remove())",
  );
  const schemeOf = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
  assert.equal(await schemeOf(), "light dark");
  await page.evaluate("localStorage.setItem('kcs-theme', 'dark')");
  await page.reload();
  assert.equal(await schemeOf(), "dark", "the theme that was chosen in the dashboard");
  await page.evaluate("localStorage.removeItem('kcs-theme')");
  await look(page, "docs");
});

test("a project is switched where one is, and its id is copied", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "switch@mail.example", isSearchOnly: true, tab: "documents" });
  const first = page.url();
  const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
  const data = { name: "Harbour", vector_only: true };
  const made = await page.context().request.post(`${scene().url}/api/v1/projects`, { headers, data });
  const { project_id: second } = await made.json();
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await crumbs.getByText("Documents").waitFor();
  await crumbs.getByRole("button", { name: "Switch project" }).click();
  await page.getByRole("menuitem", { name: "Harbour" }).waitFor();
  await look(page, "switcher");
  await page.keyboard.type("harb");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Harbour", level: 1 }).waitFor();
  assert.equal(page.url(), first.replace(/prj_\w+/, second));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await crumbs.getByRole("button", { name: "Copy id" }).click();
  await crumbs.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), second);
  await crumbs.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
});

test("a project is renamed, wherever its name stands", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "rename@mail.example", isSearchOnly: true, tab: "settings" });
  await page.getByRole("textbox", { name: "Name of the project" }).fill("Stars");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Stars", level: 1 }).waitFor();
  assert.equal(await page.title(), "Settings · Stars · Knowledge Context");
  await look(page, "settings-renamed");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "Stars" }).waitFor();
});

test("the first steps of a project are ticked when they are done", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "steps@mail.example", documents, tab: "" });
  const asked = page.getByRole("listitem").filter({ hasText: "Ask a question" });
  assert.doesNotMatch((await asked.textContent()) ?? "", /done/);
  await page.getByRole("link", { name: /Where was the founder/ }).click();
  await page
    .getByRole("region", { name: "Answer" })
    .getByText(/Whitby/)
    .waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("listitem").filter({ hasText: "Ask a question, done" }).waitFor();
});

test("the first steps of a project that has gone further are behind a line, with their links", async () => {
  const page = await scene().open();
  const more = [...documents, { source_doc_id: "other", text: "The quay is wide." }];
  await openProject(page, scene(), { email: "further@mail.example", documents: more, tab: "" });
  const line = page.getByText("First steps", { exact: true });
  await line.waitFor();
  assert.equal(
    await page.getByRole("heading", { name: "First steps" }).count(),
    0,
    "they are not in the way",
  );
  await line.click();
  await page.getByRole("listitem").filter({ hasText: "Add texts to it, done" }).waitFor();
  await page.getByRole("link", { name: /Where was the founder/ }).waitFor();
  await page.getByRole("link", { name: "Create an API key" }).waitFor();
  await look(page, "overview-first-steps");
  await page.getByRole("link", { name: "Add more" }).click();
  await page.getByRole("tab", { name: "Paste a text" }).waitFor();
});
