import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { look } from "./support/look.ts";
import { openProject, setScene, signUp } from "./support/scene.ts";
import { createProject, dropOn, openTab, paste } from "./support/steps.ts";

const scene = setScene();

test("a folder that is dropped or chosen is sent with all that is below it, named by their paths", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-drop-"));
  const logbooks = join(folder, "logbooks");
  await mkdir(join(logbooks, "1912", "may"), { recursive: true });
  await writeFile(join(logbooks, "index.md"), "The index of all logbooks.");
  await writeFile(join(logbooks, "1912", "may", "ilse.txt"), "The Ilse left at dawn.");
  await writeFile(join(logbooks, "1912", "chart.bin"), Buffer.from([0, 255, 0]));
  const page = await scene().open();
  const email = "folders@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, tab: "ingest" });
  await dropOn(page, page.getByText("Drop files or folders here"), logbooks);
  await page.getByText("3 of 3 done, 1 of them failed").waitFor();
  await page.getByRole("cell", { name: "logbooks/1912/chart.bin" }).waitFor();
  for (const name of ["logbooks/index.md", "logbooks/1912/may/ilse.txt"])
    await page.getByRole("cell", { name }).waitFor();

  await createProject(page, "Chosen", "Search");
  await openTab(page, "Ingest");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await (await chooser).setFiles(logbooks);
  await page.getByText("3 of 3 done, 1 of them failed").waitFor();
  await page.getByRole("cell", { name: "logbooks/1912/may/ilse.txt" }).waitFor();
  await rm(folder, { recursive: true });
});

test("a file with nothing in it is counted, and named until somebody dismisses that or sends others", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "empty@mail.example", isSearchOnly: true, tab: "ingest" });
  const choose = async (files: Readonly<Record<string, string>>) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).click();
    await (await chooser).setFiles(
      Object.entries(files).map(([name, text]) => ({
        ...{ name, mimeType: "text/plain", buffer: Buffer.from(text) },
      })),
    );
  };
  await choose({ "tides.txt": "The tide turns.", "boats.txt": "A ferry leaves.", "blank.txt": " \n" });
  await page.getByText("2 of 3 done, 1 not sent").waitFor();
  const note = page.getByText("Not sent, because there is nothing in it: blank.txt.");
  await note.waitFor();
  await look(page, "ingest-empty");
  await openTab(page, "Documents");
  await page.getByRole("link", { name: "tides.txt" }).waitFor();
  await openTab(page, "Ingest");
  await note.waitFor();
  await page.reload();
  await note.waitFor();
  await page.getByRole("button", { name: "Dismiss what was not sent" }).click();
  await note.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Choose files" }).waitFor();
  assert.equal(await note.count(), 0);
  await choose({ "blank.txt": "" });
  await note.waitFor();
  await choose({ "winds.txt": "The wind turns." });
  await page.getByText("1 of 1 done").waitFor();
  assert.equal(await note.count(), 0);
});

test("another file is sent for one that failed, on its page and under its name", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "again@mail.example", tab: "ingest" });
  const choose = async (button: string, name: string, text: string) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: button }).click();
    await (await chooser).setFiles([{ name, mimeType: "application/pdf", buffer: Buffer.from(text) }]);
  };
  assert.match(
    (await page.locator("[data-rac]").getByRole("button").first().getAttribute("aria-label")) ?? "",
    /^Add files/,
  );
  await choose("Choose files", "harbour-rates.pdf", "%PDF-1.4 and no more");
  await page.getByText("1 of 1 done, 1 of them failed").waitFor();
  const failed = await page.getByRole("link", { name: "1 of them failed" }).getAttribute("href");
  assert.match(failed ?? "", /documents\?state=failed/);
  await openTab(page, "Documents");
  const listed = page.getByRole("table", { name: "Documents", exact: true });
  const link = listed.getByRole("link", { name: "harbour-rates.pdf" });
  const box = await link.boundingBox();
  assert.ok(box !== null && box.height < 30, "the name is in one line, whatever the error says");
  await look(page, "documents-name");
  await openTab(page, "Overview");
  await page.getByRole("link", { name: "and 1 failed or cancelled" }).click();
  await page.waitForURL(/documents\?state=failed$/);
  await link.click();
  await page.getByText("Nothing was read from it.").waitFor();
  await look(page, "document-failed");
  await choose("Send another file", "empty.txt", " ");
  await page.getByRole("alert").getByText("The file “empty.txt” is empty.").waitFor();
  await choose(
    "Send another file",
    "rates, second try.txt",
    "A berth costs nine crowns. Odile Brandt works for Larkspur Mill.",
  );
  await page.getByRole("region", { name: "Text" }).getByText("A berth costs nine crowns.").waitFor();
  await page.getByRole("region", { name: "Entities" }).getByRole("link", { name: "Odile Brandt" }).waitFor();
  await page.getByRole("heading", { name: "harbour-rates.pdf" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Send another file" }).count(), 0);
  await choose("Replace the file", "third try.html", "<p>A berth costs ten crowns.</p>");
  await page.getByRole("link", { name: /^third try\.html \(/ }).waitFor();
  await page.getByRole("region", { name: "Text" }).getByText("A berth costs ten crowns.").waitFor();
});

test("the file of a good document is replaced on its page, which keeps its name and metadata", async () => {
  const page = await scene().open();
  const documents = [
    {
      source_doc_id: "rates.txt",
      text: "A berth costs nine crowns.",
      metadata: { port: "Orrin", ocr_pages: 3 },
    },
  ];
  await openProject(page, scene(), { email: "replaced@mail.example", documents, tab: "documents" });
  await page.getByRole("link", { name: "rates.txt" }).click();
  await page.getByText("A berth costs nine crowns.").waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Replace the file" }).click();
  const buffer = Buffer.from("A berth costs twelve crowns.");
  await (await chooser).setFiles([{ name: "new rates.txt", mimeType: "text/plain", buffer }]);
  await page
    .getByText("“new rates.txt” was accepted. It replaces the text of “rates.txt” when it has been read.")
    .waitFor();
  await page.getByText("A berth costs twelve crowns.").waitFor();
  await page.getByText("Orrin", { exact: true }).waitFor();
  assert.equal(await page.getByText("ocr_pages").count(), 0);
  await page.getByRole("button", { name: "Replace the file" }).waitFor();
  await look(page, "document-replaced");
});

test("a pasted file of a format is read like the file, and the next text begins at its name", async () => {
  const page = await scene().open();
  await openProject(page, scene(), { email: "pasted@mail.example", isSearchOnly: true, tab: "ingest" });
  await paste(page, "letter", "{\\rtf1\\ansi The boats are kept in the house.}");
  await page.getByText(/The file is in the format RTF; save it as DOCX or PDF/).waitFor();
  await page.getByRole("textbox", { name: "Name" }).and(page.locator(":focus")).waitFor();
});

test("of many projects only those that are seen are counted, and one is found by its name", async () => {
  const page = await scene().open();
  await signUp(page, scene(), "many@mail.example");
  await createProject(page, "Last of all", "Search");
  await page.evaluate(async () => {
    for (let at = 0; at < 60; at++) {
      const body = JSON.stringify({ name: `Project ${at}`, vector_only: true });
      await fetch("/api/v1/projects", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    }
  });
  const counted = new Set<string>();
  page.on("request", (sent) => sent.url().endsWith("/stats") && counted.add(sent.url()));
  await page.goto(`${scene().url}/projects`);
  await page.getByText("1–50 of 61").waitFor();
  await page
    .getByRole("row", { name: /^Project 59 / })
    .getByRole("cell", { name: "0" })
    .first()
    .waitFor();
  assert.ok(counted.size > 0 && counted.size < 25, `${counted.size} requests`);
  await look(page, "projects-many");
  await page.getByRole("searchbox", { name: "Find by name" }).fill("last of");
  await page.getByRole("link", { name: "Last of all" }).waitFor();
  await page.getByRole("searchbox", { name: "Find by name" }).fill("no such");
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("1–50 of 61").waitFor();
});
