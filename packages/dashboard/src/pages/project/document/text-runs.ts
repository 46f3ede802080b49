/** Splits a text at the boundaries of its chunks. */
export interface ChunkPlace {
  readonly chunk_id: string;
  /** Offsets in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * The position of the chunk of this id, else of the one in which the marked place begins: a document that was read again has other ids.
 * -1 for none.
 */
export function chosenChunk(
  chunks: readonly ChunkPlace[],
  { chosen, marked }: { readonly chosen: string | null; readonly marked: { readonly start: number } | null },
): number {
  const at = chunks.findIndex(({ chunk_id: id }) => id === chosen);
  if (at >= 0 || marked === null) return at;
  return chunks.findIndex(({ start, end }) => start <= marked.start && end > marked.start);
}

export interface TextRun {
  readonly start: number;
  readonly end: number;
  /** Positions of the chunks that contain the run: none between chunks, two in an overlap. */
  readonly chunks: readonly number[];
}

/**
 * The consecutive runs of the text from `from` to `to`, cut at the ends of the marked place, too. The chunks must be ordered by their
 * start.
 */
export function textRuns(
  chunks: readonly ChunkPlace[],
  {
    from,
    to,
    marked = null,
  }: {
    readonly from: number;
    readonly to: number;
    readonly marked?: { readonly start: number; readonly end: number } | null;
  },
): readonly TextRun[] {
  const edges = new Set([from, to]);
  for (const { start, end } of marked === null ? chunks : [...chunks, marked]) {
    for (const edge of [start, end]) if (edge > from && edge < to) edges.add(edge);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at] ?? from;
    const containing = chunks.flatMap((chunk, index) =>
      chunk.start <= start && chunk.end >= end ? [index] : [],
    );
    return { start, end, chunks: containing };
  });
}
