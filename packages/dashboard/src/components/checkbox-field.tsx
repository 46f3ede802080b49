import { Check, Minus } from "lucide-react";
import { Checkbox } from "react-aria-components";
import styles from "./checkbox-field.module.css";

export function CheckboxField({
  label,
  isLabelHidden = false,
  isSelected,
  isIndeterminate = false,
  isDisabled = false,
  onChange,
}: {
  readonly label: string;
  /** Hides the label, except from screen readers. */
  readonly isLabelHidden?: boolean;
  readonly isSelected: boolean;
  /** Some of those that it stands for are selected. */
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}) {
  return (
    <Checkbox
      isSelected={isSelected}
      isIndeterminate={isIndeterminate}
      isDisabled={isDisabled}
      onChange={onChange}
      className={styles.field ?? ""}
    >
      <span className={styles.box}>
        {isIndeterminate ? (
          <Minus aria-hidden size={12} strokeWidth={3} />
        ) : (
          <Check aria-hidden size={12} strokeWidth={3} />
        )}
      </span>
      <span className={isLabelHidden ? "visually-hidden" : undefined}>{label}</span>
    </Checkbox>
  );
}
