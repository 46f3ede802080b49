import { Label, Tag, TagGroup, TagList } from "react-aria-components";
import fieldStyles from "../../components/field.module.css";
import styles from "./name-choice.module.css";

/** A choice of any number of names from a list. */
export function NameChoice({
  label,
  names,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}) {
  return (
    <TagGroup
      selectionMode="multiple"
      selectedKeys={chosen}
      onSelectionChange={(keys) => onChange(names.filter((name) => keys === "all" || keys.has(name)))}
      className={fieldStyles.field ?? ""}
    >
      <Label className={fieldStyles.label ?? ""}>{label}</Label>
      <TagList
        className={styles.list ?? ""}
        renderEmptyState={() => <span className={fieldStyles.hint}>None yet.</span>}
      >
        {names.map((name) => (
          <Tag key={name} id={name} textValue={name} className={styles.name ?? ""}>
            {name}
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  );
}
