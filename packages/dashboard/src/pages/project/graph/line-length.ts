/** From this number of entities on a layout is computed more roughly. */
export const manyNodes = 2_000;
/** From this number of entities on they stand closer. */
const someNodes = 24;
const lengths = { many: 40, some: 62, two: 140 } as const;

/** How long the lines of a map should be: those of few entities have room for the names of their ends and for their own. */
export function lineLength(nodes: number): number {
  if (nodes > manyNodes) return lengths.many;
  const share = Math.max(0, 1 - (nodes - 2) / (someNodes - 2));
  return Math.round(lengths.some + share * (lengths.two - lengths.some));
}
