/** Pairs up the mentions of a sentence with the edge types that may join them. */

import type { MentionKind } from "../mentions/entity-mention.ts";
import type { TokenRange } from "../statements/tagged-token.ts";
import type { EdgeProfile, ValueKind } from "./edge-profile.ts";
import type { DistantSubject, TypedMention } from "./relation-types.ts";
import type { SentenceView } from "./sentence-context.ts";

/** An end of a relation: a mention of the sentence, or a pronoun for a subject from elsewhere. */
export interface SourceEnd {
  /** Index into the sentence's mentions; below zero for a pronoun. */
  readonly mention: number;
  readonly range: TokenRange;
  readonly kind: MentionKind;
  readonly isVariant: boolean;
  /** A name that the sentence begins with: what it is about, whatever its type seems to be. */
  readonly isOpening: boolean;
  readonly typeScores: Float32Array;
  readonly distant: DistantSubject | null;
}

export interface Candidate {
  readonly source: SourceEnd;
  /** Index into the edge profiles. */
  readonly edge: number;
  /** Index into the sentence's mentions. */
  readonly target: number;
  readonly sourceFit: Fit;
  readonly targetFit: Fit;
}

export const CANDIDATE_LIMITS = { sources: 8, targets: 56, edgesPerPair: 24, candidates: 12_000 } as const;

/** Below this likelihood an end is of no fitting type; letting more in cost half the time and a hundredth of F1. */
const LEAST_FIT = 0.03;
/** Of a term in small letters as the source. */
const LEAST_TERM_SHARE = 0.5;

export interface CandidateSearch {
  readonly edges: readonly EdgeProfile[];
  readonly distant: readonly DistantSubject[];
  /** Whether a mention is like the targets of the edge type's examples, whatever its type seems to be. */
  readonly isLikeExample: (edge: number, mention: number) => boolean;
}

/** Candidates by target, then source, then edge type; bounded. */
export function findCandidates(view: SentenceView, search: CandidateSearch): readonly Candidate[] {
  const { edges, isLikeExample } = search;
  const fitOf = createFit();
  const sources = sourcesOf(view, search, fitOf).map((source) => ({
    source,
    fits: createSourceFits(source, fitOf),
  }));
  const found: Candidate[] = [];
  const targets = view.mentions.slice(0, CANDIDATE_LIMITS.targets);
  for (const [target, mention] of targets.entries()) {
    const fitting = edges.flatMap((profile, edge) => {
      const targetFit = targetFitOf(mention, profile, fitOf);
      const isFit =
        targetFit.fit >= LEAST_FIT ||
        (valueKindOfMention(mention) === profile.value && isLikeExample(edge, target));
      return isFit ? [{ edge, profile, targetFit }] : [];
    });
    if (fitting.length === 0) continue;
    for (const { source, fits } of sources) {
      if (overlaps(source, mention)) continue;
      const pairs: Candidate[] = [];
      for (const { edge, profile, targetFit } of fitting) {
        const sourceFit = fits(edge, profile);
        if (sourceFit.fit >= LEAST_FIT || source.isOpening)
          pairs.push({ source, edge, target, targetFit, sourceFit });
      }
      found.push(...likeliest(pairs));
      if (found.length >= CANDIDATE_LIMITS.candidates) return found;
    }
  }
  return found;
}

/** The likeliest first where there are too many; of equals the first. */
function likeliest(pairs: readonly Candidate[]): readonly Candidate[] {
  const most = CANDIDATE_LIMITS.edgesPerPair;
  if (pairs.length <= most) return pairs;
  const best: { readonly pair: Candidate; readonly share: number }[] = [];
  for (const pair of pairs) {
    const share = pair.sourceFit.share * pair.targetFit.share;
    if (share <= (best[most - 1]?.share ?? -1)) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.share < share) at--;
    best.splice(at, 0, { pair, share });
    best.length = Math.min(best.length, most);
  }
  return best.map(({ pair }) => pair);
}

/** Once for each edge type, however many targets the source is paired with. */
function createSourceFits(
  { typeScores }: SourceEnd,
  fitOf: FitOf,
): (edge: number, profile: EdgeProfile) => Fit {
  const known: Fit[] = [];
  return (edge, { sources }) => {
    known[edge] ??= fitOf(typeScores, sources);
    return known[edge];
  };
}

function sourcesOf(
  view: SentenceView,
  { edges, distant }: CandidateSearch,
  fitOf: FitOf,
): readonly SourceEnd[] {
  const isOpening = ({ from, kind }: TypedMention) =>
    from <= 2 && from < view.firstVerb && (kind === "proper" || kind === "quoted");
  const allowed = [...new Set(edges.flatMap(({ sources }) => sources))];
  const near = view.mentions
    .map((mention, index) => ({ mention, index, fit: fitOf(mention.typeScores, allowed) }))
    .filter(
      ({ mention, fit }) =>
        isNameable(mention, view) &&
        (fit.fit >= LEAST_FIT || isOpening(mention)) &&
        (mention.kind !== "noun" || fit.share >= LEAST_TERM_SHARE),
    )
    .sort(
      (a, b) =>
        Number(a.mention.variantOf !== null) - Number(b.mention.variantOf !== null) ||
        b.fit.fit - a.fit.fit ||
        a.index - b.index,
    )
    .slice(0, CANDIDATE_LIMITS.sources)
    .sort((a, b) => a.index - b.index)
    .map(({ mention, index }): SourceEnd => {
      const { kind, typeScores, variantOf } = mention;
      return {
        mention: index,
        range: mention,
        kind,
        isVariant: variantOf !== null,
        isOpening: isOpening(mention),
        typeScores,
        distant: null,
      };
    });
  const range = view.openingPronoun;
  if (range === null) return near;
  const far = distant.map((subject, index): SourceEnd => {
    const { typeScores } = subject;
    return {
      mention: -1 - index,
      range,
      kind: "proper",
      isVariant: false,
      isOpening: false,
      typeScores,
      distant: subject,
    };
  });
  return [...near, ...far];
}

/** A term in small letters is an entity of its own only without an article: "aspirin", but not "the film". */
function isNameable(mention: TypedMention, view: SentenceView): boolean {
  if (mention.kind === "proper" || mention.kind === "quoted") return true;
  const before = view.tokens[mention.from - 1];
  return (
    mention.kind === "noun" && mention.variantOf === null && before?.tag !== "DET" && before?.tag !== "PRON"
  );
}

function overlaps(source: SourceEnd, mention: TokenRange): boolean {
  return source.range.from < mention.to && mention.from < source.range.to;
}

/** How likely an end is of one of these types, and of them among all types. */
export interface Fit {
  readonly fit: number;
  readonly share: number;
}

export type FitOf = (typeScores: Float32Array, types: readonly number[]) => Fit;

/** Adds up the scores of a mention once, however many edge types ask about it. */
export function createFit(): FitOf {
  const sums = new Map<Float32Array, number>();
  return (typeScores, types) => {
    let fit = 0;
    for (const type of types) fit += typeScores[type] ?? 0;
    const all = sums.get(typeScores) ?? typeScores.reduce((total, score) => total + score, 0);
    sums.set(typeScores, all);
    return { fit: Math.min(1, fit), share: all > 0 ? Math.min(1, fit / all) : 0 };
  };
}

function valueKindOfMention({ kind }: TypedMention): ValueKind {
  return kind === "date" || kind === "number" ? kind : "entity";
}

/** Dates and amounts are told by their form; nothing else fits an edge type that takes those. */
function targetFitOf(mention: TypedMention, profile: EdgeProfile, fitOf: FitOf): Fit {
  const value = valueKindOfMention(mention);
  if (value !== profile.value) return { fit: 0, share: 0 };
  return value === "entity" ? fitOf(mention.typeScores, profile.targets) : { fit: 1, share: 1 };
}

/** Candidates whose targets overlap compete: at most one of these targets is right. As lists of indexes. */
export function groupByTarget(
  candidates: readonly Candidate[],
  mentions: readonly TypedMention[],
): readonly (readonly number[])[] {
  const targets = [...new Set(candidates.map(({ target }) => target))];
  const rangeOf = (target: number): TokenRange => mentions[target] ?? { from: 0, to: 0 };
  targets.sort((a, b) => rangeOf(a).from - rangeOf(b).from || rangeOf(b).to - rangeOf(a).to || a - b);
  const groupOf = new Map<number, number>();
  let group = -1;
  let end = -1;
  for (const target of targets) {
    const { from, to } = rangeOf(target);
    if (from >= end) group++;
    end = from >= end ? to : Math.max(end, to);
    groupOf.set(target, group);
  }
  const groups: number[][] = Array.from({ length: group + 1 }, () => []);
  for (const [index, { target }] of candidates.entries()) groups[groupOf.get(target) ?? 0]?.push(index);
  return groups;
}

/** The questions that are scored: of what is this target the …, for each edge type on its own, since several may hold. */
export function splitByEdge(
  groups: readonly (readonly number[])[],
  candidates: readonly Candidate[],
): readonly (readonly number[])[] {
  return groups.flatMap((group) => {
    const byEdge = new Map<number, number[]>();
    for (const index of group) {
      const edge = candidates[index]?.edge ?? -1;
      const list = byEdge.get(edge);
      if (list === undefined) byEdge.set(edge, [index]);
      else list.push(index);
    }
    return [...byEdge.values()];
  });
}
