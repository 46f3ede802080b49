import { Check, ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import {
  Button as AriaButton,
  Checkbox,
  CheckboxGroup,
  Dialog,
  DialogTrigger,
  Popover,
} from "react-aria-components";
import { Button } from "../../../components/button.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { wordsOf } from "./link-text.ts";
import type { TypeCount } from "./scene.ts";
import styles from "./type-filter.module.css";
import { TypeMark } from "./type-mark.tsx";

/** Further types are rare: they are folded until they are asked for or searched. */
const maxUnfolded = 10;

/** A button that says how many types are shown, with the choice among them. */
export function TypeFilter({
  label,
  types,
  hidden,
  hasMarks,
  onChange,
}: {
  readonly label: string;
  /** The most frequent first. */
  readonly types: readonly TypeCount[];
  readonly hidden: ReadonlySet<string>;
  /** Of entities: with the colours and shapes of the drawing. */
  readonly hasMarks: boolean;
  readonly onChange: (hidden: readonly string[]) => void;
}) {
  const count = types.filter(({ type }) => !hidden.has(type)).length;
  const reason = useId();
  if (types.length === 0) {
    const why = `Nothing is drawn that could be filtered by ${label.toLowerCase()}.`;
    return (
      <span title={why}>
        <AriaButton className={styles.trigger ?? ""} isDisabled aria-describedby={reason}>
          {label} <ChevronDown aria-hidden size={14} />
        </AriaButton>
        <span id={reason} className="visually-hidden">
          {why}
        </span>
      </span>
    );
  }
  return (
    <DialogTrigger>
      <AriaButton className={styles.trigger ?? ""}>
        {label}
        {/* Over the corner: the menu must not move while types are chosen. */}
        {count < types.length && (
          <span className={styles.badge}>
            {count} of {types.length}
          </span>
        )}
        <ChevronDown aria-hidden size={14} />
      </AriaButton>
      <Popover className={styles.popover ?? ""} placement="bottom start" offset={4}>
        <Dialog aria-label={label} className={styles.dialog ?? ""}>
          <TypeChoice label={label} types={types} hidden={hidden} hasMarks={hasMarks} onChange={onChange} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function TypeChoice({ label, types, hidden, hasMarks, onChange }: Parameters<typeof TypeFilter>[0]) {
  const [find, setFind] = useState("");
  const [isUnfolded, setUnfolded] = useState(false);
  const all = types.map(({ type }) => type);
  const found = types.filter(({ type }) => wordsOf(type).toLowerCase().includes(find.trim().toLowerCase()));
  const listed = isUnfolded || find !== "" ? found : found.slice(0, maxUnfolded);
  const folded = found.length - listed.length;
  const change = (shown: readonly string[]) => {
    const isListed = new Set(listed.map(({ type }) => type));
    onChange(all.filter((type) => (isListed.has(type) ? !shown.includes(type) : hidden.has(type))));
  };
  return (
    <>
      {types.length > maxUnfolded && <SearchField label="Find a type" value={find} onSearch={setFind} />}
      <div className={styles.bulk}>
        <Button size="small" variant="quiet" onPress={() => onChange([])}>
          All
        </Button>
        <Button size="small" variant="quiet" onPress={() => onChange(all)}>
          None
        </Button>
      </div>
      <div className={styles.scroll}>
        <CheckboxGroup
          aria-label={label}
          value={all.filter((type) => !hidden.has(type))}
          onChange={change}
          className={styles.group ?? ""}
        >
          {listed.map(({ type, count }) => (
            <div key={type} className={styles.row}>
              <Checkbox value={type} className={styles.type ?? ""}>
                <span className={styles.box}>
                  <Check aria-hidden size={12} strokeWidth={3} />
                </span>
                {hasMarks && <TypeMark type={type} />}
                <bdi className={styles.name}>{hasMarks ? type : wordsOf(type)}</bdi>
                <span className={styles.count}>{count.toLocaleString("en")}</span>
              </Checkbox>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Only ${hasMarks ? type : wordsOf(type)}`}
                onPress={() => onChange(all.filter((each) => each !== type))}
              >
                Only
              </Button>
            </div>
          ))}
        </CheckboxGroup>
        {folded > 0 && (
          <Button size="small" variant="quiet" onPress={() => setUnfolded(true)}>
            {folded.toLocaleString("en")} rarer types
          </Button>
        )}
        {found.length === 0 && <p className={styles.none}>No type with this name.</p>}
      </div>
    </>
  );
}
