/** A year, month or day ("2020", "2020-05", "2020-05-17"); text order is time order. */
export interface Validity {
  /** null = the text states no beginning. */
  readonly validFrom: string | null;
  /** The last year, month or day; null = the text states no end. */
  readonly validTo: string | null;
}

/** Behind everything that a year or a month contains. */
export const END_OF_PERIOD = "~";

/** Whether the statement holds at some time of the year, month or day `asOf`; one without times always does. */
export function holdsAt({ validFrom, validTo }: Validity, asOf: string): boolean {
  const hasBegun = validFrom === null || validFrom <= `${asOf}${END_OF_PERIOD}`;
  return hasBegun && (validTo === null || `${validTo}${END_OF_PERIOD}` >= asOf);
}
