import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import styles from "./kind-filter.module.css";

export interface KindCount {
  readonly kind: string;
  readonly count: number;
}

/** Checkboxes that show and hide types. `colourOf` is given for types with colours. */
export function KindFilter({
  label,
  prefix,
  kinds,
  hidden,
  onChange,
  colourOf,
}: {
  readonly label: string;
  /** "node" or "edge", because a node type and an edge type can have the same name. */
  readonly prefix: string;
  readonly kinds: readonly KindCount[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
  readonly colourOf?: (kind: string) => string;
}) {
  if (kinds.length === 0) return null;
  const keyOf = (kind: string) => `${prefix} ${kind}`;
  const shown = kinds.map(({ kind }) => keyOf(kind)).filter((key) => !hidden.has(key));
  const change = (values: readonly string[]) => {
    const others = [...hidden].filter((key) => !key.startsWith(`${prefix} `));
    const unchecked = kinds.map(({ kind }) => keyOf(kind)).filter((key) => !values.includes(key));
    onChange(new Set([...others, ...unchecked]));
  };
  return (
    <CheckboxGroup value={shown} onChange={change} className={styles.group ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      {kinds.map(({ kind, count }) => (
        <Checkbox key={kind} value={keyOf(kind)} className={styles.kind ?? ""}>
          <svg viewBox="0 0 16 16" className={styles.dot} aria-hidden>
            {colourOf === undefined ? (
              <path d="M1 8h11m-4-4 4 4-4 4" className={styles.arrow} />
            ) : (
              <circle cx="8" cy="8" r="6" fill={colourOf(kind)} />
            )}
          </svg>
          <span className={styles.name}>{kind}</span>
          <span className={styles.count}>{count.toLocaleString("en")}</span>
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
