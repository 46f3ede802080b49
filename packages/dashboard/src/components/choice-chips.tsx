import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import styles from "./choice-chips.module.css";

export interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number;
}

/** One of a few, all of which are in view. */
export function ChoiceChips<Id extends string>({
  label,
  choices,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Id>[];
  readonly chosen: Id;
  readonly onChange: (chosen: Id) => void;
}) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={([key]) => {
        const choice = choices.find(({ id }) => id === key);
        if (choice !== undefined) onChange(choice.id);
      }}
      className={styles.group ?? ""}
    >
      {choices.map(({ id, label: name, count }) => (
        <ToggleButton key={id} id={id} className={styles.chip ?? ""}>
          {name}
          {count !== undefined && <span className={styles.count}> {count.toLocaleString("en")}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
