import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import { entitiesQuery } from "../../../api/graph.ts";
import { TextField } from "../../../components/text-field.tsx";
import styles from "./entity-search.module.css";

/** A searchable list of all entities. A chosen entity is drawn with its neighbourhood. */
export function EntitySearch({
  projectId,
  initial,
  selected,
  onChoose,
}: {
  readonly projectId: string;
  /** An initial search for a name; the entity is chosen when it is found. "" for none. */
  readonly initial: string;
  readonly selected: string | null;
  readonly onChoose: (entityId: string) => void;
}) {
  const [text, setText] = useState(initial);
  const search = useDeferredValue(text.trim());
  const { data } = useQuery({ ...entitiesQuery(projectId, search), placeholderData: keepPreviousData });
  const entities = data?.entities ?? [];
  useInitialChoice(
    data?.entities.find(({ name }) => name === initial),
    onChoose,
  );
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
          <p className={styles.none}>
            {data === undefined
              ? "Loading …"
              : search === ""
                ? "No entity yet."
                : "No entity with this name."}
          </p>
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

/** Chooses the entity once; later choices of the user are not overridden. */
function useInitialChoice(
  entity: { readonly entity_id: string } | undefined,
  onChoose: (entityId: string) => void,
): void {
  const isDone = useRef(false);
  const latest = useRef(onChoose);
  latest.current = onChoose;
  useEffect(() => {
    if (entity === undefined || isDone.current) return;
    isDone.current = true;
    latest.current(entity.entity_id);
  }, [entity]);
}
