import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { boundProjectsQuery, ontologiesQuery, ontologyVersionsQuery } from "../api/ontologies.ts";
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
import { readyMade } from "./ontologies/ready-made.ts";
import { UsedIn } from "./ontologies/used-in.tsx";

export function OntologiesPage() {
  const { data, error } = useQuery(ontologiesQuery);
  const [deleted, setDeleted] = useState<ListedOntology | null>(null);
  const actions = (
    <>
      <ButtonLink to="/ontologies/suggest">Suggest an ontology</ButtonLink>
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
        <EmptyState title="No ontology of yours yet">
          An ontology is optional: without one, the types of a graph come from the texts.{" "}
          <Link to="/ontologies/new">Begin with one of {readyMade.length} ready-made ones</Link> (
          {readyMade.map(({ label }) => label).join(", ")}), or let one be{" "}
          <Link to="/ontologies/suggest">suggested</Link>.
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

/** Asked for when the row is in view. */
function Projects({ ontologyId }: { readonly ontologyId: string }) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const { data } = useQuery({ ...boundProjectsQuery(ontologyId), enabled: isSeen });
  return (
    <span ref={ref}>
      {data === undefined ? "–" : data.count === 0 ? "no project" : <UsedIn projects={data} />}
    </span>
  );
}

/** Of the newest version. The row's projects have read it. */
function Version({ ontologyId }: { readonly ontologyId: string }) {
  const { data } = useQuery({ ...ontologyVersionsQuery(ontologyId), enabled: false });
  return data?.versions[0]?.version ?? "–";
}

/** Only for an ontology that is known to be in no project: the service refuses others. */
function DeleteButton({
  ontology: { id, name },
  onPress,
}: {
  readonly ontology: ListedOntology;
  readonly onPress: () => void;
}) {
  const { data } = useQuery({ ...boundProjectsQuery(id), enabled: false });
  return (
    <Button
      size="icon"
      variant="quietDanger"
      aria-label={`Delete ${name}`}
      isDisabled={data?.count !== 0}
      onPress={onPress}
    >
      <Trash2 aria-hidden size={16} />
    </Button>
  );
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
  { title: "Version", isNumber: true, cell: ({ id }) => <Version ontologyId={id} /> },
  { title: "Used in", cell: ({ id }) => <Projects ontologyId={id} /> },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: "Actions",
    isAction: true,
    cell: (ontology) => <DeleteButton ontology={ontology} onPress={() => onDelete(ontology)} />,
  },
];
