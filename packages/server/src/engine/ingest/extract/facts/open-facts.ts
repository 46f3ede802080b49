/** Reads facts where no ontology says which there are: names of broad types, and what verbs say between two of them. */

import type { ChunkFacts } from "../../../../domain/graph.ts";
import { type CoarseScore, createCoarseTyper } from "../types/coarse-type.ts";
import { findAliasCandidates } from "./alias-candidates.ts";
import { readAliases, toAliasMentions } from "./aliases.ts";
import { resolveOpenings, withFullNames } from "./back-references.ts";
import { readDefinitions } from "./definitions.ts";
import { type FoundEntity, isDescription, isRole, nameAt } from "./found-entity.ts";
import { fitsSignature } from "./open-signatures.ts";
import { isOpenType, OPEN_TYPES, typeByHead } from "./open-types.ts";
import type { FactModels, Passage, PassageSentence, ReadFacts } from "./passage.ts";
import { createRecentMap } from "./recent-map.ts";
import { findStatementLinks } from "./statement-links.ts";
import { createTypeVotes, type TypeVotes } from "./type-votes.ts";

export const OPEN_THRESHOLDS = {
  /** Something, as against nothing or a wrong span. */
  entity: 0.5,
  /** Of one type, as against the others. */
  type: 0.5,
  /** Something, where its own words say of what type it is: "Warsaw University of Technology". */
  entityByHead: 0.1,
} as const;

/** Where the sentence says in words what the name is. */
const DEFINED_CONFIDENCE = 0.95;
const MAX_SUBJECTS = 64;

type ScoreCoarse = Awaited<ReturnType<typeof createCoarseTyper>>;

export async function createOpenFactReader(models: FactModels): Promise<ReadFacts> {
  const score = await createCoarseTyper({ embed: models.embed });
  const subjects = createRecentMap<string, Promise<FoundEntity | null>>(MAX_SUBJECTS);
  return async (passage) => {
    const title = passage.documentSubject;
    const alone =
      title === null ? null : await subjects.getOrMake(title, () => typeTitle(title, models, score));
    return readChunk(passage, { score, documentSubject: alone });
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
  const read = best === undefined ? null : typeOf(best, title);
  return read === null ? null : { ...mention, ...named, sentence: -1, ...read };
}

interface Reading {
  readonly score: ScoreCoarse;
  readonly documentSubject: FoundEntity | null;
}

function readChunk(passage: Passage, { score, documentSubject: title }: Reading): ChunkFacts {
  const stated = readAliases(passage);
  const sure = passage.sentences.flatMap((sentence) => findEntities(passage, sentence, score));
  const votes = createTypeVotes(stated);
  for (const { key, type, confidence } of sure) votes.add(key, oneHot(type, confidence));
  const voted = findAgain(passage, sure, votes).map((entity) => {
    const type = OPEN_TYPES[votes.best(entity.key)?.type ?? -1];
    return type === undefined ? entity : { ...entity, type };
  });
  const own = title === null ? undefined : voted.find(({ key }) => key === title.key);
  const documentSubject = own ?? title;
  const entities = withFullNames(voted, documentSubject);
  const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
  const entitiesOf = (sentence: number) => bySentence.get(sentence) ?? [];
  const openings = resolveOpenings(passage.sentences, entitiesOf, documentSubject);
  const links = passage.sentences.flatMap((sentence, at) =>
    findStatementLinks({
      sentence,
      entities: entitiesOf(at),
      opening: openings[at] ?? null,
      documentSubject,
    })
      .filter(({ type, source, target }) => fitsSignature(type, source.type, target.type))
      .map((link) => ({ link, sentence })),
  );
  const typeOf = new Map(entities.map(({ key, type }) => [key, type]));
  const keys = [...typeOf].map(([key, type]) => ({ type, key }));
  return {
    entities: entities.map(({ type, key, name, start, end, confidence }) => {
      return { type, key, name, start, end, confidence };
    }),
    relationships: links.map(({ link: { type, source, target }, sentence: { start, end } }) => {
      return {
        type,
        source: { type: source.type, key: source.key },
        target: { type: target.type, key: target.key },
        confidence: Math.sqrt(source.confidence * target.confidence),
        extractor: "statement",
        validFrom: null,
        validTo: null,
        ...{ start, end },
      };
    }),
    properties: [],
    aliases: toAliasMentions(stated, typeOf),
    candidates: keys.flatMap(findAliasCandidates),
    unfit: [],
  };
}

function oneHot(type: string, share: number): Float32Array {
  return Float32Array.from(OPEN_TYPES, (open) => (open === type ? share : 0));
}

/** Names that do not overlap, the surest first taken; before them those that the sentence says what they are. */
function findEntities(
  passage: Passage,
  sentence: PassageSentence,
  score: ScoreCoarse,
): readonly FoundEntity[] {
  const mentions = sentence.mentions.filter(({ kind }) => kind === "proper" || kind === "quoted");
  const { tokens, encoded: states, start: offset } = sentence;
  const definitions = readDefinitions(sentence);
  const scores = score({ tokens, mentions, states, offset });
  const rank = (index: number) => {
    const mention = mentions[index];
    const isDefined = mention !== undefined && mention.variantOf === null && definitions.has(mention.start);
    return isDefined ? -1 : (scores[index]?.none ?? 1);
  };
  const order = mentions.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
  const chosen: FoundEntity[] = [];
  for (const index of order) {
    const [mention, best] = [mentions[index], scores[index]];
    if (mention === undefined || best === undefined) continue;
    const written = passage.textOf(mention);
    const defined = mention.variantOf === null ? definitions.get(mention.start) : undefined;
    const read =
      defined === undefined ? typeOf(best, written) : { type: defined, confidence: DEFINED_CONFIDENCE };
    if (read === null || (mention.kind === "quoted" && read.type !== "Work")) continue;
    const named = nameAt(passage, mention);
    if (
      named === null ||
      !/\p{L}{2}/u.test(named.key) ||
      isDescription(written) ||
      isRole(tokens, mention, named.key)
    )
      continue;
    if (chosen.some(({ from, to }) => from < mention.to && mention.from < to)) continue;
    chosen.push({ ...mention, ...named, sentence: sentence.index, ...read });
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** Names that are entities elsewhere in the chunk. */
function findAgain(
  passage: Passage,
  found: readonly FoundEntity[],
  votes: TypeVotes,
): readonly FoundEntity[] {
  const bySentence = Map.groupBy(found, ({ sentence }) => sentence);
  return passage.sentences.flatMap(({ index, mentions }) => {
    const own = [...(bySentence.get(index) ?? [])];
    for (const mention of mentions) {
      if (mention.kind !== "proper" || own.some(({ from, to }) => from < mention.to && mention.from < to))
        continue;
      const named = nameAt(passage, mention);
      const best = named === null ? null : votes.best(named.key);
      const type = OPEN_TYPES[best?.type ?? -1];
      if (named === null || best === null || type === undefined) continue;
      own.push({ ...mention, ...named, sentence: index, type, confidence: best.share });
    }
    return own.sort((a, b) => a.from - b.from);
  });
}

/** By its own words where these say it, else by what the text around it says; null for what is no entity. */
function typeOf(score: CoarseScore, written: string): Pick<FoundEntity, "type" | "confidence"> | null {
  const some = 1 - score.none;
  const own = typeByHead(written);
  if (own !== null && some >= OPEN_THRESHOLDS.entityByHead)
    return { type: own, confidence: Math.max(some, OPEN_THRESHOLDS.entity) };
  if (some < OPEN_THRESHOLDS.entity || score.confidence < OPEN_THRESHOLDS.type || !isOpenType(score.type))
    return null;
  return { type: score.type, confidence: some * score.confidence };
}
