/**
 * How long an answer asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date (RFC 9110, section
 * 10.2.3). null without one that can be read; a date in the past is 0.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const inMs = headers.get("retry-after-ms")?.trim() ?? "";
  if (/^\d{1,12}(\.\d+)?$/.test(inMs)) return Number(inMs);
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  // Date.parse reads much that is no HTTP date, among it "-5".
  const at = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
