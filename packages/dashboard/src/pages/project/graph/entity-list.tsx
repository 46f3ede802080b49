import type { Entity } from "@kcs/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { entityListingQuery } from "../../../api/entity-listing.ts";
import { entitiesPage, unrelatedQuery } from "../../../api/graph.ts";
import { projectStatsQuery } from "../../../api/projects.ts";
import type { RankedEntity } from "../../../api/ranked-entities.ts";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Pager } from "../../../components/pager.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { Select } from "../../../components/select.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { EntityLink } from "./entity-link.tsx";
import styles from "./entity-list.module.css";
import type { GraphAddress } from "./graph-address.ts";
import { listingWords, unrelatedWords } from "./listing-words.ts";
import { TypeMark } from "./type-mark.tsx";

const every = " ";

type Listing = Pick<GraphAddress, "name" | "type" | "alone" | "from">;

/** All entities, the best connected first, found by name and type, and those without relationships. */
export function EntityList({
  projectId,
  address: { name = "", type, alone = false, from = 0 },
  onChange,
}: {
  readonly projectId: string;
  readonly address: Listing;
  readonly onChange: (listing: Listing) => void;
}) {
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const { rows, total, words, error } = useRows(projectId, { name, type: type ?? null, from, alone });
  const isFiltered = alone || name !== "" || type !== undefined;
  const shown = {
    ...(name === "" || alone ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(alone ? { alone } : {}),
  };
  const search = useCallback(
    (text: string) =>
      onChange({ ...(text === "" ? {} : { name: text }), ...(type === undefined ? {} : { type }) }),
    [onChange, type],
  );
  const types = [
    { value: every, label: "All types" },
    ...(stats?.entities_by_type ?? []).map((each) => ({
      value: each.type,
      label: `${each.type} (${each.count.toLocaleString("en")})`,
    })),
  ];
  return (
    <div className={styles.list}>
      <div className={styles.controls}>
        <SearchField label="Find by name" value={alone ? "" : name} onSearch={search} />
        <Select
          label="Type"
          isLabelHidden
          options={types}
          value={type ?? every}
          onChange={(value) => {
            const { type: _before, ...others } = shown;
            onChange(value === every ? others : { ...others, type: value });
          }}
        />
        <CheckboxField
          label="Without relationships"
          isSelected={alone}
          onChange={(isOn) =>
            onChange({ ...(type === undefined ? {} : { type }), ...(isOn ? { alone: true } : {}) })
          }
        />
        <p role="status" className={styles.count}>
          {words}
        </p>
      </div>
      {error !== null && <Notice kind="bad">{error.message}</Notice>}
      {rows === undefined ? (
        error === null && <Skeleton lines={8} />
      ) : total === 0 ? (
        <NoEntity isFiltered={isFiltered} hasEntities={types.length > 1} isAlone={alone} />
      ) : (
        <>
          <Table
            label="Entities"
            columns={columnsFor(projectId, alone)}
            rows={rows}
            keyOf={({ entity_id: id }) => id}
          />
          <Pager
            from={from}
            shown={rows.length}
            pageSize={entitiesPage}
            total={total}
            onChange={(start) => onChange({ ...shown, ...(start === 0 ? {} : { from: start }) })}
          />
        </>
      )}
    </div>
  );
}

/** Before the first document is read there is none, whatever is searched for. */
function NoEntity({
  isFiltered,
  hasEntities,
  isAlone,
}: {
  readonly isFiltered: boolean;
  readonly hasEntities: boolean;
  readonly isAlone: boolean;
}) {
  if (!isFiltered || !hasEntities)
    return (
      <EmptyState title="No entity yet">
        Entities are listed here as soon as a document that names some has been read.
      </EmptyState>
    );
  return (
    <EmptyState title="No entity">
      {isAlone ? "Each entity has a relationship." : "No entity has this name and type."}
    </EmptyState>
  );
}

type Row = RankedEntity & Partial<Pick<Entity, "chunks">>;

interface Rows {
  /** undefined: they are being read. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
  readonly words: string;
  readonly error: Error | null;
}

function useRows(
  projectId: string,
  listing: {
    readonly name: string;
    readonly type: string | null;
    readonly from: number;
    readonly alone: boolean;
  },
): Rows {
  const { name, type, from, alone } = listing;
  const client = useQueryClient();
  const ranked = useQuery({
    ...entityListingQuery(client, projectId, { find: name, type, from }),
    enabled: !alone,
  });
  const unrelated = useQuery({ ...unrelatedQuery(projectId, listing), enabled: alone });
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  if (!alone) {
    const { data, error } = ranked;
    const kind = name !== "" ? "search" : type === null ? "all" : "of type";
    const words = data === undefined ? "" : listingWords({ ...data, kind });
    return { rows: data?.entities, total: data?.listed ?? 0, words, error };
  }
  const { data, error } = unrelated;
  const counts = stats?.entities_by_type.filter((each) => type === null || each.type === type) ?? [];
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const words = data === undefined || stats === undefined ? "" : unrelatedWords({ found: data.total, all });
  const rows = data?.entities.map((entity) => ({ ...entity, relationships: 0 }));
  return { rows, total: data?.total ?? 0, words, error };
}

/** Of entities that have no relationship how often they are mentioned is what tells them apart. */
function columnsFor(projectId: string, isAlone: boolean): readonly Column<Row>[] {
  return [
    {
      title: "Name",
      cell: ({ entity_id: id, name, type }) => (
        <EntityLink projectId={projectId} entityId={id} called={{ name, type }} place="graph" />
      ),
    },
    {
      title: "Type",
      cell: ({ type }) => (
        <span className={styles.type}>
          <TypeMark type={type} /> {type}
        </span>
      ),
    },
    isAlone
      ? { title: "Chunks", isNumber: true, cell: ({ chunks = 0 }) => chunks.toLocaleString("en") }
      : {
          title: "Relationships",
          isNumber: true,
          cell: ({ relationships }) => relationships?.toLocaleString("en") ?? "–",
        },
  ];
}
