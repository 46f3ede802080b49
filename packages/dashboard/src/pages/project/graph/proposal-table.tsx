import type { Proposal } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { proposalsPage, proposalsQuery } from "../../../api/graph.ts";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Pager } from "../../../components/pager.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { useRange } from "../../../components/use-range.ts";
import { JudgeRelationship } from "../entity/judge-relationship.tsx";
import { confirmEffects, isTaken } from "./confirm-effect.ts";
import { EntityLink } from "./entity-link.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { JudgeSelected } from "./judge-selected.tsx";
import { wordsOf } from "./link-text.ts";
import { factOf, keyOf, maxJudged, type Proposals, percentWords, selectedWith } from "./proposal-key.ts";
import styles from "./proposal-table.module.css";
import { TypeMark } from "./type-mark.tsx";

const none: Proposals = new Map();

/** Relationships that are not sure enough for the graph, each beside the sentences that state it. */
export function ProposalTable({ projectId }: { readonly projectId: string }) {
  const [from, setFrom] = useState(0);
  const [selected, setSelected] = useState(none);
  const { data, error } = useQuery(proposalsQuery(projectId, from));
  const rows = data?.proposals ?? [];
  const range = useRange(rows, keyOf);
  if (error !== null) return <Notice kind="bad">{error.message}</Notice>;
  if (data === undefined) return <Skeleton lines={6} />;
  if (data.total === 0)
    return (
      <EmptyState title="No relationship is proposed">
        Relationships that the documents state less surely than those of the graph are listed here.
      </EmptyState>
    );
  return (
    <div className={styles.page}>
      <p className={styles.why}>
        They wait here because no sentence makes them 80 % probable, from which on a relationship is in the
        graph by itself (KCS_CONFIDENCE sets another limit). Confirm puts one into the graph and its answers,
        Reject leaves it out; both teach how others of the type are judged.
      </p>
      <Table
        label="Proposed relationships"
        columns={columnsFor(projectId, { rows, selected, onSelect: setSelected, ...range })}
        rows={rows}
        keyOf={keyOf}
      />
      {selected.size > 0 && (
        <JudgeSelected projectId={projectId} selected={selected} onDone={() => setSelected(none)} />
      )}
      <Pager from={from} shown={rows.length} pageSize={proposalsPage} total={data.total} onChange={setFrom} />
    </div>
  );
}

interface Listed extends ReturnType<typeof useRange<Proposal>> {
  readonly rows: readonly Proposal[];
  readonly selected: Proposals;
  readonly onSelect: (selected: Proposals) => void;
}

function columnsFor(
  projectId: string,
  { rows, selected, onSelect, rangeTo, watch }: Listed,
): readonly Column<Proposal>[] {
  const count = rows.filter((each) => selected.has(keyOf(each))).length;
  const isFull = selected.size >= maxJudged;
  return [
    {
      title: "Proposed relationship",
      head: (
        <span className={styles.all}>
          <CheckboxField
            label="Select all of this page"
            isLabelHidden
            isSelected={count === rows.length}
            isIndeterminate={count > 0 && count < rows.length}
            isDisabled={isFull && count === 0}
            onChange={(isOn) => onSelect(selectedWith(selected, rows, isOn))}
          />
        </span>
      ),
      cell: (proposal) => (
        <div className={styles.pick}>
          <span {...watch}>
            <CheckboxField
              label={`Select: ${factOf(proposal)}`}
              isLabelHidden
              isSelected={selected.has(keyOf(proposal))}
              isDisabled={isFull && !selected.has(keyOf(proposal))}
              onChange={(isOn) => onSelect(selectedWith(selected, rangeTo(proposal), isOn))}
            />
          </span>
          <div>
            <End projectId={projectId} end={proposal.source} /> <strong>{wordsOf(proposal.type)}</strong>{" "}
            <End projectId={projectId} end={proposal.target} />
            <Effects of={proposal} />
          </div>
        </div>
      ),
    },
    {
      title: "Probability",
      isNumber: true,
      cell: ({ confidence }) => percentWords(confidence),
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
}

/** With its type. The graph need not have it yet. */
function End({ projectId, end }: { readonly projectId: string; readonly end: Proposal["source"] }) {
  const { name, type } = end;
  const used = isTaken(end) ? end.same_name.find((other) => other.type === end.confirmed_type) : undefined;
  const entity = end.entity_id === null ? used : { entity_id: end.entity_id, type };
  return (
    <>
      {entity === undefined ? (
        <bdi title="Not in the graph yet">{name}</bdi>
      ) : (
        <EntityLink
          projectId={projectId}
          entityId={entity.entity_id}
          called={{ name, type: entity.type }}
          place="page"
        />
      )}{" "}
      <span className={styles.type}>
        <TypeMark type={type} /> {type}
      </span>
    </>
  );
}

function Effects({ of }: { readonly of: Proposal }) {
  const effects = confirmEffects(of);
  if (effects.length === 0) return null;
  return (
    <ul className={styles.effects}>
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  );
}
