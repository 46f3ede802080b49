/** Chunk sizes of new projects, chosen by measurement: docs/decisions/0002-chunk-size.md. */
export const DEFAULT_CHUNKING = { targetTokens: 128, overlapTokens: 16 } as const;
