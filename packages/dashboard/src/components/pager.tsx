import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "./button.tsx";
import styles from "./pager.module.css";

/** Navigates a paged list. Renders nothing for a single page. `total` null means unknown. */
export function Pager({
  from,
  shown,
  pageSize,
  total,
  onChange,
}: {
  /** Position of the first item on the page, from 0. */
  readonly from: number;
  readonly shown: number;
  readonly pageSize: number;
  readonly total: number | null;
  readonly onChange: (from: number) => void;
}) {
  const hasNext = total === null ? shown === pageSize : from + shown < total;
  if (from === 0 && !hasNext) return null;
  const range = `${(from + 1).toLocaleString("en")}–${(from + shown).toLocaleString("en")}`;
  return (
    <nav aria-label="Pages" className={styles.pager}>
      <span role="status" className={styles.range}>
        {total === null ? range : `${range} of ${total.toLocaleString("en")}`}
      </span>
      <Button size="small" isDisabled={from === 0} onPress={() => onChange(Math.max(0, from - pageSize))}>
        <ChevronLeft aria-hidden size={14} /> Previous
      </Button>
      <Button size="small" isDisabled={!hasNext} onPress={() => onChange(from + pageSize)}>
        Next <ChevronRight aria-hidden size={14} />
      </Button>
    </nav>
  );
}
