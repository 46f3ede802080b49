/** Puts cells that span columns and rows into a grid. */

export interface SpanningCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** Cells that claim to span more are taken as one that spans so many. */
const MAX_SPAN = 1_000;
/** As of HTML. */
const MAX_ROWS = 65_534;
const MAX_COLUMNS = 16_384;

/**
 * Rows with equal places for cells of a column. A cell that spans rows is in each of them that has more text, so that each row
 * tells all about its subject; of columns that it spans, it is in the first.
 */
export function fillSpans(rows: readonly (readonly SpanningCell[])[]): readonly (readonly string[])[] {
  /** For each column the text of the cell that reaches down into it, and for how many rows more. */
  const reaching = new Map<number, { readonly text: string; rows: number }>();
  return rows.map((cells) => {
    const line: string[] = [];
    const isBlank = cells.every(({ text }) => text === "");
    const takeReaching = () => {
      for (let above = reaching.get(line.length); above !== undefined; above = reaching.get(line.length)) {
        if (--above.rows === 0) reaching.delete(line.length);
        line.push(isBlank ? "" : above.text);
      }
    };
    for (const { text, columns, rows: down } of cells) {
      takeReaching();
      for (let column = 0; column < Math.min(columns, MAX_SPAN) && line.length < MAX_COLUMNS; column++) {
        const shown = column === 0 ? text : "";
        if (down > 1) reaching.set(line.length, { text: shown, rows: Math.min(down, MAX_ROWS) - 1 });
        line.push(shown);
      }
    }
    takeReaching();
    return line;
  });
}
