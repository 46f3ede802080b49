import { Download } from "lucide-react";
import { serviceUrl } from "../../../api/address.ts";
import { Section } from "../../../components/section.tsx";
import styles from "./graph-export.module.css";

const files = [
  { label: "JSON-LD", query: "format=jsonld" },
  { label: "GraphML", query: "format=graphml" },
  { label: "Entities as CSV", query: "format=csv&part=entities" },
  { label: "Relationships as CSV", query: "format=csv&part=relationships" },
  { label: "Associations as CSV", query: "format=csv&part=associations" },
  { label: "Proposed relationships as CSV", query: "format=csv&part=proposals" },
] as const;

/** Download links, so that the browser streams the file to disk, whatever its size. */
export function GraphExport({ projectId }: { readonly projectId: string }) {
  const path = `api/v1/projects/${encodeURIComponent(projectId)}/graph/export`;
  return (
    <Section title="Export" description="Downloads the whole graph with its evidence.">
      <ul className={styles.files}>
        {files.map(({ label, query }) => (
          <li key={query}>
            <a className={styles.file} href={serviceUrl(`${path}?${query}`)} download>
              <Download aria-hidden size={14} /> {label}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
