/** Decides of which broad type a name is, and settles by the rest of the chunk what the name alone leaves open. */
import { UNTYPED } from "../../../../domain/graph.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { CoarseScore } from "../types/coarse-type.ts";
import type { FoundEntity, PossibleEntity } from "./found-entity.ts";
import { signatureOf } from "./open-signatures.ts";
import { isOpenType, OPEN_TYPES, typeByGivenName, typeByHead, typeByLooseHead } from "./open-types.ts";
import type { Passage } from "./passage.ts";

export const OPEN_THRESHOLDS = {
  /** Something, as against nothing or a wrong span. */
  entity: 0.3,
  /** Of one type, as against the others and nothing: sure. */
  type: 0.7,
  /** Something, where its own words say of what type it is: "Warsaw University of Technology". */
  entityByHead: 0.1,
  /** A whole name that is surely something, whatever its type. */
  whole: 0.3,
  /** Of a type that a verb asks for, or that a name beside it has. */
  possible: 0.1,
  /** Of a type that a verb asks for, against one that the words around a name make likely. */
  asked: 0.01,
} as const;

export interface OpenReading extends Pick<FoundEntity, "type" | "confidence"> {
  /** In the order of `OPEN_TYPES`, of the types that the name may be of; they add up to 1 at most. */
  readonly shares: Float32Array;
  readonly isSure: boolean;
}

/** A mention as the name finder of retrieval sees it. */
export interface ReadMention extends EntityMention {
  /** Neither a part of a longer name, nor several joined. */
  readonly isWhole: boolean;
}

/** By its own words where these say it, else by what the text around it says; null for what is no entity. */
export function readOpenType(score: CoarseScore, mention: ReadMention, written: string): OpenReading | null {
  const some = 1 - score.none;
  const own = mention.isFirm ? "Organization" : typeByHead(written);
  if (own !== null && some >= OPEN_THRESHOLDS.entityByHead)
    return sureOf(own, Math.max(some, OPEN_THRESHOLDS.entity));
  if (some < OPEN_THRESHOLDS.entity) return null;
  const shares = Float32Array.from(OPEN_TYPES, (type) => score.shares.get(type) ?? 0);
  const confidence = some * score.confidence;
  if (confidence >= OPEN_THRESHOLDS.type)
    return isOpenType(score.type) ? { type: score.type, confidence, shares, isSure: true } : null;
  const loose = typeByLooseHead(written) ?? typeByGivenName(written);
  if (loose !== null) return { type: loose, confidence: some * OPEN_THRESHOLDS.type, shares, isSure: true };
  if (!mention.isWhole || some < OPEN_THRESHOLDS.whole) return null;
  return { type: UNTYPED, confidence: some, shares, isSure: false };
}

/** All common nouns have a capital: two of them in a row need not be a name. */
const capitalizesNouns = /^(?:de|lb)$/;

/** By the name's own words alone, in any language; null where they say nothing. */
export function readForeignType(mention: ReadMention, written: string, language: string): OpenReading | null {
  const own = mention.isFirm ? "Organization" : (typeByHead(written) ?? typeByGivenName(written));
  if (own !== null) return sureOf(own, OPEN_THRESHOLDS.type);
  const words = written.split(/\s+/);
  const isName = words.length > 1 && words.every((word) => /^\p{Lu}[\p{L}.'’-]*$/u.test(word));
  if (!mention.isWhole || !isName || capitalizesNouns.test(language)) return null;
  return {
    type: UNTYPED,
    confidence: OPEN_THRESHOLDS.whole,
    shares: new Float32Array(OPEN_TYPES.length),
    isSure: false,
  };
}

function sureOf(type: string, confidence: number): OpenReading {
  const shares = Float32Array.from(OPEN_TYPES, (open) => (open === type ? 1 : 0));
  return { type, confidence, shares, isSure: true };
}

/** Of which types something may be, as a statement that it is an end of asks. */
export interface AskedTypes {
  readonly key: string;
  readonly types: ReadonlySet<string>;
}

/** The names of a chunk that stand side by side: "A and B", "A as B". */
export type NamePair = readonly [FoundEntity, FoundEntity];

/**
 * What a name alone leaves open, the verbs tell whose subject or object it is, else the name that it is joined to. Verbs also overrule what only the
 * words around a name say, where most of them ask for another type. What stays a guess has no type.
 */
export function settleTypes(
  entities: readonly PossibleEntity[],
  asked: readonly AskedTypes[],
  pairs: readonly NamePair[] = [],
): ReadonlyMap<string, string> {
  const settled = new Map<string, string>();
  const askedOf = Map.groupBy(asked, ({ key }) => key);
  for (const entity of entities) {
    if (settled.has(entity.key)) continue;
    const types = mostAsked(askedOf.get(entity.key) ?? []);
    if (entity.isSure && (types.size === 0 || types.has(entity.type) || isToldByWords(entity))) continue;
    const least = entity.isSure ? OPEN_THRESHOLDS.asked : OPEN_THRESHOLDS.possible;
    const fitting = bestAmong(entity.shares, types, least);
    if (fitting !== null || !entity.isSure) settled.set(entity.key, fitting ?? UNTYPED);
  }
  const sure = new Map(entities.flatMap(({ key, type, isSure }) => (isSure ? [[key, type] as const] : [])));
  const typeOf = (key: string) => settled.get(key) ?? sure.get(key) ?? UNTYPED;
  for (const { key, shares } of entities.filter(({ key }) => settled.get(key) === UNTYPED)) {
    const beside = pairs.flatMap(([a, b]) => (a.key === key ? [b.key] : b.key === key ? [a.key] : []));
    const types = new Set(beside.map(typeOf));
    const fitting = bestAmong(shares, types, OPEN_THRESHOLDS.possible);
    if (fitting !== null) settled.set(key, fitting);
  }
  return settled;
}

/** The types that most of the statements ask for. */
function mostAsked(asked: readonly AskedTypes[]): ReadonlySet<string> {
  const count = (type: string) => asked.filter(({ types }) => types.has(type)).length;
  const most = Math.max(1, ...OPEN_TYPES.map(count));
  return new Set(OPEN_TYPES.filter((type) => count(type) === most));
}

/** Names with nothing but "and", "or" or "as" between them, or a comma of the list that ends so: not "Oslo, Ada Holt". */
export function pairsOf(
  entities: readonly FoundEntity[],
  { sentences }: Pick<Passage, "sentences">,
): readonly NamePair[] {
  const pairs: NamePair[] = [];
  let isListed = false;
  for (const [at, one] of [...entities.entries()].reverse()) {
    const next = entities[at + 1];
    const isNear = next !== undefined && next.sentence === one.sentence;
    const between = isNear ? sentences[one.sentence]?.tokens.slice(one.to, next.from) : undefined;
    const joint = between?.map(({ lower }) => lower).join("") ?? "";
    isListed = /^,?(?:and|or|as)$/.test(joint) || (isListed && joint === ",");
    if (isListed && next !== undefined) pairs.push([one, next]);
  }
  return pairs.reverse();
}

/** Its own words, or the sentence, name the type, or it is a person, whom the reader of types seldom mistakes: nothing is left to the others. */
function isToldByWords({ type, shares, isDefined }: PossibleEntity): boolean {
  return (
    type === "Person" || isDefined === true || shares.includes(1) || shares.every((share) => share === 0)
  );
}

/** The types that a relationship allows for the things at its ends; none for those without a signature. */
export function typesAsked({
  type,
  source,
  target,
}: {
  readonly type: string;
  readonly source: string | null;
  readonly target: string | null;
}): readonly AskedTypes[] {
  const signature = signatureOf(type);
  if (signature === undefined) return [];
  return [
    ...(source === null ? [] : [{ key: source, types: signature.sources }]),
    ...(target === null ? [] : [{ key: target, types: signature.targets }]),
  ];
}

function bestAmong(shares: Float32Array, types: ReadonlySet<string>, least: number): string | null {
  let best: string | null = null;
  let most = least;
  for (const [at, type] of OPEN_TYPES.entries()) {
    const share = shares[at] ?? 0;
    if (types.has(type) && share >= most) {
      most = share;
      best = type;
    }
  }
  return best;
}
