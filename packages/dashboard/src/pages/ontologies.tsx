import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ontologiesQuery } from "../api/ontologies.ts";
import { ButtonLink } from "../components/button-link.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";

export function OntologiesPage() {
  const { data, error } = useQuery(ontologiesQuery);
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
        <Table label="Ontologies" columns={columns} rows={data.ontologies} keyOf={({ id }) => id} />
      )}
    </>
  );
}

interface ListedOntology {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

const columns: readonly Column<ListedOntology>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link to="/ontologies/$ontologyId" params={{ ontologyId: id }}>
        {name}
      </Link>
    ),
  },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
];
