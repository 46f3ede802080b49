/** Reads the facts that an ontology has types for, and counts what it has none for. */

import type { RelationshipMention } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { confidenceOf } from "../confidence.ts";
import { createReadText, type ReadText } from "../learned/create-reading.ts";
import type { FactReading } from "../learned/fact-reading.ts";
import { withFoundNames } from "../learned/found-names.ts";
import { createPairReader } from "../pairs/pair-reader.ts";
import type { ScoredSentence } from "../pairs/sentence-names.ts";
import { createWordVectors } from "../pairs/word-vectors.ts";
import { createRecordReader } from "../records/record-links.ts";
import { createRelationExtractor } from "../relations/create-relation-extractor.ts";
import type { Typer } from "../types/type-scores.ts";
import { createTyper } from "../types/typer.ts";
import { createSpanScorer } from "../types/typing-network.ts";
import { readWeights } from "../types/weights.ts";
import { findAliasCandidates } from "./alias-candidates.ts";
import { readAliases, toAliasMentions } from "./aliases.ts";
import { type Opening, resolveOpenings, withFullNames } from "./back-references.ts";
import type { FoundEntity, PossibleEntity } from "./found-entity.ts";
import { createMemberReader } from "./members.ts";
import { createLinkReader, type SentenceLink } from "./ontology-links.ts";
import type { FactModels, Passage, PassageSentence, ReadFacts } from "./passage.ts";
import { createPropertyReader } from "./properties.ts";
import { type JoinedRelation, joinRelations } from "./relation-facts.ts";
import { type StatedTime, withStatedTimes } from "./stated-times.ts";
import { findStatementLinks } from "./statement-links.ts";
import {
  createAntecedentTyper,
  createSubjectTyper,
  createTypedReader,
  type TypedPassage,
} from "./typed-passage.ts";
import { createUnfitReader } from "./unfit.ts";

/** Made once for an ontology in each thread: about a second, most of it embedding, 15 of 2,000 node types and edge types. Keeps no text but words and titles in bounded maps. */
export async function createOntologyFactReader(
  schema: OntologySchema,
  models: FactModels,
): Promise<ReadFacts> {
  const calibrate = models.confidenceOf ?? confidenceOf;
  const calibrated = (relations: readonly JoinedRelation[]) =>
    relations.map((one) => ({ ...one, confidence: calibrate(one.extractor, one.confidence) }));
  const typing = { embed: models.embed, scoreSpans: createSpanScorer(readWeights()) };
  const typer = await createTyper(schema.nodeTypes, { ...typing, turn: models.turn });
  const vectors = createWordVectors(models.embed);
  const turn = models.turn ?? (async () => undefined);
  await turn();
  const relations = await createRelationExtractor(schema, { ...models, ...models.relations, vectors });
  await turn();
  const readTyped = createTypedReader(schema, typer, models.turn);
  const typeSubject = createSubjectTyper(schema, { typer, models });
  const typeAntecedent = createAntecedentTyper(schema, typeSubject);
  const readProperties = createPropertyReader(schema);
  const readLink = createLinkReader(schema);
  await turn();
  const readRecords = await createRecordReader(schema, models.embed, models.turn);
  await turn();
  const readText =
    models.facts === undefined ? null : await createReadText(schema, { ...models, model: models.facts });
  await turn();
  const pairs = await createPairReader(schema, { ...models, typer, vectors, readText });
  await turn();
  const readUnfit = await createUnfitReader(schema, typing);
  const readMembers = createMemberReader(schema);
  const timed = new Map(
    schema.edgeTypes.filter(({ temporal }) => temporal).map((edge) => [edge.name, edge.functional]),
  );
  const isFunctional = (type: string) => timed.get(type) ?? null;
  const isTaught = schema.edgeTypes.some(({ examples }) => examples.length > 0);
  return async (given) => {
    const passage = isTaught ? await withLoneSentences(given, models) : given;
    const learned = await readWhole(given, readText);
    const aliases = readAliases(passage);
    const typed = await readTyped(passage, { aliases, reading: learned });
    const subject = await typeSubject(passage, typed);
    const documentSubject = subject?.entity ?? null;
    const possible = withFullNames(typed.possible, documentSubject);
    const sure = possible.filter(({ isSure }) => isSure);
    const before = await typeAntecedent(passage, typed);
    const openings = resolveOpenings(passage.sentences, inSentence(sure), documentSubject, before);
    const links = findLinks(passage, { possible, openings, documentSubject });
    const records = await readRecords(passage, (name) => learned?.typesOf(name) ?? null);
    const stated = calibrated([...records.relations, ...links.flatMap((link) => readLink(link) ?? [])]);
    const prose = passage.sentences.filter((sentence) => !records.covers(sentence));
    const likely = calibrated(await pairs.read(passage, scoreProse(prose, { typed, learned, typer })));
    const distant = subject === null ? null : { start: -1, end: -1, typeScores: subject.typeScores };
    const sentences = prose.flatMap(({ index }) => typed.sentences[index] ?? []);
    const found = await relations.extract({ sentences, documentSubject: distant });
    const joined = joinRelations({
      ...{ schema, passage, typed, subject, found, stated, likely },
      confidenceOf: calibrate,
      entities: sure,
    });
    const related = withStatedTimes(surest(joined.relations), { passage, isFunctional });
    const proposed = withStatedTimes(joined.proposals, { passage, isFunctional });
    const { entities } = joined;
    const typeOf = new Map(entities.map(({ key, type }) => [key, type]));
    const keys = new Map(entities.map(({ key, type }) => [`${type}\n${key}`, { type, key }]));
    return {
      entities: entities.map(({ type, key, name, start, end, confidence }) => {
        return { type, key, name, start, end, confidence };
      }),
      relationships: related.map((relation) => toMention(relation, passage)),
      proposals: proposed.map((relation) => {
        const names = { sourceName: relation.source.name, targetName: relation.target.name };
        return { ...toMention(relation, passage), ...names };
      }),
      properties: readProperties({ passage, entities, openings, documentSubject }),
      aliases: toAliasMentions(aliases, typeOf),
      candidates: [...keys.values()].flatMap(findAliasCandidates),
      members: readMembers({ passage, entities, relations: related, openings }),
      unfit: [...joined.unfit, ...readUnfit({ passage, entities, links, relations: related })],
    };
  };
}

/** null without a model that reads facts. */
async function readWhole({ whole, offset }: Passage, readText: ReadText | null): Promise<FactReading | null> {
  const { lower, starts, ends } = whole;
  if (readText === null || lower === undefined) return null;
  return readText({ lower, starts, ends }, offset);
}

/** Each sentence encoded without the others, as examples are: what they teach does not hold as well for sentences in their context. */
async function withLoneSentences(passage: Passage, { encode }: FactModels): Promise<Passage> {
  const known = new Map<string, PassageSentence["encoded"]>();
  const sentences: PassageSentence[] = [];
  for (const sentence of passage.sentences) {
    const text = passage.textOf(sentence);
    const encoded = known.get(text) ?? (await encode(text));
    known.set(text, encoded);
    sentences.push({ ...sentence, encoded });
  }
  return { ...passage, sentences };
}

interface ProseReading {
  readonly typed: TypedPassage;
  readonly learned: FactReading | null;
  readonly typer: Typer;
}

/** For pairs, with the names and types that the model reads; without it, as the entities are typed. */
function scoreProse(
  prose: readonly PassageSentence[],
  { typed, learned, typer }: ProseReading,
): readonly ScoredSentence[] {
  return prose.map((sentence) => {
    if (learned !== null) {
      const mentions = withFoundNames(sentence, learned);
      const encoded = { ...sentence.encoded, reading: learned };
      const { tokens, start: offset } = sentence;
      return {
        ...sentence,
        mentions,
        encoded,
        scores: typer.score({ tokens, mentions, states: encoded, offset }),
      };
    }
    const scores = (typed.sentences[sentence.index]?.mentions ?? []).map(({ typeScores: types }) => {
      return { types, none: Math.max(0, 1 - types.reduce((sum, share) => sum + share, 0)) };
    });
    return { ...sentence, scores };
  });
}

function inSentence<Entity extends FoundEntity>(entities: readonly Entity[]) {
  const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
  return (sentence: number) => bySentence.get(sentence) ?? [];
}

interface LinkContext {
  readonly possible: readonly PossibleEntity[];
  readonly openings: readonly (Opening | null)[];
  readonly documentSubject: FoundEntity | null;
}

function findLinks(
  passage: Passage,
  { possible, openings, documentSubject }: LinkContext,
): readonly SentenceLink[] {
  const entitiesOf = inSentence(possible);
  return passage.sentences.flatMap((sentence, at) => {
    const input = { sentence, entities: entitiesOf(at), opening: openings[at] ?? null, documentSubject };
    return findStatementLinks(input).map((link) => ({ ...link, sentence: at }));
  });
}

/** Of relations that two extractors read in one sentence the surer one. */
function surest(relations: readonly JoinedRelation[]): readonly JoinedRelation[] {
  const best = new Map<string, JoinedRelation>();
  for (const relation of relations) {
    const { sentence, type, source, target } = relation;
    const id = [sentence, type, source.type, source.key, target.type, target.key].join("\n");
    const known = best.get(id);
    const surer = known !== undefined && known.confidence >= relation.confidence ? known : relation;
    best.set(id, surer);
  }
  return [...best.values()].sort((a, b) => a.sentence - b.sentence);
}

function toMention(relation: JoinedRelation & StatedTime, passage: Passage): RelationshipMention {
  const { type, source, target, confidence, extractor, validFrom, validTo, timing } = relation;
  const { start, end } = passage.sentences[relation.sentence] ?? passage;
  return {
    type,
    source: { type: source.type, key: source.key },
    target: { type: target.type, key: target.key },
    confidence,
    extractor,
    validFrom,
    validTo,
    timing,
    start,
    end,
  };
}
