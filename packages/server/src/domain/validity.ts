/** A year, month or day ("2020", "2020-05", "2020-05-17"); text order is time order. */
export interface Validity {
  /** null = the text states no beginning. */
  readonly validFrom: string | null;
  /** The last year, month or day; null = the text states no end. */
  readonly validTo: string | null;
}

/** Of a statement of an edge type that holds for a time. */
export interface Timing {
  /** When it is known to hold beside its own bounds: the date of its document, or a time that it names; null = not known. */
  readonly knownAt: string | null;
  /** The source has one target at a time. */
  readonly isFunctional: boolean;
}

/** The time of which relationships are asked. */
export interface Moment {
  /** A year, month or day. */
  readonly date: string;
  /** The last one of a time that begins with `date`. Absent: only that. */
  readonly until?: string;
  /** today: nobody asks for a time, so only what has ended is left out. */
  readonly by: "request" | "question" | "today";
}

/** Behind everything that a year or a month contains. */
export const END_OF_PERIOD = "~";

/** `now` in epoch milliseconds. */
export function momentOf(asOf: string | null | undefined, now: number): Moment {
  if (asOf !== null && asOf !== undefined) return { date: asOf, by: "request" };
  return { date: new Date(now).toISOString().slice(0, 10), by: "today" };
}

/** Behind all of the time. */
export function endOf({ date, until = date }: Moment): string {
  return `${until}${END_OF_PERIOD}`;
}

/** Whether the statement holds at some time of the year, month or day; one without times always does. */
export function holdsAt({ validFrom, validTo }: Validity, moment: Moment): boolean {
  const hasBegun = moment.by === "today" || validFrom === null || validFrom <= endOf(moment);
  return hasBegun && (validTo === null || `${validTo}${END_OF_PERIOD}` >= moment.date);
}
