import { graphFiles } from "../../../api/graph-files.ts";
import { DownloadLinks } from "../../../components/download-links.tsx";
import { Section } from "../../../components/section.tsx";

export function GraphExport({ projectId }: { readonly projectId: string }) {
  return (
    <Section title="Export" description="Downloads the whole graph with its evidence.">
      <DownloadLinks links={graphFiles(projectId)} />
    </Section>
  );
}
