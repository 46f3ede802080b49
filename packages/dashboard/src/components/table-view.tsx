import type { ReactNode } from "react";
import type { Range } from "./heading-marks.ts";
import type { Row } from "./table-rows.ts";
import styles from "./table-view.module.css";

/** Rows of a table in a text, with the names of its columns where they are known. */
export function TableView({
  head,
  rows,
  cell,
}: {
  readonly head: Row | null;
  readonly rows: readonly Row[];
  /** What stands in a cell. */
  readonly cell: (place: Range) => ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a landmark for each table would be in the way.
    <div role="group" className={styles.frame} tabIndex={0} aria-label="Table">
      <table className={styles.table}>
        {head !== null && (
          <thead>
            <tr>
              {head.cells.map((place) => (
                <th key={place.start} scope="col">
                  {cell(place)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row.start}>
              {row.cells.map((place) => (
                <td key={place.start}>{cell(place)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
