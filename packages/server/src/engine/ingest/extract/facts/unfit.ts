/** Counts what the text names or states and the ontology has no type for. */

import type { UnfitFact } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createCoarseTyper } from "../types/coarse-type.ts";
import type { TyperDeps } from "../types/typer.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { SentenceLink } from "./ontology-links.ts";
import { isOpenType } from "./open-types.ts";
import type { Passage, PassageSentence } from "./passage.ts";
import { type JoinedRelation, quoteOf } from "./relation-facts.ts";

export interface UnfitInput {
  readonly passage: Passage;
  readonly entities: readonly FoundEntity[];
  readonly relations: readonly JoinedRelation[];
  /** What verbs say between two entities, whatever the ontology has for it. */
  readonly links: readonly SentenceLink[];
}

/** Share of a broad type from which a name that became no entity is surely one. */
const SURE = 0.8;
const MAX_FACTS = 40;

export async function createUnfitReader(
  schema: OntologySchema,
  deps: TyperDeps,
): Promise<(input: UnfitInput) => readonly UnfitFact[]> {
  const score = await createCoarseTyper(deps);
  // A name that is surely a person, and no type is sure of, is no reason to add the type that the ontology has.
  const own = new Set(
    schema.nodeTypes.flatMap(({ name, aliases }) => [name, ...aliases].map((each) => each.toLowerCase())),
  );

  function namesWithoutType(sentence: PassageSentence, entities: readonly FoundEntity[]): readonly string[] {
    const mentions = sentence.mentions.filter(
      ({ kind, variantOf, from, to }) =>
        kind === "proper" && variantOf === null && !entities.some((own) => own.from < to && from < own.to),
    );
    if (mentions.length === 0) return [];
    const { tokens, encoded: states, start: offset } = sentence;
    return score({ tokens, mentions, states, offset }).flatMap(({ type, confidence, none }) => {
      return confidence * (1 - none) >= SURE && isOpenType(type) && !own.has(type.toLowerCase())
        ? [type]
        : [];
    });
  }

  return ({ passage, entities, relations, links }) => {
    const unfit: UnfitFact[] = [];
    const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
    for (const sentence of passage.sentences) {
      const own = bySentence.get(sentence.index) ?? [];
      const example = quoteOf(passage, sentence.index);
      for (const name of namesWithoutType(sentence, own))
        unfit.push({ kind: "entity", sourceType: "", name, targetType: "", count: 1, example });
    }
    const keys = new Set(entities.map(({ key }) => key));
    for (const link of links) {
      const { type: name, source, target, sentence, isVague } = link;
      if (isVague) continue;
      // A name that is no entity is no end of a relationship either.
      if (!keys.has(source.key) || !keys.has(target.key)) continue;
      const isKept = relations.some(
        (one) => one.sentence === sentence && isPair(one, source.key, target.key),
      );
      if (isKept) continue;
      const types = { sourceType: source.type, targetType: target.type };
      unfit.push({ kind: "relationship", ...types, name, count: 1, example: quoteOf(passage, sentence) });
    }
    return unfit.slice(0, MAX_FACTS);
  };
}

function isPair({ source, target }: JoinedRelation, one: string, other: string): boolean {
  return (source.key === one && target.key === other) || (source.key === other && target.key === one);
}
