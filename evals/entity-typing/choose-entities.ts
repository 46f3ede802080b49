/** Chooses among readings that overlap. */
import type { EntityMention } from "../../packages/server/src/engine/ingest/extract/mentions/entity-mention.ts";
import type { TypeScores } from "../../packages/server/src/engine/ingest/extract/types/type-scores.ts";

export interface ChosenEntity {
  /** Index into the mentions. */
  readonly mention: number;
  /** Index into the types: the best one. */
  readonly type: number;
  /** Share of that type, 0…1. */
  readonly confidence: number;
}

/** Below, a mention is more likely none of the schema's entities; learned data's best balance of precision and recall. */
export const LEAST_ENTITY_SHARE = 0.4;

/** Mentions that do not overlap, the surest first taken, in the order of the text. */
export function chooseEntities(
  mentions: readonly EntityMention[],
  scores: readonly TypeScores[],
  leastShare = LEAST_ENTITY_SHARE,
): readonly ChosenEntity[] {
  const order = mentions.map((_, index) => index).filter((index) => 1 - scores[index]!.none >= leastShare);
  order.sort((a, b) => scores[a]!.none - scores[b]!.none || a - b);
  const taken = new Set<number>();
  const chosen: ChosenEntity[] = [];
  for (const mention of order) {
    const { from, to } = mentions[mention]!;
    let isFree = true;
    for (let at = from; at < to; at++) if (taken.has(at)) isFree = false;
    if (!isFree) continue;
    for (let at = from; at < to; at++) taken.add(at);
    const { types } = scores[mention]!;
    const type = types.indexOf(Math.max(...types));
    if (type >= 0) chosen.push({ mention, type, confidence: types[type]! });
  }
  return chosen.sort((a, b) => mentions[a.mention]!.from - mentions[b.mention]!.from);
}
