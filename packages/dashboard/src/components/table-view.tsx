import type { ReactNode } from "react";
import type { Range } from "./heading-marks.ts";
import type { Row } from "./table-rows.ts";
import styles from "./table-view.module.css";

/** Rows of a table in a text, with the names of its columns where they are known. */
export function TableView({
  head,
  names = null,
  rows,
  cell,
}: {
  readonly head: Row | null;
  /** Of the columns, where the text begins in the middle of the table. */
  readonly names?: readonly string[] | null;
  readonly rows: readonly Row[];
  /** What stands in a cell. */
  readonly cell: (place: Range) => ReactNode;
}) {
  // A column without a name has no heading: readers of the screen would tell an empty one.
  const titles =
    head?.cells.map((place) => (place.start < place.end ? cell(place) : null)) ??
    names?.map((name) => (name === "" ? null : name)) ??
    null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a landmark for each table would be in the way.
    <div role="group" className={styles.frame} tabIndex={0} aria-label="Table">
      <table className={styles.table}>
        {titles !== null && (
          <thead>
            <tr>
              {titles.map((title, at) =>
                title === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns can have the same name, and stay in their order.
                  <td key={at} />
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <th key={at} scope="col">
                    {title}
                  </th>
                ),
              )}
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
