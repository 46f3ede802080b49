import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SearchField as AriaSearchField, Button, Input, Label } from "react-aria-components";
import styles from "./search-field.module.css";

const debounceMs = 250;

/** Calls `onSearch` after `debounceMs` without input. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The value changed outside this field. The echo of the field's own search must not overwrite newer input.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onSearch(text);
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <AriaSearchField className={styles.field ?? ""} value={text} onChange={setText} onSubmit={onSearch}>
      <Label className="visually-hidden">{label}</Label>
      <Search aria-hidden size={16} className={styles.icon} />
      <Input className={styles.input ?? ""} placeholder={label} dir="auto" />
      {text !== "" && (
        <Button className={styles.clear ?? ""} aria-label="Clear the search">
          <X aria-hidden size={14} />
        </Button>
      )}
    </AriaSearchField>
  );
}
