/**
 * Whether a pause is not over. One that seems to end later than it takes is over: its end was set before the clock was set
 * back, and would not come before the clock has caught up.
 */
export function isPaused(now: number, pause: { readonly until: number; readonly lengthMs: number }): boolean {
  return now < pause.until && pause.until - now <= pause.lengthMs;
}
