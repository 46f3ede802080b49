/** Reports of finished work, for metrics and traces. Plain data, since it is passed between threads. */
import type { TraceContext } from "./tracing.ts";

export type WorkActivity =
  | {
      readonly measured: "question";
      /** Milliseconds of each step of one search. */
      readonly stagesMs: Readonly<Record<string, number>>;
      /** Segments that were in memory, and those that were read from the database. */
      readonly segments: { readonly cached: number; readonly read: number };
      /** Milliseconds since 1970. */
      readonly endedAt: number;
      /** Of the request that it is for; null when that is not recorded. */
      readonly trace: TraceContext | null;
    }
  | ({ readonly measured: "job" } & EndedJob)
  | {
      readonly measured: "batch";
      readonly jobIds: readonly string[];
      readonly chunks: number;
      /** When its chunks were embedded and read, and when they were committed. */
      readonly prepared: Period;
      readonly committed: Period;
    };

/** `startedAt`: of its first work, by whichever process. */
export interface EndedJob extends Period {
  readonly jobId: string;
  /** "postponed": it is tried again later. */
  readonly result: "completed" | "failed" | "postponed";
}

/** Milliseconds since 1970. */
export interface Period {
  readonly startedAt: number;
  readonly endedAt: number;
}
