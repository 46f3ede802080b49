/** Types the mentions of a chunk by an ontology, and chooses which of them are entities. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { Alias } from "../../../text/names/aliases.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { valueKindOf } from "../relations/edge-profile.ts";
import type { RelationSentence } from "../relations/relation-types.ts";
import { wordsOfName } from "../relations/word-forms.ts";
import type { Typer, TypeScores } from "../types/type-scores.ts";
import { bestOf, type FoundEntity, nameAt } from "./found-entity.ts";
import type { FactModels, Passage, PassageSentence } from "./passage.ts";
import { createRecentMap } from "./recent-map.ts";
import { createTypeVotes, type TypeVotes } from "./type-votes.ts";

export interface TypedPassage {
  readonly sentences: readonly RelationSentence[];
  /** In the order of the text; those of one sentence do not overlap. */
  readonly entities: readonly FoundEntity[];
  /** In the order of the schema's node types. */
  readonly votes: TypeVotes;
}

/** Shares of the best type from which a mention is an entity. */
export const ENTITY_THRESHOLDS = {
  name: 0.5,
  /** Terms in small letters are a type's only where it asks for them. */
  term: 0.7,
  value: 0.4,
  /** Types of a level above 0 gather others: only what is named outright is one of them. */
  upper: 0.75,
} as const;

const MAX_SUBJECTS = 64;

export function createTypedReader(
  schema: OntologySchema,
  typer: Typer,
): (passage: Passage, aliases: readonly Alias[]) => TypedPassage {
  const choose = createChooser(schema);
  return (passage, aliases) => {
    const votes = createTypeVotes(aliases);
    const chosen: FoundEntity[] = [];
    const sentences = passage.sentences.map((sentence) => {
      const { tokens, mentions, encoded, start: offset, index } = sentence;
      const scores = typer.score({ tokens, mentions, states: encoded, offset });
      for (const { entity, types } of choose(passage, sentence, scores)) {
        votes.add(entity.key, types);
        chosen.push(entity);
      }
      const typed = mentions.map((mention, at) => ({ ...mention, typeScores: typesOf(scores[at]) }));
      return { index, tokens, mentions: typed, encoded, offset };
    });
    const entities = chosen.map((entity) => {
      const best = votes.best(entity.key);
      const type = schema.nodeTypes[best?.type ?? -1]?.name;
      return best === null || type === undefined ? entity : { ...entity, type };
    });
    return { sentences, entities, votes };
  };
}

function typesOf(scores: TypeScores | undefined): Float32Array {
  return scores?.types ?? new Float32Array(0);
}

interface Chosen {
  readonly entity: FoundEntity;
  readonly types: Float32Array;
}

type Choose = (
  passage: Passage,
  sentence: PassageSentence,
  scores: readonly TypeScores[],
) => readonly Chosen[];

/** Takes the surest mentions that do not overlap and are above their threshold. */
function createChooser({ nodeTypes }: OntologySchema): Choose {
  const kinds = nodeTypes.map(({ name }) => valueKindOf(wordsOfName(name)));
  const leastShare = (mention: EntityMention, type: number): number => {
    const isValue = mention.kind === "date" || mention.kind === "number";
    const kind = kinds[type];
    if (isValue) return kind === mention.kind ? ENTITY_THRESHOLDS.value : Number.POSITIVE_INFINITY;
    if (kind !== "entity") return Number.POSITIVE_INFINITY;
    const own = mention.kind === "noun" ? ENTITY_THRESHOLDS.term : ENTITY_THRESHOLDS.name;
    return (nodeTypes[type]?.level ?? 0) > 0 ? Math.max(own, ENTITY_THRESHOLDS.upper) : own;
  };
  return (passage, { index, mentions }, scores) => {
    const order = mentions.map((_, at) => at);
    order.sort((a, b) => (scores[a]?.none ?? 1) - (scores[b]?.none ?? 1) || a - b);
    const chosen: Chosen[] = [];
    for (const at of order) {
      const [mention, score] = [mentions[at], scores[at]];
      if (mention === undefined || score === undefined) continue;
      const { type, share } = bestOf(score);
      const name = nodeTypes[type]?.name;
      if (name === undefined || share < leastShare(mention, type)) continue;
      if (chosen.some(({ entity }) => entity.from < mention.to && mention.from < entity.to)) continue;
      const named = nameAt(passage, mention);
      if (named === null) continue;
      const entity = { ...mention, ...named, sentence: index, type: name, confidence: share };
      chosen.push({ entity, types: score.types });
    }
    return chosen.sort((a, b) => a.entity.from - b.entity.from);
  };
}

/** What a document is about, with how well it fits each node type. */
export interface TypedSubject {
  readonly typeScores: Float32Array;
  /** Has no place in the chunk. */
  readonly entity: FoundEntity;
}

/** By what the chunk says of the subject, else by its name alone; null where it fits no type. */
export function createSubjectTyper(
  schema: OntologySchema,
  { typer, models }: { readonly typer: Typer; readonly models: FactModels },
): (passage: Passage, typed: TypedPassage) => Promise<TypedSubject | null> {
  const alone = createRecentMap<string, Promise<Float32Array>>(MAX_SUBJECTS);
  return async ({ documentSubject }, { votes }) => {
    if (documentSubject === null) return null;
    const named = nameAt({ textOf: () => documentSubject }, { start: 0, end: documentSubject.length });
    if (named === null) return null;
    const voted = votes.best(named.key);
    const shares =
      voted === null
        ? await alone.getOrMake(documentSubject, () => typeAlone(documentSubject, typer, models))
        : meanOf(votes.sum(named.key), voted);
    const { type, share } = bestOf({ types: shares, none: 0 });
    const name = schema.nodeTypes[type]?.name;
    if (name === undefined || share < ENTITY_THRESHOLDS.name) return null;
    const place = { start: -1, end: -1, from: 0, to: 0, kind: "proper" as const, variantOf: null };
    return {
      typeScores: shares,
      entity: { ...place, ...named, sentence: -1, type: name, confidence: share },
    };
  };
}

function meanOf(
  sum: Float32Array | null,
  best: { readonly type: number; readonly share: number },
): Float32Array {
  if (sum === null) return new Float32Array(0);
  const count = (sum[best.type] ?? 0) / (best.share || 1);
  return sum.map((share) => share / count);
}

async function typeAlone(title: string, typer: Typer, models: FactModels): Promise<Float32Array> {
  const tokens = models.tag(title, { start: 0, end: title.length });
  const whole = { start: 0, end: title.length, from: 0, to: tokens.length, kind: "proper" as const };
  const mentions = [{ ...whole, variantOf: null }];
  const [scores] = typer.score({ tokens, mentions, states: await models.encode(title), offset: 0 });
  return scores?.types ?? new Float32Array(0);
}
