import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { makePdf } from "../../server/test/files/make-pdf.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { openTab } from "./support/steps.ts";

const scene = setScene();

function pageOf(lines: readonly string[]) {
  return lines.map((text, at) => ({ text, at: [60, 720 - 18 * at] as [number, number], size: 12 }));
}

const DREDGED = "The harbour of Kestrel Bay was dredged in May after the winter storms";
const PAGES = [
  pageOf(["The pilots meet every Monday.", "They speak about the tides and the lamps."]),
  pageOf([DREDGED, "and the quay was closed for nine days.", "Fees were not raised."]),
];

/** How many pixels of the page have the colour of the mark. */
function markedPixels(page: Page): Promise<number> {
  return page.evaluate<number>(`{
    const canvas = document.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    data.filter((red, at) => at % 4 === 0 && red === 0xff && data[at + 1] === 0xe2 && data[at + 2] === 0x8a).length;
  }`);
}

test("a citation of a PDF leads to its page, with the passage marked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-pdf-"));
  await writeFile(join(folder, "harbour.pdf"), makePdf(PAGES));
  const page = await scene().open();
  await openProject(page, scene(), { email: "pdf@mail.example", isSearchOnly: true, tab: "ingest" });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles(join(folder, "harbour.pdf"));
  await page.getByText("1 of 1 done").waitFor();

  await openTab(page, "Documents");
  await page.getByRole("link", { name: "harbour.pdf" }).click();
  assert.equal(await page.locator("canvas").count(), 0);
  await page.getByText("Pages of the file").click();
  await page.getByText("Page 1 of 2").waitFor();
  await page.getByRole("img", { name: "Page 1 of harbour.pdf. Its text is below." }).waitFor();

  await openTab(page, "Ask");
  await page
    .getByRole("searchbox")
    .or(page.getByRole("textbox"))
    .first()
    .fill("When was the harbour dredged?");
  await page.keyboard.press("Enter");
  await page
    .getByRole("link", { name: /harbour\.pdf/ })
    .first()
    .click();
  const marked = page.getByRole("img", { name: /^Page 2 of harbour\.pdf, with the passage marked/ });
  await marked.waitFor();
  assert.ok((await markedPixels(page)) > 500);
  const isSeen =
    "const { top } = document.querySelector('canvas').getBoundingClientRect(); top < innerHeight && top > 0";
  assert.equal(await page.evaluate(`{ ${isSeen} }`), true);
  await look(page, "pdf-page");
  const shared = new URL(page.url());
  shared.searchParams.set("chunk", "99.9");
  await page.goto(shared.href);
  // Of a text that was read again since: the chunk is gone, the sentence is not.
  await marked.waitFor();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("img", { name: "Page 1 of harbour.pdf. Its text is below." }).waitFor();
  assert.equal(await markedPixels(page), 0);
  await rm(folder, { recursive: true });
});
