import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../server/test/support/ingestion.ts";
import { moveToFirms, pathOf } from "./support/firms.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";

const scene = setScene();

test("what was found of a type that is renamed in the editor stays under its new name", async () => {
  const page = await scene().open();
  const documents = [
    { source_doc_id: "one", text: "Nordvik Robotics is a company. Nordvik Robotics is based in Hamburg." },
  ];
  await openProject(page, scene(), { email: "renamed-type@mail.example", documents, tab: "settings" });
  const settings = page.url();
  const path = pathOf(page);
  await moveToFirms(page, scene().url, [], "Renamed firms");
  const entities = async (): Promise<string[]> => {
    const headers = { origin: scene().url, "sec-fetch-site": "same-origin" };
    const listed = await page.context().request.get(`${scene().url}${path}/entities`, { headers });
    const found: readonly { name: string; type: string }[] = (await listed.json()).entities;
    return found.map(({ name, type }) => `${type} ${name}`);
  };
  assert.ok((await entities()).includes("Firm Nordvik Robotics"), (await entities()).join());
  const markOf = async (type: string) => {
    await page.goto(settings.replace("settings", "graph?view=list"));
    const path = page.getByRole("cell", { name: type, exact: true }).locator("path");
    // The first names of types are known a moment after the list.
    await page.waitForLoadState("networkidle");
    return [await path.getAttribute("fill"), await path.getAttribute("d")];
  };
  const before = await markOf("Firm");
  await page.goto(`${scene().url}/ontologies`);
  await page.getByRole("link", { name: "Renamed firms", exact: true }).click();
  await page.getByRole("button", { name: /^Firm A company or firm/ }).click();
  const dialog = page.getByRole("dialog", { name: "Firm" });
  const kept = dialog.getByText("Keep what was found as Firm: texts are still read under that name");
  assert.equal(await kept.count(), 0, "before it has another name");
  await dialog.getByLabel("Name").fill("Zorb");
  await kept.waitFor();
  await look(page, "ontology-rename-type");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Save as a new version" }).click();
  await page.getByText(/^Version 2 was saved/).waitFor();
  await page.getByText("Observatory uses version 1.").waitFor();
  await look(page, "ontology-use-newest");
  await page.getByRole("button", { name: "Use version 2 in Observatory" }).click();
  await page.getByText("Firm is now called Zorb: 1 entity keeps its place under it.").waitFor();
  await page.getByText("Nothing has to leave the graph").waitFor();
  await look(page, "settings-renamed-type");
  await page.getByRole("dialog").getByRole("button", { name: "Change and read again" }).click();
  await page.getByText("Graph · Renamed firms").waitFor();
  await page.goto(settings);
  await page.getByText("Renamed firms, version 2").waitFor();
  await waitFor("the reading under the new name", async () =>
    (await entities()).includes("Zorb Nordvik Robotics") ? true : null,
  );
  assert.deepEqual(await markOf("Zorb"), before, "the colour and shape of the type");
  await page.goto(`${scene().url}/ontologies`);
  await page.getByRole("link", { name: "Renamed firms", exact: true }).click();
  await page.getByText("Used in Observatory.").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Use version/ }).count(), 0);
});
