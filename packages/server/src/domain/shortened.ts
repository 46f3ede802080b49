/**
 * A text of others for one line of an error: its beginning, with an ellipsis where it is cut, and without control characters, which
 * PostgreSQL's text (NUL), terminals and lines of a log cannot have. What is cut off is not looked at.
 */
export function shortened(text: string, maxCharacters: number): string {
  const isLong = text.length > maxCharacters;
  const beginning = isLong ? text.slice(0, maxCharacters - 1) : text;
  const line = beginning
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return isLong ? `${line}…` : line;
}
