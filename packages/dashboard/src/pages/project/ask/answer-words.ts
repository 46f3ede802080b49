/** Says in words what the service says with a number, a code or a fixed sentence. */

/** The sentences with which the service says that nothing was found (docs/api.md); what comes nearest can follow. */
const denial = /^No passage that was found (?:answers this|mentions [^\n]{1,400}?)\.(?= |\n|$)/;
const unknown = /^Whether these passages answer cannot be told in this language\./;
const nearest = /^\s{0,8}What comes nearest:\s{0,8}/;

export interface ReadSummary {
  /** said: sentences that may answer. none: nothing answers. unknown: nobody can tell. empty: there is no passage. */
  readonly kind: "said" | "none" | "unknown" | "empty";
  /** What the service says instead of an answer; "" where there is an answer. */
  readonly statement: string;
  /** The sentences of the answer, or those that come nearest to one. */
  readonly text: string;
}

export function readSummary(summary: string): ReadSummary {
  if (summary.trim() === "") return { kind: "empty", statement: "", text: "" };
  const [none] = denial.exec(summary) ?? [];
  const [open] = unknown.exec(summary) ?? [];
  const statement = none ?? open;
  if (statement === undefined) return { kind: "said", statement: "", text: summary };
  const text = summary.slice(statement.length).replace(nearest, "").trim();
  return { kind: none === undefined ? "unknown" : "none", statement, text };
}

export type Relevance = "high" | "some" | "little";

/** Of two thirds of the questions that documents answer the first passage has 0.4 or more (docs/api.md), */
const high = 0.4;
/** of one in fourteen less than this, as of one in three near misses. */
const some = 0.15;

export function relevanceOf(similarity: number): Relevance {
  return similarity >= high ? "high" : similarity >= some ? "some" : "little";
}

export const relevanceWords: Readonly<Record<Relevance, string>> = {
  high: "Relevant",
  some: "Perhaps relevant",
  little: "Of little relevance",
};

const builtIn: readonly (readonly [start: string, words: string])[] = [
  ["dynamic_builtin_multi_hop", "by following names from passage to passage"],
  ["dynamic_builtin_comparison", "for each part of the question"],
  ["dynamic_builtin", "step by step; one search was enough"],
  ["dynamic", "step by step, with the language model"],
  ["hybrid_graph", "by keyword, meaning and the graph"],
  ["hybrid", "by keyword and meaning"],
];

const troubles: readonly (readonly [end: RegExp, words: string])[] = [
  [/_fallback/, "The language model failed in a step. The answer uses what was found until then."],
  [/_unsupported/, "No passage supports what the language model wrote, so it was left out."],
  [/_unread/, "Some passages could not be read, so the answer may be poorer than usual."],
  [/_token_limit/, "The token limit of this month is reached, so no language model was asked."],
  [/_rerank_failed/, "The reranker failed. The answer was made without it."],
];

/** How an answer was found, and what went wrong on the way. */
export function strategyWords(strategy: string): {
  readonly how: string;
  readonly troubles: readonly string[];
} {
  const [, how = ""] = builtIn.find(([start]) => strategy.startsWith(start)) ?? [];
  return { how, troubles: troubles.filter(([end]) => end.test(strategy)).map(([, words]) => words) };
}

export function durationOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
