import { serviceUrl } from "../../../api/address.ts";
import { DownloadLinks } from "../../../components/download-links.tsx";
import { Section } from "../../../components/section.tsx";

const files = [
  { label: "JSON-LD", query: "format=jsonld" },
  { label: "GraphML", query: "format=graphml" },
  { label: "Entities as CSV", query: "format=csv&part=entities" },
  { label: "Relationships as CSV", query: "format=csv&part=relationships" },
  { label: "Associations as CSV", query: "format=csv&part=associations" },
  { label: "Proposed relationships as CSV", query: "format=csv&part=proposals" },
] as const;

export function GraphExport({ projectId }: { readonly projectId: string }) {
  const path = `api/v1/projects/${encodeURIComponent(projectId)}/graph/export`;
  return (
    <Section title="Export" description="Downloads the whole graph with its evidence.">
      <DownloadLinks
        links={files.map(({ label, query }) => ({ label, href: serviceUrl(`${path}?${query}`) }))}
      />
    </Section>
  );
}
