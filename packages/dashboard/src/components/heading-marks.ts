/** The signs of Markdown's headings, which a quote is shown without. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

const mark = /^#{1,6} {1,3}(?=\S)/gm;
/** There such a line is a comment. */
const isOfComments = /\.(?:py|rb|sh|bash|zsh|pl|r|jl|ya?ml|toml|conf|cfg|ini|mk|tf|ps1)$/i;

/** Their places in a text of the document `name`. */
export function headingMarks(text: string, name: string): readonly Range[] {
  if (isOfComments.test(name)) return [];
  return [...text.matchAll(mark)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

/** A part of a text without what lies in `marks`, which are in order. */
export function sliceWithout(text: string, { start, end }: Range, marks: readonly Range[]): string {
  let [kept, at] = ["", start];
  for (const each of marks) {
    if (each.end <= at || each.start >= end) continue;
    kept += text.slice(at, Math.max(at, each.start));
    at = Math.min(end, each.end);
  }
  return kept + text.slice(at, end);
}

/** A whole quote of the document `name`. */
export function withoutHeadingMarks(text: string, name: string): string {
  return sliceWithout(text, { start: 0, end: text.length }, headingMarks(text, name));
}
