import type { ReadScene } from "./use-scene.ts";

/** Fewer entities tell nothing yet. */
const minEntities = 20;
const fewShare = 0.25;

/** So few entities have relationships that an ontology is worth the work. */
export function isPoor({ total, alone }: Pick<ReadScene, "total" | "alone">): boolean {
  const all = (total ?? 0) + alone;
  return alone > 0 && all >= minEntities && (total ?? 0) < all * fewShare;
}
