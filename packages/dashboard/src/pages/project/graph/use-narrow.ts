import { useMedia } from "./use-media.ts";

/** Whether the screen is that of a phone: there the graph is lists. */
export function useNarrow(): boolean {
  return useMedia("(max-width: 48rem)");
}
