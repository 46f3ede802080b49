/** The beginning and the end of a text, for errors that may quote much of what somebody sent. */
export function withoutMiddle(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  if (text.length <= start + end) return text;
  return `${text.slice(0, start).toWellFormed()} … ${text.slice(-end).toWellFormed()}`;
}
