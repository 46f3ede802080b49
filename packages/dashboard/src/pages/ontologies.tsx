import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { ontologiesQuery, ontologyVersionsQuery } from "../api/ontologies.ts";
import { Button } from "../components/button.tsx";
import { ButtonLink } from "../components/button-link.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { useSeen } from "../components/use-seen.ts";
import { DeleteOntologyDialog } from "./ontologies/delete-ontology-dialog.tsx";

export function OntologiesPage() {
  const { data, error } = useQuery(ontologiesQuery);
  const [deleted, setDeleted] = useState<ListedOntology | null>(null);
  const actions = (
    <>
      <ButtonLink to="/ontologies/suggest">Suggest from a use case</ButtonLink>
      <ButtonLink to="/ontologies/new" variant="primary">
        New ontology
      </ButtonLink>
    </>
  );
  return (
    <>
      <PageHeader
        title="Ontologies"
        description="An ontology defines which types of entities and relationships a graph may have. Several projects can share one."
      >
        {actions}
      </PageHeader>
      {error !== null ? (
        <PageFault error={error} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : data.ontologies.length === 0 ? (
        <EmptyState title="No ontology yet">
          An ontology is optional: without one, the types of a graph come from the texts. Create one when you
          know what you are looking for.
        </EmptyState>
      ) : (
        <Table
          label="Ontologies"
          columns={columnsOf(setDeleted)}
          rows={data.ontologies}
          keyOf={({ id }) => id}
        />
      )}
      {deleted !== null && <DeleteOntologyDialog ontology={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

/** Of all versions; asked for when the row is in view. */
function ProjectCount({ ontologyId }: { readonly ontologyId: string }) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const { data } = useQuery({ ...ontologyVersionsQuery(ontologyId), enabled: isSeen });
  const count = data?.versions.reduce((sum, { projects }) => sum + projects, 0);
  return <span ref={ref}>{count?.toLocaleString("en") ?? "–"}</span>;
}

interface ListedOntology {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

const columnsOf = (onDelete: (ontology: ListedOntology) => void): readonly Column<ListedOntology>[] => [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link to="/ontologies/$ontologyId" params={{ ontologyId: id }}>
        {name}
      </Link>
    ),
  },
  { title: "Projects", isNumber: true, cell: ({ id }) => <ProjectCount ontologyId={id} /> },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: "Actions",
    isAction: true,
    cell: (ontology) => (
      <Button
        size="icon"
        variant="quietDanger"
        aria-label={`Delete ${ontology.name}`}
        onPress={() => onDelete(ontology)}
      >
        <Trash2 aria-hidden size={16} />
      </Button>
    ),
  },
];
