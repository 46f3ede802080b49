import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Only screen readers get the title. */
  readonly isAction?: boolean;
}

/** A table. In a narrow container each row is shown as a card. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isAction }) => (
              <th key={title} scope="col" className={isNumber === true ? styles.number : undefined}>
                {isAction === true ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isAction }) => (
                <td
                  key={title}
                  data-title={isAction === true ? undefined : title}
                  className={
                    isNumber === true ? styles.number : isAction === true ? styles.action : undefined
                  }
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
