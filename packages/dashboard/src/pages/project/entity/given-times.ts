import { isPeriod } from "../graph/graph-address.ts";

/** When a relationship holds, as somebody writes it. */
export interface GivenTimes {
  readonly from: string;
  readonly until: string;
}

/** How it can be written: a year, a month or a day. */
export const timeForms = "2002, 2002-03 or 2002-03-14";

export const noTimes: GivenTimes = { from: "", until: "" };

/** The end in which something is wrong, and what; null where both are right or empty. */
export function timesFault(
  times: GivenTimes,
): { readonly end: keyof GivenTimes; readonly text: string } | null {
  const [from, until] = [times.from.trim(), times.until.trim()];
  for (const [end, text] of [
    ["from", from],
    ["until", until],
  ] as const)
    if (text !== "" && !isPeriod(text)) return { end, text: `Write a year, a month or a day: ${timeForms}.` };
  // It can begin within the year or month in which it ends.
  if (from !== "" && until !== "" && until < from.slice(0, until.length))
    return { end: "until", text: "It ends before it begins." };
  return null;
}

/** The members of a correction. */
export function timesOf(times: GivenTimes): { readonly valid_from?: string; readonly valid_to?: string } {
  const [from, until] = [times.from.trim(), times.until.trim()];
  return { ...(from === "" ? {} : { valid_from: from }), ...(until === "" ? {} : { valid_to: until }) };
}
