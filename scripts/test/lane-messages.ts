/** What the test command and a lane, the process in which test files run one after another, say to each other. */
import type { TestResult } from "./file-report.ts";

export type ToLane = { readonly kind: "run"; readonly file: string } | { readonly kind: "end" };

export type FromLane =
  | { readonly kind: "result"; readonly result: TestResult }
  /** Everything of the file has been reported. */
  | { readonly kind: "done" };
