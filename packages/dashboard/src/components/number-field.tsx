import { NumberField as AriaNumberField, Input, Label, Text } from "react-aria-components";
import styles from "./field.module.css";

/** Accepts whole numbers. An empty field becomes `min`. */
export function NumberField({
  label,
  hint,
  value,
  onChange,
  min,
  max,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
}) {
  return (
    <AriaNumberField
      className={styles.field ?? ""}
      value={value}
      onChange={(next) => onChange(Number.isNaN(next) ? min : next)}
      minValue={min}
      maxValue={max}
      step={1}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      <Input className={styles.input ?? ""} />
      {hint !== undefined && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
    </AriaNumberField>
  );
}
