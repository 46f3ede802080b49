import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { entityListingQuery } from "../../../api/entity-listing.ts";
import type { RankedEntity } from "../../../api/ranked-entities.ts";
import { counted } from "../../../components/counted.ts";
import fieldStyles from "../../../components/field.module.css";
import styles from "./entity-finder.module.css";
import { TypeMark } from "./type-mark.tsx";

/** A search field with the entities that match, the best connected first. In a form it shows what was chosen, elsewhere it is empty again. */
export function EntityFinder({
  projectId,
  label,
  without,
  isInForm = false,
  whereNone,
  onChoose,
  onClear,
}: {
  readonly projectId: string;
  readonly label: string;
  /** The id of an entity that cannot be chosen. */
  readonly without?: string;
  /** Its label is shown, and one types there at once. */
  readonly isInForm?: boolean;
  /** What to do where no entity has the name. Said below the field, whose empty list is closed then. */
  readonly whereNone?: (name: string) => ReactNode;
  readonly onChoose: (entityId: string) => void;
  /** In a form: what was chosen no longer stands there. */
  readonly onClear?: () => void;
}) {
  const [text, setText] = useState("");
  const [choices, setChoices] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);
  const find = useDeferredValue(text.trim());
  const client = useQueryClient();
  const queryOf = (name: string) =>
    entityListingQuery(client, projectId, { find: name, type: null, from: 0 });
  const { data } = useQuery(queryOf(find));
  const others = data?.entities.filter(({ entity_id: id }) => id !== without);
  // While somebody types, the list of the earlier text stays open: a closed one does not open again by itself.
  const isNone = find !== "" && find === text.trim() && others?.length === 0;
  const noneWords = isNone ? whereNone?.(find) : undefined;
  const choose = ({ entity_id: id, name }: RankedEntity) => {
    setText(isInForm ? name : "");
    setChosen(isInForm ? name : null);
    setChoices((count) => count + 1);
    onChoose(id);
  };
  const write = (next: string) => {
    setText(next);
    if (chosen === null || next === chosen) return;
    setChosen(null);
    onClear?.();
  };
  /** The list can be of an earlier text still. */
  const chooseFirst = async () => {
    const name = text.trim();
    // Another entity can have the name of the chosen one.
    if (name === "" || name === chosen || document.activeElement?.hasAttribute("aria-activedescendant"))
      return;
    const found = await client.fetchQuery(queryOf(name));
    const entities = found.entities.filter(({ entity_id: id }) => id !== without);
    const first = entities.find((each) => each.name.toLowerCase() === name.toLowerCase()) ?? entities[0];
    if (first !== undefined) choose(first);
  };
  return (
    <ComboBox
      // A new one after each choice: this one would keep its list open.
      key={choices}
      className={styles.field ?? ""}
      inputValue={text}
      onInputChange={write}
      items={others ?? []}
      defaultFilter={() => true}
      // In a form the list would cover what it is about.
      menuTrigger={isInForm ? "input" : "focus"}
      allowsEmptyCollection={noneWords === undefined}
      selectedKey={null}
      // Without it the name of the choice would go when the field is left.
      allowsCustomValue={isInForm}
      onSelectionChange={(key) => {
        const entity = others?.find(({ entity_id: id }) => id === key);
        if (entity !== undefined) choose(entity);
      }}
      autoFocus={isInForm}
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
          {(entity: RankedEntity) => (
            <ListBoxItem id={entity.entity_id} textValue={entity.name} className={styles.entity ?? ""}>
              <TypeMark type={entity.type} />
              <span className={styles.text}>
                <bdi>{entity.name}</bdi>
                <span className={styles.note}>{noteOf(entity)}</span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
      {noneWords !== undefined && <p role="status">{noneWords}</p>}
    </ComboBox>
  );
}

/** What tells entities of one name apart. */
function noteOf({ type, relationships }: RankedEntity): string {
  if (relationships === null) return type;
  return `${type} · ${relationships === 0 ? "no relationship" : counted(relationships, "relationship")}`;
}
