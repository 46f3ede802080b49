/** The files in which the service gives a whole graph with its evidence. */
import { serviceUrl } from "./address.ts";

const files = [
  { label: "JSON-LD", query: "format=jsonld" },
  { label: "GraphML", query: "format=graphml" },
  { label: "Entities as CSV", query: "format=csv&part=entities" },
  { label: "Relationships as CSV", query: "format=csv&part=relationships" },
  { label: "Associations as CSV", query: "format=csv&part=associations" },
  { label: "Proposed relationships as CSV", query: "format=csv&part=proposals" },
] as const;

export function graphFiles(projectId: string): readonly { readonly label: string; readonly href: string }[] {
  const path = `api/v1/projects/${encodeURIComponent(projectId)}/graph/export`;
  return files.map(({ label, query }) => ({ label, href: serviceUrl(`${path}?${query}`) }));
}
