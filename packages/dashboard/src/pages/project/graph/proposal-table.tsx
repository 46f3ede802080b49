import type { ProposalList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { proposalsPage, proposalsQuery } from "../../../api/graph.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Pager } from "../../../components/pager.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { JudgeRelationship } from "../entity/judge-relationship.tsx";
import { EntityLink } from "./entity-link.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { wordsOf } from "./link-text.ts";

type Proposal = ProposalList["proposals"][number];

/** Relationships that are not sure enough for the graph, each beside the sentences that state it. */
export function ProposalTable({ projectId }: { readonly projectId: string }) {
  const [from, setFrom] = useState(0);
  const { data, error } = useQuery(proposalsQuery(projectId, from));
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton lines={6} />;
  if (data.total === 0)
    return (
      <EmptyState title="No relationship is proposed">
        Relationships that the documents state less surely than those of the graph are listed here.
      </EmptyState>
    );
  const columns: readonly Column<Proposal>[] = [
    {
      title: "Proposed relationship",
      cell: ({ source, type, target }) => (
        <span>
          <End projectId={projectId} end={source} /> <strong>{wordsOf(type)}</strong>{" "}
          <End projectId={projectId} end={target} />
        </span>
      ),
    },
    {
      title: "Probability",
      isNumber: true,
      cell: ({ confidence }) => `${Math.round(confidence * 100)} %`,
    },
    {
      title: "Sentence",
      cell: ({ evidence }) => <EvidenceList projectId={projectId} items={evidence} />,
    },
    {
      title: "Actions",
      isAction: true,
      isWide: true,
      cell: (proposal) => <JudgeRelationship projectId={projectId} relationship={proposal} />,
    },
  ];
  return (
    <>
      <Table label="Proposed relationships" columns={columns} rows={data.proposals} keyOf={keyOf} />
      <Pager
        from={from}
        shown={data.proposals.length}
        pageSize={proposalsPage}
        total={data.total}
        onChange={setFrom}
      />
    </>
  );
}

/** The graph need not have it yet. */
function End({ projectId, end }: { readonly projectId: string; readonly end: Proposal["source"] }) {
  const { entity_id: id, name } = end;
  return id === null ? (
    <bdi>{name}</bdi>
  ) : (
    <EntityLink projectId={projectId} entityId={id} called={end} place="page" />
  );
}

/** Entities have one name and type, and names that are none are told apart by both. */
function keyOf({ source, type, target }: Proposal): string {
  return [source, target]
    .map(({ entity_id: id, name, type: kind }) => id ?? `${kind}/${name}`)
    .concat(type)
    .join("/");
}
