import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Only screen readers get the title. */
  readonly isAction?: boolean;
  /** Of actions: on a card they have a line of their own at its end. */
  readonly isWide?: boolean;
  /** The name of what the row is about: it has its room before longer texts, which wrap. */
  readonly isName?: boolean;
  /** Before the title. */
  readonly head?: ReactNode;
  /** The rows can be sorted by it. */
  readonly sortKey?: string;
  /** Sorting begins with the largest or newest. */
  readonly startsDescending?: boolean;
}

/** Tables with more columns are set closer, so that they have room on a screen of 1,280 pixels. */
const maxWideColumns = 6;

export interface Sorting {
  readonly by: string;
  readonly isDescending: boolean;
}

/** A table. In a narrow container each row is shown as a card. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  noteOf,
  sorting,
  onSort,
  isSteady = false,
}: {
  readonly label: string;
  /** Columns keep their widths while what stands in them changes. */
  readonly isSteady?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What needs a line of its own below the row, as wide as the table; null: nothing. */
  readonly noteOf?: (row: Row) => ReactNode;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
}) {
  const close = columns.length > maxWideColumns ? styles.close : "";
  return (
    <div className={styles.frame}>
      <table className={`${styles.table} ${isSteady ? styles.steady : ""} ${close}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isAction, head, sortKey, startsDescending = false }) => (
              <th
                key={title}
                scope="col"
                className={classOf({ isNumber, isAction })}
                aria-sort={ariaSort(sortKey, sorting)}
              >
                {head}
                {isAction === true ? (
                  <span className="visually-hidden">{title}</span>
                ) : sortKey !== undefined && sorting !== undefined && onSort !== undefined ? (
                  <SortButton {...{ title, sorting, onSort, startsDescending }} by={sortKey} />
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <tr>
                {columns.map(({ title, cell, isNumber, isAction, isWide, isName }) => (
                  <td
                    key={title}
                    data-title={isAction === true ? undefined : title}
                    className={classOf({ isNumber, isAction, isWide })}
                  >
                    <div className={isName === true ? styles.name : undefined}>{cell(row)}</div>
                  </td>
                ))}
              </tr>
              <NoteRow columns={columns.length}>{noteOf?.(row)}</NoteRow>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoteRow({ columns, children = null }: { readonly columns: number; readonly children: ReactNode }) {
  if (children === null) return null;
  return (
    <tr className={styles.note}>
      <td colSpan={columns}>
        <div>{children}</div>
      </td>
    </tr>
  );
}

function classOf({
  isNumber = false,
  isAction = false,
  isWide = false,
}: {
  readonly isNumber: boolean | undefined;
  readonly isAction: boolean | undefined;
  readonly isWide?: boolean | undefined;
}): string | undefined {
  if (isAction) return `${styles.action} ${isWide ? styles.wide : ""}`;
  return isNumber ? styles.number : undefined;
}

function SortButton({
  title,
  by,
  sorting,
  onSort,
  startsDescending,
}: {
  readonly title: string;
  readonly by: string;
  readonly startsDescending: boolean;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}) {
  const isSorted = sorting.by === by;
  const Icon = !isSorted ? ChevronsUpDown : sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={`${styles.sort} ${isSorted ? styles.sorted : ""}`}
      onClick={() => onSort({ by, isDescending: isSorted ? !sorting.isDescending : startsDescending })}
    >
      {title} <Icon aria-hidden size={14} />
    </button>
  );
}

function ariaSort(by: string | undefined, sorting: Sorting | undefined) {
  if (by === undefined || sorting === undefined) return undefined;
  if (by !== sorting.by) return "none";
  return sorting.isDescending ? "descending" : "ascending";
}
