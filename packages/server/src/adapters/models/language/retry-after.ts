/**
 * The wait that a response asks for, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as an
 * HTTP date (RFC 9110, section 10.2.3). null without a readable header; 0 for a date in the past.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const inMs = headers.get("retry-after-ms")?.trim() ?? "";
  if (/^\d{1,12}(\.\d+)?$/.test(inMs)) return Number(inMs);
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  // Date.parse accepts many texts that are not HTTP dates, such as "-5".
  const at = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
