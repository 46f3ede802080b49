/** Compares the search of likely chunks with the search of all. */
import { askProcess } from "../ask-process.ts";
import type { BenchQuestion } from "../questions.ts";
import type { AloneRequest } from "../scale/open-alone.ts";
import type { Times } from "../scale/timing.ts";

export interface RecallRequest extends AloneRequest {
  readonly questions: readonly BenchQuestion[];
}

export interface RecallResult {
  readonly questions: number;
  /** The share of the ten best chunks of the exact search that are among the ten best of the approximate one: as a question ranks them. */
  readonly recallAt10: number;
  /** The same of the ten nearest by int8 vectors alone. */
  readonly denseRecallAt10: number;
  /** Questions whose ten best chunks are all found. */
  readonly complete: number;
  readonly approximate: Times;
  readonly exact: Times;
}

export function measureRecall(request: RecallRequest): Promise<RecallResult> {
  return askProcess(new URL("./recall-process.ts", import.meta.url), request);
}
