/** Splits a text at the boundaries of its chunks. */
export interface ChunkPlace {
  readonly chunk_id: string;
  /** Offsets in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface TextRun {
  readonly start: number;
  readonly end: number;
  /** Positions of the chunks that contain the run: none between chunks, two in an overlap. */
  readonly chunks: readonly number[];
}

/** The consecutive runs of the text from `from` to `to`. The chunks must be ordered by their start. */
export function textRuns(
  chunks: readonly ChunkPlace[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly TextRun[] {
  const edges = new Set([from, to]);
  for (const { start, end } of chunks) {
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
