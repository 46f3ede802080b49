import type { Ref } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import fieldStyles from "../../components/field.module.css";
import type { TextRange } from "./json-place.ts";
import styles from "./schema-text.module.css";

/** The text of the schema. Its lines are not wrapped. */
export function SchemaText({
  value,
  onChange,
  ref,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly ref: Ref<HTMLTextAreaElement>;
}) {
  return (
    <TextField value={value} onChange={onChange} className={`${fieldStyles.field} ${styles.field}`}>
      <Label className={fieldStyles.label ?? ""}>Schema as JSON</Label>
      <TextArea
        ref={ref}
        wrap="off"
        spellCheck="false"
        autoCapitalize="off"
        className={`${fieldStyles.input} ${styles.text}`}
      />
    </TextField>
  );
}

/** Selects a range of the text and scrolls it into view. */
export function showRange(area: HTMLTextAreaElement, { start, end }: TextRange): void {
  area.focus();
  area.setSelectionRange(start, end);
  const before = area.value.slice(0, start).split("\n");
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = (before.length - 1) * lineHeight - area.clientHeight / 3;
  area.scrollLeft = 0;
}
