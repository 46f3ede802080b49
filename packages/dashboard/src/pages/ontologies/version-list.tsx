import type { OntologyVersionList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ontologyVersionsQuery } from "../../api/ontologies.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { Section } from "../../components/section.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import styles from "./version-list.module.css";

/** The versions of an ontology, each with its page and with what changed in it. */
export function VersionList({ ontologyId }: { readonly ontologyId: string }) {
  const { data } = useQuery(ontologyVersionsQuery(ontologyId));
  if (data === undefined) return null;
  return (
    <Section
      title="Versions"
      action={
        data.versions.length > 1 && (
          <ButtonLink to="/ontologies/$ontologyId/compare" params={{ ontologyId }}>
            Compare versions
          </ButtonLink>
        )
      }
    >
      <Table
        label="Versions"
        columns={columnsOf(ontologyId)}
        rows={data.versions}
        keyOf={({ version }) => String(version)}
      />
    </Section>
  );
}

const columnsOf = (ontologyId: string): readonly Column<OntologyVersionList["versions"][number]>[] => [
  {
    title: "Version",
    cell: ({ version }) => version,
  },
  { title: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Projects", isNumber: true, cell: ({ projects }) => projects.toLocaleString("en") },
  { title: "Saved", cell: ({ created_at: at }) => <Time at={at} /> },
  { title: "Actions", isAction: true, cell: ({ version }) => <Actions {...{ ontologyId, version }} /> },
];

function Actions({ ontologyId, version }: { readonly ontologyId: string; readonly version: number }) {
  return (
    <span className={styles.actions}>
      {version > 1 && (
        <Link
          to="/ontologies/$ontologyId/compare"
          params={{ ontologyId }}
          search={{ before: version - 1, after: version }}
          aria-label={`What changed in version ${version}`}
        >
          What changed
        </Link>
      )}
      <Link
        to="/ontologies/$ontologyId/versions/$version"
        params={{ ontologyId, version: String(version) }}
        aria-label={`Open version ${version}`}
      >
        Open
      </Link>
    </span>
  );
}
