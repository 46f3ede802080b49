import { Label, Radio, RadioGroup } from "react-aria-components";
import fieldStyles from "./field.module.css";
import styles from "./radio-cards.module.css";

export interface RadioCard {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

/** A choice between two or three options that need an explanation. */
export function RadioCards({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly RadioCard[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <RadioGroup className={fieldStyles.field ?? ""} value={value} onChange={onChange}>
      <Label className={fieldStyles.label ?? ""}>{label}</Label>
      <div className={styles.cards}>
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={styles.card ?? ""}>
            <span className={styles.label}>{option.label}</span>
            <span className={styles.hint}>{option.hint}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
