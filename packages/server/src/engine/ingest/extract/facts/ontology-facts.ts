/** Reads the facts that an ontology has types for, and counts what it has none for. */

import type { RelationshipMention } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRelationExtractor } from "../relations/create-relation-extractor.ts";
import { createTyper } from "../types/typer.ts";
import { findAliasCandidates } from "./alias-candidates.ts";
import { readAliases, toAliasMentions } from "./aliases.ts";
import { resolveOpenings, withFullNames } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { FactModels, Passage, ReadFacts } from "./passage.ts";
import { createLinkReader } from "./ontology-links.ts";
import { createPropertyReader } from "./properties.ts";
import { identityOf, type JoinedRelation, joinRelations } from "./relation-facts.ts";
import { findStatementLinks } from "./statement-links.ts";
import { createSubjectTyper, createTypedReader } from "./typed-passage.ts";
import { createUnfitReader } from "./unfit.ts";

/** Made once for an ontology: about a second, most of it embedding. Keeps no text but words and titles in bounded maps. */
export async function createOntologyFactReader(
  schema: OntologySchema,
  models: FactModels,
): Promise<ReadFacts> {
  const typer = await createTyper(schema.nodeTypes, { embed: models.embed });
  const relations = await createRelationExtractor(schema, models);
  const readTyped = createTypedReader(schema, typer);
  const typeSubject = createSubjectTyper(schema, { typer, models });
  const readProperties = createPropertyReader(schema);
  const readLink = createLinkReader(schema);
  const readUnfit = createUnfitReader();
  return async (passage) => {
    const aliases = readAliases(passage);
    const typed = readTyped(passage, aliases);
    const subject = await typeSubject(passage, typed);
    const { sentences } = typed;
    const distant = subject === null ? null : { start: -1, end: -1, typeScores: subject.typeScores };
    const found = await relations.extract({ sentences, documentSubject: distant });
    const joined = joinRelations({ schema, passage, typed, subject, found });
    const documentSubject = subject?.entity ?? null;
    const entities = withFullNames(joined.entities, documentSubject);
    const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
    const entitiesOf = (sentence: number) => bySentence.get(sentence) ?? [];
    const openings = resolveOpenings(passage.sentences, entitiesOf, documentSubject);
    const typeOf = new Map(entities.map(({ key, type }) => [key, type]));
    const keys = new Map(entities.map(({ key, type }) => [`${type}\n${key}`, { type, key }]));
    const links = passage.sentences.flatMap((sentence, at) => {
      const opening = openings[at] ?? null;
      return findStatementLinks({ sentence, entities: entitiesOf(at), opening, documentSubject }).map(
        (link) => ({ ...link, sentence: at }),
      );
    });
    const stated = links.flatMap((link) => readLink(link) ?? []);
    const relationsNow = surest([...withNames(joined.relations, entities), ...stated]);
    const input = { passage, entities, openings, documentSubject };
    return {
      entities: entities.map(({ type, key, name, start, end, confidence }) => {
        return { type, key, name, start, end, confidence };
      }),
      relationships: relationsNow.map((relation) => toMention(relation, passage)),
      properties: readProperties(input),
      aliases: toAliasMentions(aliases, typeOf),
      candidates: [...keys.values()].flatMap(findAliasCandidates),
      unfit: [...joined.unfit, ...readUnfit({ passage, entities, links, relations: relationsNow })],
    };
  };
}

/** The relations between the entities as they are named in the end. */
function withNames(
  relations: readonly JoinedRelation[],
  entities: readonly FoundEntity[],
): readonly JoinedRelation[] {
  const named = new Map(entities.map((entity) => [identityOf(entity), entity]));
  const nowOf = (end: FoundEntity) => named.get(identityOf(end)) ?? end;
  return relations
    .map((relation) => ({ ...relation, source: nowOf(relation.source), target: nowOf(relation.target) }))
    .filter(({ source, target }) => source.key !== target.key);
}

/** Of relations that two extractors read in one sentence the surer one. */
function surest(relations: readonly JoinedRelation[]): readonly JoinedRelation[] {
  const best = new Map<string, JoinedRelation>();
  for (const relation of relations) {
    const { sentence, type, source, target } = relation;
    const id = [sentence, type, source.type, source.key, target.type, target.key].join("\n");
    const known = best.get(id);
    const validity = { validFrom: known?.validFrom ?? relation.validFrom, validTo: known?.validTo ?? relation.validTo };
    if (known === undefined || known.confidence < relation.confidence) best.set(id, { ...relation, ...validity });
  }
  return [...best.values()].sort((a, b) => a.sentence - b.sentence);
}

function toMention(relation: JoinedRelation, passage: Passage): RelationshipMention {
  const { type, source, target, confidence, validFrom, validTo } = relation;
  const { start, end } = passage.sentences[relation.sentence] ?? passage;
  return {
    type,
    source: { type: source.type, key: source.key },
    target: { type: target.type, key: target.key },
    confidence,
    extractor: relation.extractor,
    validFrom,
    validTo,
    start,
    end,
  };
}
