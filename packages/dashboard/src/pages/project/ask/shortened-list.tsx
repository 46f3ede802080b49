import { type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import styles from "./shortened-list.module.css";

/** The first few of a list, the rest on a click. */
export function ShortenedList({
  label,
  few,
  children,
}: {
  /** What the items are, like "entities". */
  readonly label: string;
  readonly few: number;
  readonly children: readonly ReactNode[];
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? children : children.slice(0, few);
  return (
    <>
      <ul className={styles.list}>{shown}</ul>
      {shown.length < children.length && (
        <Button size="small" onPress={() => setWhole(true)}>
          Show all {children.length.toLocaleString("en")} {label}
        </Button>
      )}
    </>
  );
}
