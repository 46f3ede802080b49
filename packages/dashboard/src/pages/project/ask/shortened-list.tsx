import { type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import styles from "./shortened-list.module.css";

/** Shows the first items of a list, and all of them after a click. */
export function ShortenedList({
  label,
  maxShown,
  children,
}: {
  /** The items in the plural, for example "entities". */
  readonly label: string;
  readonly maxShown: number;
  readonly children: readonly ReactNode[];
}) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? children : children.slice(0, maxShown);
  return (
    <>
      <ul className={styles.list}>{shown}</ul>
      {shown.length < children.length && (
        <Button size="small" onPress={() => setExpanded(true)}>
          Show all {children.length.toLocaleString("en")} {label}
        </Button>
      )}
    </>
  );
}
