import { Check } from "lucide-react";
import { Checkbox } from "react-aria-components";
import styles from "./checkbox-field.module.css";

export function CheckboxField({
  label,
  isSelected,
  onChange,
}: {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}) {
  return (
    <Checkbox isSelected={isSelected} onChange={onChange} className={styles.field ?? ""}>
      <span className={styles.box}>
        <Check aria-hidden size={12} strokeWidth={3} />
      </span>
      {label}
    </Checkbox>
  );
}
