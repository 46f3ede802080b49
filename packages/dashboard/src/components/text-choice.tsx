import { ChevronDown } from "lucide-react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import fieldStyles from "./field.module.css";
import selectStyles from "./select.module.css";
import styles from "./text-choice.module.css";

/** A text from a list, or any other text. */
export function TextChoice({
  label,
  options,
  value,
  onChange,
  autoFocus = false,
}: {
  readonly label: string;
  readonly options: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}) {
  return (
    <ComboBox
      className={fieldStyles.field ?? ""}
      // Not `items`, which would not be filtered.
      defaultItems={options.map((option) => ({ option }))}
      inputValue={value}
      onInputChange={onChange}
      allowsCustomValue
      autoFocus={autoFocus}
    >
      <Label className={fieldStyles.label ?? ""}>{label}</Label>
      <div className={styles.row}>
        <Input dir="auto" className={fieldStyles.input ?? ""} />
        <Button className={styles.open ?? ""}>
          <ChevronDown aria-hidden size={16} />
        </Button>
      </div>
      <Popover className={selectStyles.popover ?? ""}>
        <ListBox className={selectStyles.list ?? ""}>
          {({ option }: { readonly option: string }) => (
            <ListBoxItem id={option} textValue={option} className={selectStyles.option ?? ""}>
              <bdi>{option}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
