/** For tests: the text of a summary alone. */
import { summarize as compose, type SummaryInput } from "./summarize.ts";

export function summarize(input: SummaryInput): string {
  return compose(input).text;
}
