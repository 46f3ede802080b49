import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { environmentOf, NEW_MODEL, OLD_MODEL, startGate } from "../../server/test/support/reembedding.ts";
import { look } from "./support/look.ts";
import { openProject, setScene } from "./support/scene.ts";
import { openTab } from "./support/steps.ts";

const gate = await startGate();
const scene = setScene(environmentOf(gate.server));
after(() => gate.close());

test("a project is moved to another embedding model, which is seen, cancelled, and offered back", async () => {
  const page = await scene().open();
  const documents = [{ source_doc_id: "tides", text: "The tide turns at noon." }];
  const email = "move@mail.example";
  await openProject(page, scene(), { email, isSearchOnly: true, documents, tab: "ingest" });
  gate.hold(/tide/);
  await moveToNew(page);
  await openTab(page, "Settings");
  await page.getByRole("progressbar", { name: `Chunks moved to ${NEW_MODEL.name}` }).waitFor();
  await look(page, "settings-moving");
  await page.getByRole("button", { name: "Cancel the move" }).click();
  await page.getByRole("button", { name: "Cancel the move" }).waitFor({ state: "detached" });
  assert.equal(await page.getByRole("heading", { name: "Another embedding model" }).count(), 0);

  gate.hold(null);
  await moveToNew(page);
  await page.reload();
  await page.getByText(`${NEW_MODEL.name}, ${NEW_MODEL.dimensions} dimensions`).waitFor();
  await look(page, "settings-offered");
  await page.getByRole("button", { name: `Move to ${OLD_MODEL.name}` }).click();
  await page.getByText(`${OLD_MODEL.name}, ${OLD_MODEL.dimensions} dimensions`).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Another embedding model" }).count(), 0);
});

/** As another program would. */
async function moveToNew(page: Page): Promise<void> {
  const project = /prj_\w+/.exec(page.url())?.[0];
  const status = await page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(path, { method: "POST", headers, body })).status;
    },
    [`/api/v1/projects/${project}/reembed`, JSON.stringify({ embedding: NEW_MODEL.name })] as const,
  );
  assert.equal(status, 202);
}
