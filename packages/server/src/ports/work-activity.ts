/** Reports of finished work for metrics. Plain data, since it is passed between threads. */
export type WorkActivity =
  | {
      readonly measured: "question";
      /** Milliseconds of each step of one search. */
      readonly stagesMs: Readonly<Record<string, number>>;
      /** Segments that were in memory, and those that were read from the database. */
      readonly segments: { readonly cached: number; readonly read: number };
    }
  | {
      readonly measured: "job";
      /** "postponed": it is tried again later. */
      readonly result: "completed" | "failed" | "postponed";
      /** Since its start, by whichever process. */
      readonly seconds: number;
    };
