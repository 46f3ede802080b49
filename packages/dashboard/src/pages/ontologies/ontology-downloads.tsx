import { serviceUrl } from "../../api/address.ts";
import { DownloadLinks } from "../../components/download-links.tsx";
import { Section } from "../../components/section.tsx";
import { fileFormats } from "./file-formats.ts";

/** Files of an ontology in every format. */
export function OntologyDownloads({
  ontologyId,
  name,
  version,
}: {
  readonly ontologyId: string;
  readonly name: string;
  /** Default: the newest. */
  readonly version?: number;
}) {
  const path = `api/v1/ontologies/${encodeURIComponent(ontologyId)}`;
  const ofVersion = version === undefined ? "" : `&version=${version}`;
  const hrefOf = (format: string) =>
    format === "json" ? `${path}?${ofVersion.slice(1)}` : `${path}/export?format=${format}${ofVersion}`;
  return (
    <Section
      title="Export"
      description={`Downloads ${version === undefined ? "the newest version as it was saved" : "this version"}. Other programs read these formats, and New ontology makes an ontology of them again.`}
    >
      <DownloadLinks
        links={fileFormats.map(({ value, label }) => ({
          label,
          href: serviceUrl(hrefOf(value)),
          ...(value === "json" && { name: `${name}.json` }),
        }))}
      />
    </Section>
  );
}
