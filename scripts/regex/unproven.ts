/** Regular expressions that recheck cannot decide, because of a lookbehind or because they are built from a text. */

export interface Unproven {
  readonly path: string;
  /** The literal or the call begins with it. */
  readonly code: string;
  /** Why it is linear all the same. */
  readonly reason: string;
}

export const UNPROVEN: readonly Unproven[] = [
  {
    path: "packages/server/src/engine/text/names/tokens.ts",
    code: "new RegExp(`(",
    reason:
      "Each alternative begins with other characters, and what joins two parts is none of their characters. Its assertions read at most two characters. `mentions.test.ts` measures it.",
  },
  {
    path: "packages/server/src/engine/ingest/extract/model/find-quote.ts",
    code: "new RegExp(pattern",
    reason:
      "Words of a quote of at most 1,000 characters, with white space between them, which no word contains. `find-quote.test.ts` measures it.",
  },
  {
    path: "packages/server/src/engine/query/summarize-denial.ts",
    code: "new RegExp(`(?<!",
    reason:
      "Letters and digits of the question, with at most three characters between them. `summarize.test.ts` measures it.",
  },
  {
    path: "packages/server/src/http/unmatched-requests.ts",
    code: "new RegExp(`^",
    reason: "The paths of the routes: text, `[^/]+` between slashes, and at most one `.*` at the end.",
  },
];
