import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { look } from "./support/look.ts";
import { openProject, owner, post, setScene } from "./support/scene.ts";
import { OWN } from "./support/steps.ts";

const scene = setScene();

const documents = Array.from({ length: 8 }, (_, at) => ({
  source_doc_id: `log ${String(at).padStart(2, "0")}`,
  text: `Maud Pell founded Harbour Works ${at}.`,
  metadata: { date: `2005-03-0${at + 1}`, shelf: at % 7, keeper: at % 2 === 0 ? "Maud" : "Odile" },
}));

test("a key of metadata has one label in the menu and the table, its own where another key is called like it", async () => {
  const page = await scene().open();
  const named = {
    source_doc_id: "log",
    text: "It is calm.",
    metadata: { date: "2005-03-08", Date: "spring" },
  };
  await openProject(page, scene(), { email: "labels@mail.example", documents: [named], tab: "documents" });
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "date", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "date", exact: true }).waitFor();
});

test("documents are sorted, listed by state, with metadata as columns, and the address has it all", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "lists@mail.example", documents, tab: "documents" });
  const table = page.getByRole("table", { name: "Documents" });
  assert.equal(await firstName(page), "log 00");
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByRole("row").nth(1).getByRole("link", { name: "log 07" }).waitFor();
  assert.equal(
    await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort"),
    "descending",
  );

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "keeper" }).click();
  await page.keyboard.press("Escape");
  await table.getByRole("columnheader", { name: "keeper" }).waitFor();
  await row(page, "log 07").getByText("Odile").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Date" }).click();
  await page.keyboard.press("Escape");
  await table.getByRole("columnheader", { name: "Date", exact: true }).waitFor();
  await row(page, "log 07").getByText("Mar 8, 2005").waitFor();
  await page.getByRole("button", { name: "Updated" }).click();
  await page
    .getByRole("columnheader", { name: "Updated" })
    .and(page.locator("[aria-sort=descending]"))
    .waitFor();
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByRole("radio", { name: "All 8" }).waitFor();
  await page.getByRole("radio", { name: "Indexed 8" }).waitFor();
  await page.getByRole("radio", { name: "Failed or cancelled 0" }).click();
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("status").getByText("0 documents match").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "shelf" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Indexed 8" }).click();
  await row(page, "log 07").waitFor();
  await page.getByRole("status").getByText("8 documents match").waitFor();
  await look(page, "documents-columns");

  const shared = await page.context().newPage();
  await shared.goto(page.url());
  await row(shared, "log 07").getByText("Odile").waitFor();
  assert.equal(await firstName(shared), "log 07");
  await shared.close();
});

test("documents are deleted together: with half a minute for an undo, or at once when the page is left", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    email: "bulk@mail.example",
    isSearchOnly: true,
    documents,
    tab: "documents",
  });
  const listed = () => total(page);
  const place = await row(page, "log 01").boundingBox();
  await choose(page, "log 01", "log 02");
  await page.getByRole("region", { name: "Selected documents" }).getByText("2 selected").waitFor();
  assert.deepEqual(await row(page, "log 01").boundingBox(), place, "no row moves");
  await look(page, "documents-selected");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("2 documents were deleted. You can undo it for 30 seconds.").waitFor();
  assert.equal(await row(page, "log 01").count(), 0);
  await look(page, "documents-undo");
  await choose(page, "log 03");
  const bar = page.getByRole("region", { name: "Selected documents" });
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 800 },
  ]) {
    await page.setViewportSize(size);
    // Fails where the message is above the button.
    for (const name of ["Delete", "Clear"])
      await bar.getByRole("button", { name, exact: true }).click({ trial: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await bar.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: 2 documents are kept.").waitFor();
  await row(page, "log 01").waitFor();
  assert.equal(await listed(), 8);

  await choose(page, "log 03", "log 04", "log 05");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await row(page, "log 03").waitFor({ state: "detached" });
  await page.goto("about:blank");
  await waitFor("the deletion", async () => ((await listed()) === 5 ? true : null));
});

test("documents are read again together, and the bar of the project says so; not where there is no graph", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "again@mail.example", documents, tab: "documents" });
  const asked: string[][] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/reread/documents")) asked.push(request.postDataJSON().source_doc_ids);
  });
  const bar = page.getByRole("region", { name: "Selected documents" });
  await choose(page, "log 01", "log 02");
  await bar.getByRole("button", { name: "Read again" }).waitFor();
  await look(page, "documents-read-again");
  await bar.getByRole("button", { name: "Read again" }).click();
  await page.getByText("2 documents are read again.").waitFor();
  await bar.waitFor({ state: "detached" });
  assert.deepEqual(asked, [["log 01", "log 02"]]);
  await waitFor("the jobs", async () => ((await completedJobs(page)) === documents.length + 2 ? true : null));

  // Of a request for each 128, the second is refused.
  const { documents: listed } = await (await ask(page, "GET", "/documents")).json();
  const all = Array.from({ length: 130 }, (_, at) => ({ ...listed[0], source_doc_id: `note ${1000 + at}` }));
  await page.route(/\/documents\?/, (route) => {
    const given = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(given.get("offset")), Number(given.get("limit"))];
    const some = all.slice(offset, offset + limit);
    return route.fulfill({ headers: OWN, json: { documents: some, total: all.length, limit, offset } });
  });
  await page.route("**/reread/documents", (route) => {
    const ids: string[] = route.request().postDataJSON().source_doc_ids;
    if (ids.length < 128) return route.fulfill({ status: 429, json: { detail: "Too many." }, headers: OWN });
    const jobs = ids.map((id) => ({ job_id: id, status: "pending", created_at: "", source_doc_id: id }));
    return route.fulfill({ status: 202, json: { jobs }, headers: OWN });
  });
  await page.reload();
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByRole("button", { name: "Select all 130 that match" }).click();
  await page.getByText("130 selected").waitFor();
  await bar.getByRole("button", { name: "Read again" }).click();
  await page.getByText("128 of 130 documents are read again. Too many.").waitFor();
  assert.deepEqual(
    asked.slice(1).map((ids) => ids.length),
    [128, 2],
  );

  const flat = await scene().open();
  const email = "again-flat@mail.example";
  await openProject(flat, scene(), { email, isSearchOnly: true, documents, tab: "documents" });
  await choose(flat, "log 01");
  await flat.getByRole("button", { name: "Delete", exact: true }).waitFor();
  assert.equal(await flat.getByRole("button", { name: "Read again" }).count(), 0);
});

test("Shift with a click or the space bar selects or clears all documents from the one that was chosen before", async () => {
  const page = await scene().open();
  await openProject(page, scene(), {
    ...{ email: "range@mail.example", isSearchOnly: true, documents, tab: "documents" },
  });
  const box = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
  const words = page.getByRole("region", { name: "Selected documents" }).getByRole("status");
  const press = async (name: string, modifiers: ("Shift" | "Control")[] = []) =>
    box(name).locator("..").locator("..").click({ modifiers });
  await press("log 05");
  await press("log 02", ["Shift"]);
  await words.filter({ hasText: "4 selected" }).waitFor();
  assert.equal(await page.evaluate("String(getSelection())"), "", "no text is selected with it");
  await look(page, "documents-range");
  await box("log 03").focus();
  await page.keyboard.press("Shift+Space");
  await words.filter({ hasText: "2 selected" }).waitFor();
  assert.deepEqual([await box("log 04").isChecked(), await box("log 05").isChecked()], [true, true]);
});

test("after a page is deleted under a filter the next documents are there, and all that match are selected at once", async () => {
  const page = await scene().open();
  const notes = Array.from({ length: 61 }, (_, at) => ({
    source_doc_id: `note ${String(at).padStart(2, "0")}`,
    text: `A short note ${at}.`,
  }));
  const email = "pages@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, documents: notes, tab: "documents" });
  await page.getByRole("radio", { name: "Indexed" }).click();
  await row(page, "note 49").waitFor();
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByText("50 selected").waitFor();
  await page.getByRole("button", { name: "Select all 61 that match" }).waitFor();
  await look(page, "documents-select-all");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("50 selected, none of them on this page").waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const asked = page.getByRole("dialog");
  await asked.getByText(/“note 00”, .*“note 04” and 45 more documents/).waitFor();
  await asked.getByRole("button", { name: "Delete 50 documents" }).click();
  await row(page, "note 60").waitFor();
  assert.equal(await page.getByText("Nothing found").count(), 0);
  assert.equal(await page.getByRole("row").count(), 12);
  await page.getByRole("button", { name: "Undo" }).click();
  await row(page, "note 00").waitFor();
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByRole("button", { name: "Select all 61 that match" }).click();
  await page.getByText("61 selected").waitFor();
});

test("all that match are selected, however many, and deleted with progress; what fails stays selected", async () => {
  const page = await scene().open();
  const email = "most@mail.example";
  const given = documents.slice(0, 1);
  await openProject(page, scene(), { email, isSearchOnly: true, documents: given, tab: "documents" });
  const { documents: listed } = await (await ask(page, "GET", "/documents")).json();
  let all = Array.from({ length: 2_520 }, (_, at) => ({ ...listed[0], source_doc_id: `note ${1000 + at}` }));
  await page.route(/\/documents\?/, (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(asked.get("offset")), Number(asked.get("limit"))];
    const some = all.slice(offset, offset + limit);
    return route.fulfill({ headers: OWN, json: { documents: some, total: all.length, limit, offset } });
  });
  const held = Promise.withResolvers<void>();
  const broken = "note 1700";
  await page.route(/\/documents\/note/, async (route) => {
    const id = decodeURIComponent(new URL(route.request().url()).pathname.split("/").at(-1) ?? "");
    if (id === "note 2000") await held.promise;
    if (id === broken)
      return route.fulfill({ status: 500, json: { detail: "Internal error" }, headers: OWN });
    all = all.filter(({ source_doc_id: each }) => each !== id);
    return route.fulfill({ status: 204, headers: OWN });
  });
  await page.reload();
  await page.getByRole("status").getByText("2,520 documents").waitFor();
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByRole("button", { name: "Select all 2,520 that match" }).click();
  await page.getByText("2,520 selected, 2,470 of them not on this page").waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/This cannot be undone\. Keep this page open/).waitFor();
  await dialog.getByRole("button", { name: "Delete 2,520 documents" }).click();
  const bar = page.getByRole("region", { name: "Selected documents" });
  await bar.getByText(/^[\d,]+ of 2,520 documents$/).waitFor();
  await bar.getByRole("button", { name: "Stop" }).waitFor();
  await look(page, "documents-deleting-many");
  held.resolve();
  await page.getByText("2,519 of 2,520 documents were deleted. Internal error 1 stays selected.").waitFor();
  await page.getByText("1 selected", { exact: true }).waitFor();
  await row(page, broken).waitFor();
  assert.equal(await page.getByRole("checkbox", { name: `Select ${broken}` }).isChecked(), true);
});

test("the deletion of more than ten documents has to be confirmed", async () => {
  const page = await scene().open();
  const many = Array.from({ length: 11 }, (_, at) => ({
    source_doc_id: `note ${at}`,
    text: "A short note.",
  }));
  const given = { email: "many@mail.example", isSearchOnly: true, documents: many, tab: "documents" };
  await openProject(page, scene(), given);
  await page.getByRole("checkbox", { name: "Select all of this page" }).check({ force: true });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByText(/You can undo it for 30 seconds/)
    .waitFor();
  await look(page, "documents-delete-many");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 11 documents" }).click();
  await page.getByText("11 documents were deleted.").waitFor();
  assert.equal(await total(page), 11);
});

test("a deletion is sent when nobody undoes it", async () => {
  const page = await scene().open();
  const few = documents.slice(0, 2);
  await openProject(page, scene(), {
    email: "late@mail.example",
    isSearchOnly: true,
    documents: few,
    tab: "documents",
  });
  await page.clock.install();
  await page.getByRole("button", { name: "Delete log 00" }).click();
  await page.getByText("“log 00” was deleted.").waitFor();
  assert.equal(await total(page), 2);
  await page.clock.fastForward(30_000);
  await waitFor("the deletion", async () => ((await total(page)) === 1 ? true : null));
  assert.equal(await row(page, "log 00").count(), 0);
  await row(page, "log 01").waitFor();
});

test("signing out sends a deletion that waits, and takes its notice away", async () => {
  const page = await scene().open();
  const email = "leaving@mail.example";
  await openProject(page, scene(), {
    email,
    isSearchOnly: true,
    documents: documents.slice(0, 2),
    tab: "documents",
  });
  assert.equal(await total(page), 2);
  await page.getByRole("button", { name: "Delete log 00" }).click();
  await page.getByText("“log 00” was deleted.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  await post(page, scene().url, "/api/auth/sign-in/email", { ...owner, email });
  assert.equal(await total(page), 1);
});

test("a long list is jumped into, and a document shows what it names", async () => {
  const page = await scene().open();
  const many = Array.from({ length: 160 }, (_, at) => ({
    source_doc_id: `note ${1000 + at}`,
    text: "A short note.",
  }));
  const named = {
    source_doc_id: "a founder",
    text: "Maud Pell founded Harbour Works. Maud Pell was born in Whitby.",
  };
  await openProject(page, scene(), {
    email: "jump@mail.example",
    documents: [named, ...many],
    tab: "documents",
  });
  await page.getByRole("textbox", { name: "Page" }).fill("99");
  await page.keyboard.press("Enter");
  await page.getByText("151–161 of 161").waitFor();
  await row(page, "note 1159").waitFor();
  await page.goto(page.url().replace(/\?.*/, ""));
  await page.getByRole("link", { name: "a founder" }).click();
  const entities = page.getByRole("region", { name: "Entities" });
  await entities.getByRole("link", { name: "Whitby" }).waitFor();
  await look(page, "document-entities");
  await entities.getByRole("link", { name: "Show them in the graph" }).click();
  await page.getByText(/\d entities that the document names/).waitFor();
});

function row(page: Page, name: string) {
  return page.getByRole("row", { name: new RegExp(name) });
}

async function firstName(page: Page): Promise<string | null> {
  return page.getByRole("table", { name: "Documents" }).getByRole("link").first().textContent();
}

async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await page.getByRole("checkbox", { name: `Select ${name}` }).check({ force: true });
}

let project = "";

/** A request of the project, whatever the page shows. */
function ask(page: Page, method: "GET" | "POST", path: string, data?: object) {
  project = /projects\/(\w+)/.exec(page.url())?.[1] ?? project;
  const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
  const url = `${scene().url}/api/v1/projects/${project}${path}`;
  return page.context().request.fetch(url, { method, headers, ...(data === undefined ? {} : { data }) });
}

async function completedJobs(page: Page): Promise<number> {
  return (await (await ask(page, "GET", "/queue")).json()).completed;
}

async function total(page: Page): Promise<number> {
  return (await (await ask(page, "GET", "/documents")).json()).total;
}
