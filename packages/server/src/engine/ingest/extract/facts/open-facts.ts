/** Reads facts where no ontology says which there are: names of broad types, and what verbs say between two of them. */

import { type ChunkFacts, type ProposedRelationship, type Span, UNTYPED } from "../../../../domain/graph.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { languageOf } from "../../../text/language.ts";
import { honorifics } from "../../../text/names/name-words.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { type ConfidenceOf, confidenceOf } from "../confidence.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { withoutTitle } from "../mentions/titled-names.ts";
import { type CoarseScore, createCoarseTyper } from "../types/coarse-type.ts";
import { findAliasCandidates, hasLegalForm } from "./alias-candidates.ts";
import { readAliases, toAliasMentions } from "./aliases.ts";
import { resolveOpenings, withFullNames } from "./back-references.ts";
import { findSmallNames, readAsides, readDefinitions } from "./definitions.ts";
import {
  identifiedEntities,
  oneHot,
  rangeOf,
  shapedEntities,
  spanKey,
  workEntities,
} from "./formed-entities.ts";
import { type FoundEntity, isRole, nameAt, type PossibleEntity } from "./found-entity.ts";
import { isAmountOrContraction, isHeadingInCapitals } from "./non-names.ts";
import {
  type AskedTypes,
  OPEN_THRESHOLDS,
  type OpenReading,
  pairsOf,
  readForeignType,
  readOpenType,
  settleTypes,
  typesAsked,
} from "./open-entity-types.ts";
import { fitsSignature } from "./open-signatures.ts";
import { isOpenType, OPEN_TYPES } from "./open-types.ts";
import type { FactModels, Passage, PassageSentence, ReadFacts } from "./passage.ts";
import { isSharedMeaning } from "./relationship-names.ts";
import { type StatedTime, withStatedTimes } from "./stated-times.ts";
import { findLoneObjects, findStatementLinks, type StatementLink } from "./statement-links.ts";
import { createTypeVotes } from "./type-votes.ts";
import { innerCapitals, isWeakName, SURE_NAME } from "./weak-names.ts";

/** Where the sentence says in words what the name is. */
const DEFINED_CONFIDENCE = 0.95;
const MAX_SUBJECTS = 64;

type ScoreCoarse = Awaited<ReturnType<typeof createCoarseTyper>>;

export async function createOpenFactReader(models: FactModels): Promise<ReadFacts> {
  const score = await createCoarseTyper({ embed: models.embed });
  const calibrate = models.confidenceOf ?? confidenceOf;
  const subjects = createRecentMap<string, Promise<FoundEntity | null>>(MAX_SUBJECTS);
  const typeAntecedent = async ({ name, isPerson }: NonNullable<Passage["antecedent"]>) => {
    const typed = await subjects.getOrMake(name, () => typeTitle(name, models, score));
    const named = nameAt({ textOf: () => name }, { start: 0, end: name.length });
    if (!isPerson || named === null) return typed;
    const place = { start: -1, end: -1, from: 0, to: 0, kind: "proper" as const, variantOf: null };
    return { ...place, ...named, sentence: -1, type: "Person", confidence: OPEN_THRESHOLDS.entity };
  };
  return async (passage) => {
    const title = passage.documentSubject;
    const alone =
      title === null ? null : await subjects.getOrMake(title, () => typeTitle(title, models, score));
    const { antecedent } = passage;
    const before = antecedent === null ? null : await typeAntecedent(antecedent);
    return readChunk(passage, { score, calibrate, documentSubject: alone, antecedent: before });
  };
}

/** What the title alone is taken for. */
async function typeTitle(title: string, models: FactModels, score: ScoreCoarse): Promise<FoundEntity | null> {
  const tokens = models.tag(title, { start: 0, end: title.length });
  const whole = { start: 0, end: title.length, from: 0, to: tokens.length, variantOf: null };
  const named = nameAt({ textOf: () => title }, whole);
  if (named === null || tokens.length === 0) return null;
  const mention = { ...whole, kind: "proper" as const };
  const states = await models.encode(title);
  const [best] = score({ tokens, mentions: [mention], states, offset: 0 });
  const read = best === undefined ? null : readOpenType(best, { ...mention, isWhole: true }, title);
  return read?.isSure === true ? { ...mention, ...named, sentence: -1, ...read } : null;
}

interface Reading {
  readonly score: ScoreCoarse;
  readonly calibrate: ConfidenceOf;
  readonly documentSubject: FoundEntity | null;
  readonly antecedent: FoundEntity | null;
}

function readChunk(passage: Passage, { score, calibrate, ...outside }: Reading): ChunkFacts {
  const stated = readAliases(passage);
  const inner = innerCapitals(passage);
  const context: EntityContext = {
    passage,
    score,
    // Rules and models are made for English, which is also supposed where the language is not known.
    language: languageOf(passage.textOf(passage)) ?? "en",
    names: new Set(passage.names.map(spanKey)),
    whole: new Set(passage.names.filter(({ isVariant }) => !isVariant).map(spanKey)),
    small: findSmallNames(passage.sentences),
  };
  const found = passage.sentences.flatMap((sentence) =>
    findEntities(sentence, context).filter((entity) => !isWeakName(entity, { sentence, passage, inner })),
  );
  const votes = createTypeVotes(stated);
  // What a sentence says that a name is decides, however often the name's words alone say otherwise.
  const defined = new Set(found.filter(({ isDefined }) => isDefined).map(({ key }) => key));
  for (const { key, type, confidence, isSure, isDefined } of found)
    if (isSure && isOpenType(type) && (isDefined || !defined.has(key)))
      votes.add(key, oneHot(type, confidence));
  const voted = found.map((entity): PossibleEntity => {
    const type = OPEN_TYPES[votes.best(entity.key)?.type ?? -1];
    const isShaped = entity.isSure && !isOpenType(entity.type);
    return type === undefined || isShaped ? entity : { ...entity, type, isSure: true };
  });
  const first = joinChunk(passage, voted, outside);
  const settled = settleTypes(first.entities, first.asked, pairsOf(first.entities, passage));
  const { entities, links } = joinChunk(passage, withSettled(first.entities, settled), outside);
  const typeOf = new Map(entities.map(({ key, type }) => [key, type]));
  const keys = [...typeOf].map(([key, type]) => ({ type, key }));
  const fitting = links
    .filter(isFitting)
    .map(({ link, sentence }) => ({ ...link, sentence: sentence.index }));
  const related = withStatedTimes(fitting, { passage, isFunctional: () => false }).map((one) =>
    toProposable(one, { passage, calibrate }),
  );
  const { asserted, proposed } = passage.limits;
  return {
    entities: entities.map(({ type, key, name, start, end, confidence }) => {
      return { type, key, name, start, end, confidence };
    }),
    relationships: related.filter(({ confidence }) => confidence >= asserted),
    proposals: related.filter(({ confidence }) => confidence < asserted && confidence >= proposed),
    properties: [],
    aliases: toAliasMentions(stated, typeOf),
    candidates: keys.flatMap(findAliasCandidates),
    unfit: [],
  };
}

function toProposable(
  {
    type,
    source,
    target,
    sentence,
    validFrom,
    validTo,
    timing,
  }: Pick<StatementLink, "type" | "source" | "target"> & StatedTime & { readonly sentence: number },
  { passage, calibrate }: { readonly passage: Passage; readonly calibrate: ConfidenceOf },
): ProposedRelationship {
  const { start, end } = passage.sentences[sentence] ?? passage;
  // Several wordings share the meanings that are known; other verbs are taken as they are.
  const extractor = isSharedMeaning(type) ? "open statement" : "open verb";
  return {
    type,
    source: { type: source.type, key: source.key },
    target: { type: target.type, key: target.key },
    sourceName: source.name,
    targetName: target.name,
    confidence: calibrate(extractor, Math.sqrt(source.confidence * target.confidence)),
    extractor,
    ...{ validFrom, validTo, timing, start, end },
  };
}

interface JoinedChunk {
  readonly entities: readonly PossibleEntity[];
  readonly asked: readonly AskedTypes[];
  readonly links: readonly { readonly link: StatementLink; readonly sentence: PassageSentence }[];
}

/** Short forms and pronouns taken for whom they stand for, and what the sentences state between names. */
function joinChunk(
  passage: Passage,
  found: readonly PossibleEntity[],
  outside: Pick<Reading, "documentSubject" | "antecedent">,
): JoinedChunk {
  const ownOr = (entity: FoundEntity | null) => found.find(({ key }) => key === entity?.key) ?? entity;
  const documentSubject = ownOr(outside.documentSubject);
  const antecedent = ownOr(outside.antecedent);
  const entities = withFullNames(found, documentSubject);
  const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
  const entitiesOf = (sentence: number) => bySentence.get(sentence) ?? [];
  const openings = resolveOpenings(passage.sentences, entitiesOf, documentSubject, antecedent);
  const inputs = passage.sentences.map((sentence, at) => {
    return { sentence, entities: entitiesOf(at), opening: openings[at] ?? null, documentSubject };
  });
  const links = inputs.flatMap((input) =>
    findStatementLinks(input)
      .filter(({ isVague }) => !isVague)
      .map((link) => ({ link, sentence: input.sentence })),
  );
  const ends = links.map(({ link: { type, source, target } }) => {
    return { type, source: source.key, target: target.key };
  });
  const alone = inputs.flatMap(findLoneObjects).map(({ name: { type, isInverse }, object: { key } }) => {
    return { type, source: isInverse ? key : null, target: isInverse ? null : key };
  });
  return { entities, links, asked: [...ends, ...alone].flatMap(typesAsked) };
}

function withSettled(
  entities: readonly PossibleEntity[],
  settled: ReadonlyMap<string, string>,
): readonly PossibleEntity[] {
  return entities.map((entity) => ({ ...entity, type: settled.get(entity.key) ?? entity.type }));
}

function isFitting({ link: { type, source, target } }: JoinedChunk["links"][number]): boolean {
  return fitsSignature(type, source.type, target.type);
}

/** What the sentences of a chunk have in common. */
interface EntityContext {
  readonly passage: Passage;
  readonly score: ScoreCoarse;
  /** ISO 639-1. */
  readonly language: string;
  /** The spans of `Passage.names`, as `spanKey` writes them. */
  readonly names: ReadonlySet<string>;
  /** Of those that are no part of another, and not several joined. */
  readonly whole: ReadonlySet<string>;
  /** As `findSmallNames` returns them. */
  readonly small: ReadonlySet<string>;
}

/** Names that do not overlap, the surest first taken; before them those that the sentence says what they are. */
function findEntities(sentence: PassageSentence, context: EntityContext): readonly PossibleEntity[] {
  const { passage, whole } = context;
  const shaped = shapedEntities(sentence, context);
  const definitions = readDefinitions(sentence);
  const asides = readAsides(sentence);
  const definitionOf = ({ variantOf, start, from, to }: EntityMention) =>
    asides.get(`${from} ${to}`) ?? (variantOf === null ? definitions.get(start) : undefined);
  const rank = ({ mention, isWhole, score, none }: Candidate) => {
    if (mention.isTitle === true) return -2;
    if (definitionOf(mention) !== undefined) return -1;
    // "Fjordline Energi AS" goes before "Fjordline Energi".
    const isSome = 1 - score.none >= OPEN_THRESHOLDS.entityByHead;
    const isFirm = isWhole && isSome && hasLegalForm(normalizeName(passage.textOf(mention)));
    return isFirm ? 0 : none;
  };
  const order = findCandidates(sentence, context, shaped).sort((a, b) => rank(a) - rank(b));
  const hasTitle = order.some(({ mention }) => mention.isTitle);
  const chosen: PossibleEntity[] = [
    ...shaped,
    ...(hasTitle ? [] : workEntities(sentence, { passage, whole })),
  ];
  for (const candidate of order) {
    const { isWhole } = candidate;
    const untitled = isWhole ? withoutTitle(sentence.tokens, candidate.mention) : null;
    const mention = untitled ?? candidate.mention;
    if (chosen.some(({ from, to }) => from < mention.to && mention.from < to)) continue;
    const written = passage.textOf(mention);
    const named = nameAt(passage, mention);
    if (named === null || !(/\p{L}{2}/u.test(named.key) || (mention.isTitle && definitionOf(mention))))
      continue;
    if (isRole(sentence.tokens, mention, named.key) || isNonName(passage, mention, written)) continue;
    const defined = untitled === null ? definitionOf(mention) : "Person";
    const read =
      defined === undefined
        ? (readCandidate(candidate, sentence, context) ?? (mention.isTitle ? UNKNOWN : null))
        : { ...definedAs(defined), isDefined: definitionOf(mention) !== undefined };
    if (read === null || (mention.kind === "quoted" && read.type !== "Work" && !isWhole)) continue;
    chosen.push({ ...mention, ...named, sentence: sentence.index, ...read });
  }
  const identified = identifiedEntities(passage, sentence).filter(
    ({ from, to }) => !chosen.some((one) => one.from < to && from < one.to),
  );
  return [...chosen, ...identified].sort((a, b) => a.from - b.from);
}

/** What a document is about is something. */
const UNKNOWN: OpenReading = {
  ...{ type: UNTYPED, confidence: OPEN_THRESHOLDS.whole, isSure: false },
  shares: new Float32Array(OPEN_TYPES.length),
};

function isNonName(passage: Passage, { start, end }: Span, written: string): boolean {
  const span = { start: start - passage.start, end: end - passage.start };
  return isAmountOrContraction(written) || isHeadingInCapitals(passage.textOf(passage), span);
}

function definedAs(type: string) {
  return { type, confidence: DEFINED_CONFIDENCE, shares: oneHot(type, 1), isSure: true };
}

interface Candidate {
  readonly mention: EntityMention;
  /** Neither a part of a longer name, nor several joined. */
  readonly isWhole: boolean;
  readonly score: CoarseScore;
  /** How likely its bounds are wrong, or it is nothing; `score` can be that of other bounds. */
  readonly none: number;
}

/** The names that the name finder of retrieval finds, too; and what stands in quotation marks. */
function findCandidates(
  sentence: PassageSentence,
  { passage, score, names, whole }: EntityContext,
  shaped: readonly PossibleEntity[],
): Candidate[] {
  const { tokens, encoded: states, start: offset } = sentence;
  const mentions = sentence.mentions.filter(({ kind }) => kind === "proper" || kind === "quoted");
  const known = new Set(sentence.mentions.map(spanKey));
  const measures = sentence.mentions.filter(
    ({ kind, from, to }) => (kind === "date" || kind === "number") && to - from > 1,
  );
  for (const { start, end, ...name } of passage.names) {
    const isOther =
      name.sentence === sentence.index && !name.isVariant && !known.has(spanKey({ start, end }));
    const range = isOther ? rangeOf(tokens, { start, end }) : null;
    if (range !== null) mentions.push({ start, end, ...range, kind: "proper", variantOf: null });
  }
  const taken = [...shaped, ...measures];
  const isFree = (mention: EntityMention) =>
    !taken.some(({ from, to }) => from < mention.to && mention.from < to);
  const isName = (mention: EntityMention) =>
    mention.isFirm || mention.isTitle || mention.kind === "quoted" || names.has(spanKey(mention));
  const found = mentions.filter((mention) => isName(mention) && isFree(mention));
  // Scores are most of the work: only those are computed that are asked for.
  const scored = mentions.filter((mention) => found.some((name) => isLike(name, mention)));
  const scores = scored.length === 0 ? [] : score({ tokens, mentions: scored, states, offset });
  return found.map((mention) => {
    const own = scores[scored.indexOf(mention)]!; // A name is like itself.
    const isWhole = mention.isFirm || mention.isTitle || whole.has(spanKey(mention));
    const surest = isWhole
      ? scores.filter((_, at) => isLike(mention, scored[at]!)).reduce((a, b) => (b.none < a.none ? b : a))
      : own;
    return { mention, isWhole, score: surest, none: own.none };
  });
}

/** Readings with other bounds share what the model gives a name; the bounds are the name finder's. */
function isLike({ from, to }: EntityMention, other: EntityMention): boolean {
  const shared = Math.min(to, other.to) - Math.max(from, other.from);
  return 2 * shared >= Math.max(to, other.to) - Math.min(from, other.from);
}

function readCandidate(
  { mention, isWhole, score }: Candidate,
  { tokens }: PassageSentence,
  { passage, language }: EntityContext,
) {
  const written = passage.textOf(mention);
  const before = tokens[mention.from - 1]?.lower.replace(/\.$/, "") ?? "";
  if (isWhole && honorifics.has(before)) return { ...definedAs("Person"), confidence: SURE_NAME };
  const read = { ...mention, isWhole };
  return language === "en" ? readOpenType(score, read, written) : readForeignType(read, written, language);
}
