import type { GraphFit } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { graphFitQuery, projectStatsQuery, rereadQuery } from "../../../api/projects.ts";
import { Notice } from "../../../components/notice.tsx";
import { PageFault } from "../../../components/page-fault.tsx";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { wordsOf } from "../graph/link-text.ts";

/** What extraction found in the documents but the ontology has no type for, the most frequent first. */
export function FitReport({ projectId }: { readonly projectId: string }) {
  const { data, error } = useQuery(graphFitQuery(projectId));
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const { data: reread } = useQuery(rereadQuery(projectId));
  const isUnread = stats?.chunks === 0 || (reread?.status === "running" && reread.documents_processed === 0);
  return (
    <Section
      title="Fit of the ontology"
      description="What the documents mention but the ontology has no type for, the most frequent first."
    >
      {error !== null ? (
        <PageFault error={error} />
      ) : data === undefined || stats === undefined ? (
        <Skeleton />
      ) : data.entities.length + data.relationships.length + data.dropped.length === 0 ? (
        <Notice>
          {isUnread ? "No document was read yet." : "The ontology has a type for everything found so far."}
        </Notice>
      ) : (
        <>
          {data.entities.length > 0 && (
            <Table
              label="Entities without a type"
              columns={entityColumns}
              rows={data.entities}
              keyOf={({ type }) => type}
            />
          )}
          {data.relationships.length > 0 && (
            <Table
              label="Relationships without a type"
              columns={relationshipColumns}
              rows={data.relationships}
              keyOf={({ source_type: source, type, target_type: target }) => `${source}/${type}/${target}`}
            />
          )}
          {data.dropped.length > 0 && (
            <Table
              label="Rejected statements of the language model"
              columns={droppedColumns}
              rows={data.dropped}
              keyOf={({ reason }) => reason}
            />
          )}
        </>
      )}
    </Section>
  );
}

const entityColumns: readonly Column<GraphFit["entities"][number]>[] = [
  { title: "Entities of type", cell: ({ type }) => type },
  { title: "Found", isNumber: true, cell: ({ count }) => count.toLocaleString("en") },
  { title: "For example", cell: ({ example }) => example },
];

const relationshipColumns: readonly Column<GraphFit["relationships"][number]>[] = [
  {
    title: "Relationships of type",
    cell: ({ source_type: source, type, target_type: target }) => (
      <>
        {source} <strong>{wordsOf(type)}</strong> {target}
      </>
    ),
  },
  { title: "Found", isNumber: true, cell: ({ count }) => count.toLocaleString("en") },
  { title: "For example", cell: ({ example }) => example },
];

const droppedColumns: readonly Column<GraphFit["dropped"][number]>[] = [
  { title: "Rejected, because", cell: ({ reason }) => reason },
  { title: "Count", isNumber: true, cell: ({ count }) => count.toLocaleString("en") },
  { title: "For example", cell: ({ example }) => example },
];
