import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { look } from "./support/look.ts";
import { openProject, setScene, signUp } from "./support/scene.ts";
import { openTab, paste } from "./support/steps.ts";

const scene = setScene();
const minuteMs = 60_000;

/** Long enough that it is still being read when the next click comes. */
const longText = Array.from({ length: 20_000 }, (_, at) => `Sentence ${at} of a long report on tides. `).join(
  "",
);

test("from nothing to a first answer takes two clicks and under two minutes", async () => {
  const page = await scene().open();
  const began = performance.now();
  await signUp(page, scene(), "first@mail.example");
  await page.getByRole("heading", { name: "From a text to an answer in three steps" }).waitFor();
  await page.getByRole("button", { name: "Try it with a sample text" }).click();
  await page.getByRole("heading", { name: "First steps" }).waitFor();
  await page.getByRole("link", { name: /Where was the founder/ }).click();
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  const took = performance.now() - began;
  assert.match((await page.getByRole("main").textContent()) ?? "", /Whitby/);
  assert.ok(took < 2 * minuteMs, `${took} ms`);

  await page
    .getByRole("link", { name: /Brindlemoor Observatory/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
  const marked = (await page.locator("main mark").allTextContents()).join("");
  assert.match(marked, /Observatory|Thorley/, "the sentence that was quoted is marked in its document");
});

test("the pages of a first run can be read by everybody", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "second@mail.example");
  await look(page, "welcome");
  await page.getByRole("button", { name: "Try it with a sample text" }).click();
  await page.getByRole("link", { name: /Where was the founder/ }).waitFor();
  await look(page, "first-steps");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("table", { name: "Projects" }).waitFor();
  await look(page, "projects");
  await page.getByRole("button", { name: "New project" }).click();
  await look(page, "project-new");
});

test("files are sent, what is no text is named, and a document is opened, searched for and deleted", async () => {
  const page = await scene().open();
  const email = "files@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "ingest" });
  await look(page, "ingest");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  const tides = Array.from({ length: 60 }, (_, at) => `On day ${at} the tide rose ${at + 2} metres.`).join(
    " ",
  );
  await (await chooser).setFiles([
    { name: "tides.md", mimeType: "text/markdown", buffer: Buffer.from(`# Tides\n\n${tides}`) },
    { name: "boats.txt", mimeType: "text/plain", buffer: Buffer.from("The ferry leaves at nine.") },
    { name: "map.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0, 0xff]) },
  ]);
  await page.getByText("3 of 3 done, 1 of them failed").waitFor();
  await page.getByRole("row", { name: /map\.png.*The type of the file is not known/ }).waitFor();
  await look(page, "ingest-sent");

  await openTab(page, "Documents");
  await page.getByRole("row", { name: /boats\.txt/ }).waitFor();
  await look(page, "documents");
  await page.getByRole("searchbox", { name: "Find by name" }).fill("tid");
  await page.getByRole("row", { name: /boats\.txt/ }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "tides.md" }).click();
  await page.getByRole("heading", { name: "Text" }).waitFor();
  assert.match((await page.getByRole("main").textContent()) ?? "", /On day 59 the tide rose 61 metres/);
  await look(page, "document");

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Text" }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), "tides.md");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("row", { name: /boats\.txt/ }).waitFor();
  assert.equal(await page.getByRole("row", { name: /tides\.md/ }).count(), 0);
  await page.getByRole("searchbox", { name: "Find by name" }).fill("nothing like it");
  await page.getByText("Nothing found").waitFor();
});

test("a job shows how far it is while it runs, and is cancelled", async () => {
  const page = await scene().open();
  const email = "jobs@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "jobs" });
  await page.getByText("No job yet").waitFor();
  await look(page, "jobs-empty");
  await paste(page, "long report", longText);
  await page.getByRole("table", { name: "Documents sent now" }).waitFor();
  await openTab(page, "Jobs");
  const running = page.getByRole("region", { name: "Processing now" });
  await running.getByRole("progressbar", { name: "Chunks of long report" }).waitFor();
  await running.getByRole("button", { name: "Cancel long report" }).click();
  await page
    .getByRole("dialog")
    .getByText(/It cannot be retried/)
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Keep it running" }).waitFor();
  await look(page, "jobs-cancel");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the job" }).click();
  const jobs = page.getByRole("table", { name: "Jobs" });
  await jobs.getByText("Cancelled", { exact: true }).waitFor();
  await jobs.getByText(/^Its text is not kept/).waitFor();
  assert.equal(await jobs.getByText("Failed").count(), 0);
  await look(page, "jobs-cancelled");
});

test("settings show what is in use, export the graph, read the documents again, and delete a project by its name", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "settings@mail.example");
  await page.getByRole("button", { name: "Try it with a sample text" }).click();
  await page.getByRole("link", { name: /Where was the founder/ }).waitFor();
  await openTab(page, "Settings");
  await page.getByText("Embedding model", { exact: true }).waitFor();
  await look(page, "settings");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Entities as CSV" }).click();
  assert.match((await download).suggestedFilename(), /csv$/);
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByText("1 of 1 documents were read again.").waitFor();
  await look(page, "settings-read-again");
  await openTab(page, "Jobs");
  await page.getByRole("columnheader", { name: "New entities" }).waitFor();

  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("table", { name: "By project" }).waitFor();
  await look(page, "usage");
  await page.getByRole("link", { name: "Sample" }).click();
  await openTab(page, "Settings");
  await page.getByRole("button", { name: "Delete project" }).click();
  const remove = page.getByRole("button", { name: "Delete permanently" });
  assert.ok(await remove.isDisabled());
  await page.getByRole("dialog").getByText("It has 1 document.").waitFor();
  await page.getByRole("textbox", { name: "Type “Sample” to continue" }).fill("Sample");
  await remove.click();
  await page.getByRole("heading", { name: "From a text to an answer in three steps" }).waitFor();
});

test("while the service does not answer pages show what will be there, then why it is not, and try again by themselves", async () => {
  const page = await scene().open();
  const email = "offline@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "" });
  await page.reload();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const documents = /\/documents\?/;
  await page.route(documents, async (route) => {
    await held;
    await route.abort("connectionrefused");
  });
  await openTab(page, "Documents");
  await page.getByRole("status", { name: "Loading" }).waitFor();
  await look(page, "documents-loading");
  answer();
  await page.getByText("This page connects again by itself, and shows what is missing").waitFor();
  await look(page, "documents-unreachable");
  await page.unroute(documents);
  await page.getByText("No document yet").waitFor();
});

test("the first load is small, of the sign-in and of pages behind it", async () => {
  const page = await scene().open();
  const signIn = await firstLoad(page, `${scene().url}/sign-in`, "Sign in");
  assert.ok(signIn > 100_000 && signIn < 200_000, `${signIn} bytes of scripts, styles and fonts`);
  const documents = [{ source_doc_id: "log", text: "Ana Holm founded Harbour Works." }];
  await openProject(page, scene(), { email: "load@mail.example", documents, tab: "" });
  const cookies = await page.context().cookies();
  const project = page.url().replace(/\/$/, "");
  for (const [url, heading, most] of [
    [`${scene().url}/projects`, "Projects", 235_000],
    [project, "Observatory", 245_000],
    [`${project}/ask`, "Observatory", 305_000],
  ] as const) {
    const fresh = await scene().open();
    await fresh.context().addCookies(cookies);
    const bytes = await firstLoad(fresh, url, heading);
    assert.ok(bytes < most, `${url}: ${bytes} bytes of scripts, styles and fonts`);
  }
});

/** The bytes of a page until it has everything that it asks for by itself. */
async function firstLoad(page: Page, url: string, heading: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (!/\.(?:js|css|woff2)$/.test(response.url())) return;
    sizes.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(url);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  await page.evaluate("new Promise((done) => requestIdleCallback(done))");
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
