/** Splits a text at the boundaries of its chunks. */
export interface ChunkPlace {
  readonly chunk_id: string;
  /** Offsets in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Whether it is the chunk of this id, or without an id the one in which the marked place begins. */
export function isChosenChunk(
  { chunk_id: id, start, end }: ChunkPlace,
  { chosen, marked }: { readonly chosen: string | null; readonly marked: { readonly start: number } | null },
): boolean {
  return chosen === null ? marked !== null && start <= marked.start && end > marked.start : id === chosen;
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
