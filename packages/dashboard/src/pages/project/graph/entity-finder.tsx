import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { entitiesQuery } from "../../../api/graph.ts";
import fieldStyles from "../../../components/field.module.css";
import styles from "./entity-finder.module.css";
import { TypeMark } from "./type-mark.tsx";

/** A search field with the entities that match. */
export function EntityFinder({
  projectId,
  label,
  without,
  isInForm = false,
  onChoose,
}: {
  readonly projectId: string;
  readonly label: string;
  /** The id of an entity that cannot be chosen. */
  readonly without?: string;
  /** Its label is shown, and one types there at once. */
  readonly isInForm?: boolean;
  readonly onChoose: (entityId: string) => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const find = useDeferredValue(text.trim());
  const { data } = useQuery(entitiesQuery(projectId, { find, type: null, from: 0 }));
  const others = data?.entities.filter(({ entity_id: id }) => id !== without);
  const client = useQueryClient();
  const choose = (entityId: string) => {
    setText("");
    setChosen((count) => count + 1);
    onChoose(entityId);
  };
  /** The list can be of an earlier text still. */
  const chooseFirst = async () => {
    const name = text.trim();
    if (name === "" || document.activeElement?.hasAttribute("aria-activedescendant")) return;
    const found = await client.fetchQuery(entitiesQuery(projectId, { find: name, type: null, from: 0 }));
    const entities = found.entities.filter(({ entity_id: id }) => id !== without);
    const first = entities.find((each) => each.name.toLowerCase() === name.toLowerCase()) ?? entities[0];
    if (first !== undefined) choose(first.entity_id);
  };
  return (
    <ComboBox
      // A new one after each choice: this one would keep its list open.
      key={chosen}
      className={styles.field ?? ""}
      inputValue={text}
      onInputChange={setText}
      items={others ?? []}
      defaultFilter={() => true}
      // In a form the list would cover what it is about.
      menuTrigger={isInForm ? "input" : "focus"}
      allowsEmptyCollection
      selectedKey={null}
      onSelectionChange={(key) => key !== null && choose(String(key))}
      autoFocus={isInForm && chosen === 0}
      onKeyDown={({ key }) => key === "Enter" && void chooseFirst()}
    >
      <Label className={(isInForm ? fieldStyles.label : "visually-hidden") ?? ""}>{label}</Label>
      <div className={styles.box}>
        <Search aria-hidden size={16} className={styles.icon} />
        <Input className={styles.input ?? ""} placeholder={isInForm ? "Find an entity" : label} />
      </div>
      <Popover className={styles.popover ?? ""} offset={4}>
        <ListBox
          className={styles.list ?? ""}
          renderEmptyState={() => (
            <p className={styles.none}>
              {data === undefined
                ? "Loading …"
                : find === ""
                  ? `No ${without === undefined ? "" : "other "}entity yet.`
                  : `No ${without === undefined ? "" : "other "}entity with this name.`}
            </p>
          )}
        >
          {(entity: NonNullable<typeof data>["entities"][number]) => (
            <ListBoxItem id={entity.entity_id} textValue={entity.name} className={styles.entity ?? ""}>
              <TypeMark type={entity.type} />
              <bdi className={styles.name}>{entity.name}</bdi>
              <span className={styles.type}>{entity.type}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
