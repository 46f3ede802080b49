/**
 * The format version of the index segments that this release writes. Incremented by every change of the layout, of the
 * term rules or of the quantization; stored in the row of each segment, so that upkeep can list the older ones and rewrite them.
 */
export const SEGMENT_VERSION = 2;
