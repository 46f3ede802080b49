import { Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import { SearchField as AriaSearchField, Button, Input, Label } from "react-aria-components";
import styles from "./search-field.module.css";

const restMs = 250;

/** Calls back once nothing was typed for a moment. */
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
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSearch(text), restMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <AriaSearchField className={styles.field ?? ""} value={text} onChange={setText} onSubmit={onSearch}>
      <Label className="visually-hidden">{label}</Label>
      <Search aria-hidden size={16} className={styles.icon} />
      <Input className={styles.input ?? ""} placeholder={label} />
      {text !== "" && (
        <Button className={styles.clear ?? ""} aria-label="Clear the search">
          <X aria-hidden size={14} />
        </Button>
      )}
    </AriaSearchField>
  );
}
