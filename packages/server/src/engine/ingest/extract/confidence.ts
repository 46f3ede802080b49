/**
 * What the scores of those that read relationships are worth: the probability that a reader who sees the sentence alone calls the relationship true.
 *
 * Logistic maps of the log odds of a score (Platt 1999), monotone, fitted on judged relationships by evals/truth/fit-confidence.ts. Scores of different
 * producers cannot be compared before.
 */

import { applyConfidence, type ConfidenceMap } from "../../../domain/confidence-map.ts";

/** What reads relationships without a language model. */
export type Producer =
  | "record"
  | "table"
  | "statement"
  | "open statement"
  | "open verb"
  | "pair"
  | "pair like examples"
  | "relation"
  | "relation like examples";

/** The probability that a reader calls a relationship true to which the producer gives this score, 0…1. */
export type ConfidenceOf = (producer: Producer, score: number) => number;

/** From 748 judged or annotated relationships (evals/truth/judged/facts-2026-11-23). */
const maps: Readonly<Record<Producer, ConfidenceMap>> = {
  record: { slope: 2.67, offset: -1.46 },
  table: { slope: 0.6, offset: 0.03 },
  statement: { slope: 1.25, offset: 1.33 },
  "open statement": { slope: 0, offset: 3.44 },
  "open verb": { slope: 0.39, offset: -0.08 },
  pair: { slope: 0.61, offset: 0.49 },
  "pair like examples": { slope: 0.8, offset: 0.44 },
  relation: { slope: 0.61, offset: -0.53 },
  "relation like examples": { slope: 2.11, offset: 1.97 },
};

export const confidenceOf: ConfidenceOf = (producer, score) => applyConfidence(maps[producer], score);
