import type { Entity } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { entitiesPage, entitiesQuery, unrelatedQuery } from "../../../api/graph.ts";
import { projectStatsQuery } from "../../../api/projects.ts";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { counted } from "../../../components/counted.ts";
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
import { TypeMark } from "./type-mark.tsx";

const every = " ";

type Listing = Pick<GraphAddress, "name" | "type" | "alone" | "from">;

/** All entities, found by name and type, and those without relationships. */
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
  const listing = { find: name, type: type ?? null, from };
  const listed = useQuery({ ...entitiesQuery(projectId, listing), enabled: !alone });
  const unrelated = useQuery({ ...unrelatedQuery(projectId, listing), enabled: alone });
  const { data, error } = alone ? unrelated : listed;
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
          {data !== undefined && (
            <>
              {counted(data.total, "entity", "entities")}
              {isFiltered && (data.total === 1 ? " matches" : " match")}
            </>
          )}
        </p>
      </div>
      {error !== null && <Notice kind="bad">{error.message}</Notice>}
      {data === undefined ? (
        error === null && <Skeleton lines={8} />
      ) : data.total === 0 ? (
        <NoEntity isFiltered={isFiltered} hasEntities={types.length > 1} isAlone={alone} />
      ) : (
        <>
          <Table
            label="Entities"
            columns={columnsFor(projectId)}
            rows={data.entities}
            keyOf={({ entity_id: id }) => id}
          />
          <Pager
            from={from}
            shown={data.entities.length}
            pageSize={entitiesPage}
            total={data.total}
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

function columnsFor(projectId: string): readonly Column<Entity>[] {
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
    { title: "Chunks", isNumber: true, cell: ({ chunks }) => chunks.toLocaleString("en") },
  ];
}
