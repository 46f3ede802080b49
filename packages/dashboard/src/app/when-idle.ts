/** Safari has no idle callbacks. */
const waitMs = 200;

/** Does something once the page has drawn what it shows, unless the function that is returned is called before. */
export function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, waitMs);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}
