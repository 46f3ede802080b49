import { Check, ChevronDown } from "lucide-react";
import {
  Select as AriaSelect,
  Button,
  type Key,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from "react-aria-components";
import fieldStyles from "./field.module.css";
import styles from "./select.module.css";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

/** A choice from a short list. */
export function Select({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  hint,
}: {
  readonly label: string;
  /** Hides the label, except from screen readers. */
  readonly isLabelHidden?: boolean;
  readonly options: readonly SelectOption[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
}) {
  return (
    <AriaSelect
      className={fieldStyles.field ?? ""}
      value={value}
      onChange={(key: Key | null) => key !== null && onChange(String(key))}
    >
      <Label className={isLabelHidden ? "visually-hidden" : (fieldStyles.label ?? "")}>{label}</Label>
      <Button className={styles.trigger ?? ""}>
        <SelectValue className={styles.value ?? ""} dir="auto" />
        <ChevronDown aria-hidden size={16} />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className={fieldStyles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <Popover className={styles.popover ?? ""}>
        <ListBox className={styles.list ?? ""} items={options}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={styles.option ?? ""}>
              <bdi>{option.label}</bdi>
              <Check aria-hidden size={16} className={styles.check ?? ""} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
