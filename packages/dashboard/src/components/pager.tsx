import { ChevronLeft, ChevronRight } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./pager.module.css";

/** Fewer pages are reached faster with the buttons. */
const minPagesToJump = 4;

interface PagerProps {
  /** Position of the first item on the page, from 0. */
  readonly from: number;
  readonly shown: number;
  readonly pageSize: number;
  readonly total: number | null;
  /** Another page was asked for, and this one is still shown. */
  readonly isLoading?: boolean;
  readonly onChange: (from: number) => void;
}

/** Navigates a paged list. Renders nothing for a single page. `total` null means unknown. */
export function Pager({ from, shown, pageSize, total, isLoading = false, onChange }: PagerProps) {
  const hasNext = total === null ? shown === pageSize : from + shown < total;
  if (from === 0 && !hasNext) return null;
  const range = `${(from + 1).toLocaleString("en")}–${(from + shown).toLocaleString("en")}`;
  const pages = Math.ceil((total ?? 0) / pageSize);
  return (
    <nav aria-label="Pages" className={styles.pager}>
      <span role="status" className={styles.range}>
        {isLoading ? "Loading … " : ""}
        {total === null ? range : `${range} of ${total.toLocaleString("en")}`}
      </span>
      {pages >= minPagesToJump && (
        <PageJump
          key={from}
          page={Math.floor(from / pageSize) + 1}
          pages={pages}
          onGo={(page) => onChange((page - 1) * pageSize)}
        />
      )}
      <Button size="small" isDisabled={from === 0} onPress={() => onChange(Math.max(0, from - pageSize))}>
        <ChevronLeft aria-hidden size={14} /> Previous
      </Button>
      <Button size="small" isDisabled={!hasNext} onPress={() => onChange(from + pageSize)}>
        Next <ChevronRight aria-hidden size={14} />
      </Button>
    </nav>
  );
}

/** The number of the page, which can be written over. */
function PageJump({
  page,
  pages,
  onGo,
}: {
  readonly page: number;
  readonly pages: number;
  readonly onGo: (page: number) => void;
}) {
  const [text, setText] = useState(String(page));
  const go = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(text.replace(/[\s,.]/g, ""));
    if (!Number.isSafeInteger(wanted) || wanted < 1) return setText(String(page));
    const next = Math.min(wanted, pages);
    setText(String(next));
    if (next !== page) onGo(next);
  };
  return (
    <form className={styles.jump} onSubmit={go}>
      <label>
        Page{" "}
        <input
          className={styles.page}
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={(event) => event.target.select()}
          size={Math.max(3, String(pages).length)}
        />
      </label>{" "}
      of {pages.toLocaleString("en")}
    </form>
  );
}
