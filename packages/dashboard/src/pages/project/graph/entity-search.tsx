import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { entitiesQuery } from "../../../api/graph.ts";
import { TextField } from "../../../components/text-field.tsx";
import styles from "./entity-search.module.css";

/** All entities by name; whichever is chosen is drawn with its neighbourhood. */
export function EntitySearch({
  projectId,
  selected,
  onChoose,
}: {
  readonly projectId: string;
  readonly selected: string | null;
  readonly onChoose: (entityId: string) => void;
}) {
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const { data } = useQuery({ ...entitiesQuery(projectId, search), placeholderData: keepPreviousData });
  const entities = data?.entities ?? [];
  return (
    <div className={styles.search}>
      <TextField label="Find an entity" value={text} onChange={setText} placeholder="A part of its name" />
      <ListBox
        aria-label="Entities"
        items={entities}
        selectionMode="single"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : keys;
          if (key !== undefined) onChoose(String(key));
        }}
        renderEmptyState={() => (
          <p className={styles.none}>{data === undefined ? "Reading …" : "None of that name."}</p>
        )}
        className={styles.list ?? ""}
      >
        {(entity) => (
          <ListBoxItem id={entity.entity_id} textValue={entity.name} className={styles.entity ?? ""}>
            <span className={styles.name}>{entity.name}</span>
            <span className={styles.type}>{entity.type}</span>
          </ListBoxItem>
        )}
      </ListBox>
      {data !== undefined && data.total > entities.length && (
        <p className={styles.none}>
          {entities.length} of {data.total.toLocaleString("en")} shown
        </p>
      )}
    </div>
  );
}
