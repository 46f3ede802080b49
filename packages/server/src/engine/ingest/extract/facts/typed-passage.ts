/** Types the mentions of a chunk by an ontology, and chooses which of them are entities. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import type { Alias } from "../../../text/names/aliases.ts";
import { headOf, readableName } from "../../../text/type-names.ts";
import type { FactReading } from "../learned/fact-reading.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { RelationSentence } from "../relations/relation-types.ts";
import { buildTypeLexicon } from "../types/glossary/type-lexicon.ts";
import type { Typer, TypeScores } from "../types/type-scores.ts";
import { isPersonType } from "./back-references.ts";
import { hasOwnArticle, readTitleDefinition, type TitleDefinition } from "./definitions.ts";
import { bestOf, type FoundEntity, isRole, nameAt, type PossibleEntity } from "./found-entity.ts";
import type { FactModels, Passage, PassageSentence } from "./passage.ts";
import { createTypeRules, ENTITY_THRESHOLDS, NAMED_OUTRIGHT, type TypeRules } from "./type-rules.ts";
import { createTypeVotes, type TypeVotes } from "./type-votes.ts";

export interface TypedPassage {
  readonly sentences: readonly RelationSentence[];
  /** In the order of the text; those of one sentence do not overlap. */
  readonly possible: readonly PossibleEntity[];
  /** In the order of the schema's node types. */
  readonly votes: TypeVotes;
}

/** What is known of a passage before its names are typed. */
interface ReadBefore {
  readonly aliases: readonly Alias[];
  /** null without a model that reads facts. */
  readonly reading: FactReading | null;
}

const MAX_SUBJECTS = 64;

/** `turn`: called before each sentence, as many types make typing long. */
export function createTypedReader(
  schema: OntologySchema,
  typer: Typer,
  turn?: () => Promise<void>,
): (passage: Passage, given: ReadBefore) => Promise<TypedPassage> {
  const rules = createTypeRules(schema);
  const choose = createChooser(schema, rules);
  // Only these ask for the normal form of every mention's name.
  const hasUpper = schema.nodeTypes.some(({ level }) => level > 0);
  return async (passage, { aliases, reading }) => {
    const votes = createTypeVotes(aliases);
    const chosen: PossibleEntity[] = [];
    const sentences: RelationSentence[] = [];
    for (const sentence of passage.sentences) {
      await turn?.();
      const { tokens, mentions, encoded, start: offset, index } = sentence;
      const scored = typer.score({ tokens, mentions, states: encoded, offset });
      const scores = !hasUpper
        ? scored
        : scored.map((score, at) => {
            const mention = mentions[at];
            const key = mention === undefined ? undefined : nameAt(passage, mention)?.key;
            return mention === undefined || key === undefined
              ? score
              : withName(score, rules.upperNamed(mention, key));
          });
      for (const entity of choose(passage, sentence, { scores, reading })) {
        if (entity.isSure) votes.add(entity.key, entity.shares);
        chosen.push(entity);
      }
      const typed = mentions.map((mention, at) => ({ ...mention, typeScores: typesOf(scores[at]) }));
      sentences.push({ index, tokens, mentions: typed, encoded, offset });
    }
    // What a name surely is at one place of the chunk it is at all of them.
    const possible = chosen.map((entity) => {
      const best = entity.kind === "noun" ? null : votes.best(entity.key);
      const type = schema.nodeTypes[best?.type ?? -1]?.name;
      if (best === null || type === undefined) return entity;
      return { ...entity, type, isSure: true, confidence: Math.max(entity.confidence, best.share) };
    });
    return { sentences, possible, votes };
  };
}

/** What a type of a level above 0 has of a name that is not surely one of it goes to the types that it gathers. */
function withoutUnsureUpper(shares: Float32Array, { nodeTypes }: OntologySchema): Float32Array {
  const isUnsure = (share: number, type: number) =>
    (nodeTypes[type]?.level ?? 0) > 0 && share < ENTITY_THRESHOLDS.upper;
  const unsure = shares.reduce((sum, share, type) => sum + (isUnsure(share, type) ? share : 0), 0);
  if (unsure === 0) return shares;
  const rest = shares.reduce((sum, share) => sum + share, 0) - unsure;
  const scale = rest > 0 ? (rest + unsure) / rest : 0;
  return shares.map((share, type) => (isUnsure(share, type) ? 0 : share * scale));
}

/** What a name says outright goes before what it looks like. */
function withName(scores: TypeScores, type: number | null): TypeScores {
  if (type === null) return scores;
  const types = scores.types.map((_, at) => (at === type ? NAMED_OUTRIGHT : 0));
  return { types, none: Math.min(scores.none, 1 - NAMED_OUTRIGHT) };
}

function typesOf(scores: TypeScores | undefined): Float32Array {
  return scores?.types ?? new Float32Array(0);
}

interface ScoredNames {
  /** One for each mention. */
  readonly scores: readonly TypeScores[];
  readonly reading: FactReading | null;
}

type Choose = (passage: Passage, sentence: PassageSentence, scored: ScoredNames) => readonly PossibleEntity[];

/**
 * Share that the model which reads facts must give a type, too. Of the claims that are left out for it a quarter was read as true, of
 * those that are kept more than half (docs/decisions/0034-a-reader-of-facts.md).
 */
const LEAST_READ = 0.2;

/** Of what a sentence defines as a kind of thing that the ontology has a type for. */
const DEFINED_SHARE = 0.95;

/** The type that is named by a noun: its own head, or what the glossary knows of one type alone. */
function createNounTyper({ nodeTypes }: OntologySchema): (noun: string) => number | null {
  const readable = nodeTypes.map(({ name }) => readableName(name));
  const { words } = buildTypeLexicon(readable);
  return (noun) => {
    const own = readable.findIndex((name) => headOf(name) === noun);
    if (own >= 0) return nodeTypes[own]?.level === 0 ? own : null;
    const known = words.get(noun) ?? [];
    return known.length === 1 && nodeTypes[known[0] ?? -1]?.level === 0 ? (known[0] ?? null) : null;
  };
}

interface DefinitionContext {
  readonly tokens: PassageSentence["tokens"];
  readonly mentions: PassageSentence["mentions"];
  readonly typeOfNoun: (noun: string) => number | null;
}

interface DefinedTitle extends EntityMention {
  /** Index into the mentions. */
  readonly at: number;
  /** Index of the type that the sentence names; null where it names none. */
  readonly type: number | null;
}

function findDefined(
  definition: TitleDefinition | null,
  { tokens, mentions, typeOfNoun }: DefinitionContext,
): DefinedTitle | null {
  if (definition === null) return null;
  const { title, nouns } = definition;
  const isArticle = /^(?:the|an?)$/.test(tokens[title.from]?.lower ?? "") && !hasOwnArticle(definition);
  const first = isArticle ? title.from + 1 : title.from;
  const at = mentions.findIndex(({ from, to }) => from === first && to === title.to);
  const mention = mentions[at];
  const [noun] = nouns;
  const type = noun === undefined ? null : typeOfNoun(noun);
  // A single word is judged like any other, unless the sentence says what it is.
  if (mention === undefined || (type === null && title.to - first < 2)) return null;
  return { ...mention, kind: "proper", at, type };
}

/** What a sentence defines is something: of the type it names, else of one among those that it may be of. */
function readDefined(
  { at: _, type, ...mention }: DefinedTitle,
  score: TypeScores | undefined,
  schema: OntologySchema,
) {
  const { nodeTypes } = schema;
  const own = nodeTypes[type ?? -1];
  if (own !== undefined) {
    const shares = Float32Array.from(nodeTypes, (_type, at) => (at === type ? DEFINED_SHARE : 0));
    return { ...mention, type: own.name, confidence: DEFINED_SHARE, shares, isSure: true };
  }
  const some = score === undefined ? 0 : 1 - score.none;
  if (score === undefined || some <= 0) return null;
  const shares = withoutUnsureUpper(
    score.types.map((share) => share / some),
    schema,
  );
  const best = bestOf({ types: shares, none: 0 });
  const name = nodeTypes[best.type]?.name;
  if (name === undefined) return null;
  const share = score.types[best.type] ?? 0;
  const isSure = share >= ENTITY_THRESHOLDS.name;
  const confidence = isSure ? share : Math.min(best.share, ENTITY_THRESHOLDS.possible);
  return { ...mention, type: name, confidence, shares, isSure };
}

/** Takes what is defined, then the surest mentions that do not overlap. */
function createChooser(schema: OntologySchema, { leastShare, mayBe }: TypeRules): Choose {
  const { nodeTypes } = schema;
  const typeOfNoun = createNounTyper(schema);
  const asked = nodeTypes.map(({ name, level }) =>
    level > 0 || isPersonType(name) ? null : headOf(readableName(name)),
  );
  return (passage, { index, mentions, tokens }, { scores, reading }) => {
    const isDoubted = (mention: EntityMention, type: number, key: string) => {
      const head = asked[type] ?? null;
      if (mention.kind !== "proper" || head === null || reading?.unreadTypes.has(type) === true) return false;
      // "Project Osprey" says itself that it is a project.
      if (key !== head && key.split(" ").includes(head)) return false;
      return (reading?.typesOf(mention)?.[type] ?? 1) < LEAST_READ;
    };
    const order = mentions.map((_, at) => at);
    order.sort((a, b) => (scores[a]?.none ?? 1) - (scores[b]?.none ?? 1) || a - b);
    const defined = findDefined(readTitleDefinition(tokens), { tokens, mentions, typeOfNoun });
    const chosen: PossibleEntity[] = [];
    if (defined !== null) {
      const named = nameAt(passage, defined);
      const entity = readDefined(defined, scores[defined.at], schema);
      if (named !== null && entity !== null) chosen.push({ ...entity, ...named, sentence: index });
    }
    for (const at of order) {
      const [mention, score] = [mentions[at], scores[at]];
      if (mention === undefined || score === undefined) continue;
      // Most mentions end here: cheaper than their names.
      if (chosen.some(({ from, to }) => from < mention.to && mention.from < to)) continue;
      const named = nameAt(passage, mention);
      if (named === null || isRole(tokens, mention, named.key)) continue;
      const allowed = score.types.map((share, type) => (mayBe(mention, type, named.key) ? share : 0));
      const shares = withoutUnsureUpper(allowed, schema);
      const { type, share } = bestOf({ types: shares, none: score.none });
      const name = nodeTypes[type]?.name;
      const isSure = share >= leastShare(mention, type, named.key) && !isDoubted(mention, type, named.key);
      const isPossible = mention.kind === "proper" && 1 - score.none >= ENTITY_THRESHOLDS.possible;
      if (name === undefined || !(isSure || isPossible)) continue;
      chosen.push({ ...mention, ...named, sentence: index, type: name, confidence: share, shares, isSure });
    }
    return chosen.sort((a, b) => a.from - b.from);
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
  const { upperNamed } = createTypeRules(schema);
  return async ({ documentSubject }, { votes }) => {
    if (documentSubject === null) return null;
    const named = nameAt({ textOf: () => documentSubject }, { start: 0, end: documentSubject.length });
    if (named === null) return null;
    const shares =
      votes.mean(named.key) ??
      (await alone.getOrMake(documentSubject, () => typeAlone(documentSubject, typer, models)));
    const types = withName({ types: shares, none: 0 }, upperNamed({ kind: "proper" }, named.key));
    const { type, share } = bestOf(types);
    const name = schema.nodeTypes[type]?.name;
    if (name === undefined || share < ENTITY_THRESHOLDS.name) return null;
    const place = { start: -1, end: -1, from: 0, to: 0, kind: "proper" as const, variantOf: null };
    return {
      typeScores: types.types,
      entity: { ...place, ...named, sentence: -1, type: name, confidence: share },
    };
  };
}

/** Like a document's subject; whom "he" or "she" stands for is of the ontology's only type of people where the name alone does not tell. */
export function createAntecedentTyper(
  schema: OntologySchema,
  typeSubject: ReturnType<typeof createSubjectTyper>,
): (passage: Passage, typed: TypedPassage) => Promise<FoundEntity | null> {
  const [people, ...more] = schema.nodeTypes.filter(({ name }) => isPersonType(name));
  return async (passage, typed) => {
    const { antecedent } = passage;
    if (antecedent === null) return null;
    const { name: written, isPerson } = antecedent;
    const alone = await typeSubject({ ...passage, documentSubject: written }, typed);
    if (!isPerson || (alone !== null && isPersonType(alone.entity.type))) return alone?.entity ?? null;
    const named = nameAt({ textOf: () => written }, { start: 0, end: written.length });
    if (people === undefined || more.length > 0 || named === null) return null;
    const place = { start: -1, end: -1, from: 0, to: 0, kind: "proper" as const, variantOf: null };
    return { ...place, ...named, sentence: -1, type: people.name, confidence: ENTITY_THRESHOLDS.name };
  };
}

async function typeAlone(title: string, typer: Typer, models: FactModels): Promise<Float32Array> {
  const tokens = models.tag(title, { start: 0, end: title.length });
  const whole = { start: 0, end: title.length, from: 0, to: tokens.length, kind: "proper" as const };
  const mentions = [{ ...whole, variantOf: null }];
  const [scores] = typer.score({ tokens, mentions, states: await models.encode(title), offset: 0 });
  return scores?.types ?? new Float32Array(0);
}
