/** Measures a typer on labelled sentences: exact span and type. */

import type { Typer, TypeScores } from "../../packages/server/src/engine/ingest/extract/types/type-scores.ts";
import { chooseEntities } from "./choose-entities.ts";
import type { LearningSet } from "./learning-set.ts";

/** Percentages, with one decimal. */
export interface Measured {
  readonly sentences: number;
  readonly entities: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Of the spans, whatever their types. */
  readonly spanF1: number;
  /** Entities whose span is among the mentions. */
  readonly reachable: number;
  /** Of these, those whose best type is right. */
  readonly typeOfRightSpan: number;
}

export type Scored = readonly (readonly TypeScores[])[];

export function scoreAll({ sentences }: LearningSet, typer: Typer): Scored {
  return sentences.map(({ typed }) => typer.score(typed));
}

export function measure(set: LearningSet, scored: Scored, leastShare?: number): Measured {
  const counts = { gold: 0, found: 0, right: 0, rightSpans: 0, reachable: 0, typedRight: 0 };
  for (const [index, { typed, mentions, gold }] of set.sentences.entries()) {
    const scores = scored[index]!;
    counts.gold += gold;
    for (const { mention, type } of chooseEntities(typed.mentions, scores, leastShare)) {
      const { label } = mentions[mention]!;
      counts.found++;
      counts.rightSpans += Number(label >= 0);
      counts.right += Number(label === type);
    }
    for (const [at, { label }] of mentions.entries()) {
      if (label < 0) continue;
      const { types } = scores[at]!;
      counts.reachable++;
      counts.typedRight += Number(types.indexOf(Math.max(...types)) === label);
    }
  }
  const share = (part: number, whole: number) => Number(((100 * part) / Math.max(1, whole)).toFixed(1));
  return {
    sentences: set.sentences.length,
    entities: counts.gold,
    precision: share(counts.right, counts.found),
    recall: share(counts.right, counts.gold),
    f1: share(2 * counts.right, counts.found + counts.gold),
    spanF1: share(2 * counts.rightSpans, counts.found + counts.gold),
    reachable: share(counts.reachable, counts.gold),
    typeOfRightSpan: share(counts.typedRight, counts.reachable),
  };
}

const shares = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6];

/** The least share of an entity with the best mean F1 over these sets. */
export function bestLeastShare(sets: readonly (readonly [LearningSet, Scored])[]): number {
  let best = { share: 0, f1: -1 };
  for (const share of shares) {
    const f1 = sets.reduce((sum, [set, scored]) => sum + measure(set, scored, share).f1, 0);
    if (f1 > best.f1) best = { share, f1 };
  }
  return best.share;
}
