/**
 * The format version of the index segments that this release writes. Incremented by every change of the layout, of the
 * term rules or of the quantization; stored with each segment, so that older ones can be listed and rewritten.
 */
export const SEGMENT_VERSION = 2;
