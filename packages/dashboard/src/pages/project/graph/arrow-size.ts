/** In pixels, at every zoom. On a short line an arrow is smaller. */
export const arrow = { length: 8, width: 7, shareOfLine: 0.35 } as const;

/** How many arrows have room side by side around an entity of this radius. */
export function arrowsAround(radius: number): number {
  return Math.floor((2 * Math.PI * (radius + arrow.length)) / arrow.width);
}
