/** What people do in a project, step by step. */
import type { Locator, Page } from "playwright-core";

/** An answer without it is taken for that of a proxy. */
export const OWN = { "x-request-id": "req_1" } as const;

export async function createProject(
  page: Page,
  name: string,
  kind: "Graph and search" | "Search",
): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await page.getByRole("button", { name: "New project" }).first().click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("radio", { name: new RegExp(`^${kind}`) }).check({ force: true });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

export function openTab(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Project" }).getByRole("link", { name }).click();
}

export async function paste(page: Page, name: string, text: string): Promise<void> {
  await openTab(page, "Ingest");
  await page.getByRole("tab", { name: "Paste a text" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Text", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Add the text" }).click();
}

/** Drags a file or folder of this machine onto what is at a place of the page, and lets it go there. */
export async function dropOn(page: Page, target: Locator, path: string): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error("There is nothing to drop on.");
  const session = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...place, data });
}

/** On the page of an ontology. */
export async function addType(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a type" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.waitFor({ state: "detached" });
}
