import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { waitFor } from "../../../server/test/support/ingestion.ts";
import { post } from "./scene.ts";

/** The documents of the project that the page shows are read under an ontology that has firms and no organizations. */
export async function moveToFirms(
  page: Page,
  url: string,
  edges: readonly object[],
  name = "Firms",
): Promise<void> {
  const path = pathOf(page);
  const types = { Person: { properties: [] }, Firm: { properties: [], description: "A company or firm" } };
  const schema = { ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: edges } };
  const { id } = await post(page, url, "/api/v1/ontologies", { name, schema });
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const requests = page.context().request;
  const bound = await requests.patch(`${url}${path}`, { data: { ontology_id: id }, headers });
  assert.ok(bound.ok(), await bound.text());
  await waitFor("the end of the reading", async () => {
    const { status } = await (await requests.get(`${url}${path}/reread`, { headers })).json();
    return status === "completed" ? true : null;
  });
}

export function pathOf(page: Page): string {
  return `/api/v1/projects/${new URL(page.url()).pathname.split("/")[2]}`;
}
