/** Dynamic answers without a language model: names that were found lead to further questions, and questions are divided. */
import type { Answer, Question } from "../../../domain/query.ts";
import { summarize } from "../summarize.ts";
import { findBridgeNames } from "./bridge-names.ts";
import { followUp } from "./follow-up.ts";
import { mergeChunks, mergeGraphs } from "./merge-steps.ts";
import { splitQuestion } from "./split-question.ts";
import type { StepRunner } from "./steps.ts";

const STEP_CHUNKS = 5;
const SUMMARY_CHUNKS = 10;
/** So many finds of a step count: further ones push out what the question itself found. */
const STEP_DEPTH = 2;
/** Names that are followed, and of the best of those the names that their passages lead on to. */
const BRIDGES = 6;
const SECOND_FROM = 2;
const SECOND_BRIDGES = 1;
/** How much a step's finds count; docs/decisions/0014 has what was tried. */
const PART_WEIGHT = 0.35;
const BRIDGE_WEIGHT = 0.8;
const SECOND_WEIGHT = 0.2;

export type BuiltInRoute = "comparison" | "multi_hop" | "fact";

export interface BuiltInAnswer extends Answer {
  readonly route: BuiltInRoute;
}

/**
 * Goes on from the answer to the question itself, which `runner` holds. Deterministic but for the clock, which can only cut steps off.
 * @throws what the retrieval of a step throws, but for steps that are unavailable
 */
export async function answerBuiltIn(question: Question, runner: StepRunner): Promise<BuiltInAnswer> {
  const [first] = runner.taken;
  const chunks = first?.answer.chunks ?? [];
  const parts = splitQuestion(question.query);
  let hops = 0;
  if (chunks.length > 0) {
    await runner.run(
      parts.map((query) => ({ query, weight: PART_WEIGHT, about: null })),
      STEP_CHUNKS,
    );
    hops = await followBridges(question, runner);
  }
  const limit = Math.max(question.topK, SUMMARY_CHUNKS);
  const merged = mergeChunks(runner.taken, { limit, depth: STEP_DEPTH });
  const summary = summarize({ query: question.query, chunks: merged.slice(0, SUMMARY_CHUNKS) });
  return {
    strategyUsed: first?.answer.strategyUsed ?? "",
    route: parts.length > 0 ? "comparison" : hops > 0 ? "multi_hop" : "fact",
    summary: summary || (first?.answer.summary ?? ""),
    ...mergeGraphs(runner.taken),
    chunks: merged.slice(0, question.topK),
  };
}

/** Returns how many steps were taken. */
async function followBridges({ query }: Question, runner: StepRunner): Promise<number> {
  const first = runner.taken[0]?.answer.chunks ?? [];
  const bridges = findBridgeNames(query, first, BRIDGES);
  const best = bridges[0]?.weight ?? 0;
  const steps = await runner.run(
    bridges.map((bridge) => ({
      query: followUp(query, bridge),
      weight: (BRIDGE_WEIGHT * bridge.weight) / best,
      about: bridge.key,
    })),
    STEP_CHUNKS,
  );
  const further = steps.slice(0, SECOND_FROM).flatMap((step) =>
    findBridgeNames(step.query, step.answer.chunks.slice(0, 2), SECOND_BRIDGES).map((bridge) => ({
      query: followUp(step.query, bridge),
      weight: SECOND_WEIGHT,
      about: bridge.key,
    })),
  );
  const last = await runner.run(further, STEP_CHUNKS);
  return steps.length + last.length;
}
