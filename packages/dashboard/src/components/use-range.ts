import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";

/** Shift chooses all rows of a list from the one that was chosen last, if it is still there, to another one. */
export function useRange<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const last = useRef<string | null>(null);
  const isShift = useRef(false);
  const remember = (event: PointerEvent | KeyboardEvent) => {
    isShift.current = event.shiftKey;
  };
  return {
    /** What a row stands for when it is chosen. */
    rangeTo(row: Row): readonly Row[] {
      const from = isShift.current ? rows.findIndex((each) => keyOf(each) === last.current) : -1;
      const to = rows.findIndex((each) => keyOf(each) === keyOf(row));
      last.current = keyOf(row);
      return from < 0 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    },
    /** For an element around the box that chooses: a change of the box does not say which keys were held. */
    watch: {
      onPointerDownCapture: remember,
      onKeyDownCapture: remember,
      // The browser would select the text up to here.
      onMouseDown(event: MouseEvent) {
        if (event.shiftKey) event.preventDefault();
      },
    },
  } as const;
}
