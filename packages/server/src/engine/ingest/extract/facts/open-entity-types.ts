/** Decides of which broad type a name is, and settles by the rest of the chunk what the name alone leaves open. */

import type { EntityMention } from "../mentions/entity-mention.ts";
import type { CoarseScore } from "../types/coarse-type.ts";
import type { FoundEntity } from "./found-entity.ts";
import { signatureOf } from "./open-signatures.ts";
import { isOpenType, OPEN_TYPES, typeByHead, typeByLooseHead } from "./open-types.ts";
import type { StatementLink } from "./statement-links.ts";

export const OPEN_THRESHOLDS = {
  /** Something, as against nothing or a wrong span. */
  entity: 0.5,
  /** Of one type, as against the others: sure. */
  type: 0.5,
  /** Something, where its own words say of what type it is: "Warsaw University of Technology". */
  entityByHead: 0.1,
  /** A whole name that is surely something, of a type that leads the others. */
  whole: 0.65,
  leading: 0.4,
  /** Of a type that a verb asks for. */
  possible: 0.1,
} as const;

export interface OpenReading extends Pick<FoundEntity, "type" | "confidence"> {
  /** In the order of `OPEN_TYPES`, of the types that the name may be of; they add up to 1 at most. */
  readonly shares: Float32Array;
  readonly isSure: boolean;
}

/** An entity whose type may be open still. */
export interface OpenEntity extends FoundEntity {
  readonly shares: Float32Array;
  readonly isSure: boolean;
}

/** By its own words where these say it, else by what the text around it says; null for what is no entity. */
export function readOpenType(
  score: CoarseScore,
  mention: EntityMention,
  written: string,
): OpenReading | null {
  const some = 1 - score.none;
  const own = mention.isFirm ? "Organization" : typeByHead(written);
  if (own !== null && some >= OPEN_THRESHOLDS.entityByHead)
    return sureOf(own, Math.max(some, OPEN_THRESHOLDS.entity));
  if (some < OPEN_THRESHOLDS.entity) return null;
  const shares = Float32Array.from(OPEN_TYPES, (type) => score.shares.get(type) ?? 0);
  if (score.confidence >= OPEN_THRESHOLDS.type) {
    if (!isOpenType(score.type)) return null;
    return { type: score.type, confidence: some * score.confidence, shares, isSure: true };
  }
  const loose = typeByLooseHead(written);
  if (loose !== null) return sureOf(loose, some * OPEN_THRESHOLDS.type);
  const isWhole = mention.kind === "proper" && mention.variantOf === null;
  if (!isWhole || some < OPEN_THRESHOLDS.whole) return null;
  const best = bestOf(shares);
  return {
    type: OPEN_TYPES[best] ?? "Organization",
    confidence: some * (shares[best] ?? 0),
    shares,
    isSure: false,
  };
}

function sureOf(type: string, confidence: number): OpenReading {
  const shares = Float32Array.from(OPEN_TYPES, (open) => (open === type ? 1 : 0));
  return { type, confidence, shares, isSure: true };
}

function bestOf(shares: Float32Array): number {
  let best = 0;
  for (const [at, share] of shares.entries()) if (share > (shares[best] ?? 0)) best = at;
  return best;
}

/**
 * Like names are treated alike: what a name's type leaves open, surer names of the chunk with the same last word tell, else the
 * verbs whose subject or object it is, else the leading type. What stays a guess is no entity.
 */
export function settleTypes(
  entities: readonly OpenEntity[],
  links: readonly StatementLink[],
): ReadonlyMap<string, string | null> {
  const settled = new Map<string, string | null>();
  const byHead = typesByHead(entities);
  for (const entity of entities) {
    if (entity.isSure || settled.has(entity.key)) continue;
    const likely = byHead.get(headOfKey(entity.key)) ?? null;
    const asked = links.flatMap((link) => typesAsked(link, entity.key));
    const fitting = asked.length === 0 ? null : bestAmong(entity.shares, asked);
    const best = bestOf(entity.shares);
    const leading = (entity.shares[best] ?? 0) >= OPEN_THRESHOLDS.leading ? (OPEN_TYPES[best] ?? null) : null;
    settled.set(entity.key, fitting ?? likely ?? leading);
  }
  return settled;
}

const headOfKey = (key: string) => (key.includes(" ") ? key.slice(key.lastIndexOf(" ") + 1) : "");

/** For the last words of names of several the type that most of the sure ones have. */
function typesByHead(entities: readonly OpenEntity[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { key, type, isSure } of entities) {
    const head = headOfKey(key);
    if (!isSure || head === "") continue;
    const own = counts.get(head) ?? new Map<string, number>();
    counts.set(head, own.set(type, (own.get(type) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([head, own]) => {
      const [best] = [...own].sort((a, b) => b[1] - a[1]);
      return [head, best?.[0] ?? ""] as const;
    }),
  );
}

/** The types that a statement allows for a name at one of its ends. */
function typesAsked({ type, source, target }: StatementLink, key: string): readonly string[] {
  const signature = signatureOf(type);
  if (signature === undefined) return [];
  if (source.key === key) return [...signature.sources];
  return target.key === key ? [...signature.targets] : [];
}

function bestAmong(shares: Float32Array, types: readonly string[]): string | null {
  let best: string | null = null;
  let most: number = OPEN_THRESHOLDS.possible;
  for (const [at, type] of OPEN_TYPES.entries()) {
    const share = shares[at] ?? 0;
    if (types.includes(type) && share >= most) {
      most = share;
      best = type;
    }
  }
  return best;
}
