import { useSyncExternalStore } from "react";

const query = "(max-width: 48rem)";

/** Whether the screen is that of a phone: there the graph is lists. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}

function isNarrow(): boolean {
  return window.matchMedia(query).matches;
}
