/** What verdicts are on, for what they teach; and what the facts of a chunk are under what was taught. */
import {
  applyLesson,
  type JudgedFact,
  type LessonInUse,
  onItsSide,
  wordingOf,
} from "../../../domain/lesson.ts";
import {
  assertProposal,
  endNames,
  type FactsContext,
  type FactsWork,
  proposeEdge,
  type StoredClaim,
  sentenceAt,
} from "./facts-work.ts";
import { confidenceUnits, probabilityOf, type StoredEdge, type StoredProposal } from "./graph-facts.ts";

/** By edge type. */
export type Lessons = ReadonlyMap<string, LessonInUse>;

/** The facts of a type in a chunk that a lesson has moved. */
export interface Taught {
  readonly type: string;
  readonly asserted: number;
  readonly proposed: number;
}

/** The surest of the facts of a chunk that a verdict is on. */
export interface Judged {
  readonly seq: number;
  readonly type: string;
  readonly fact: Omit<JudgedFact, "isTrue">;
}

/** What the verdict of a correction is on. */
export interface JudgedClaims {
  readonly seq: number;
  readonly asserted: readonly StoredEdge[];
  readonly proposed: readonly StoredProposal[];
}

/** null: another verdict has confirmed all of them already. */
export function judgedBy(
  work: FactsWork,
  { seq, asserted, proposed }: JudgedClaims,
  context: FactsContext,
): Judged | null {
  const toFact = (claim: StoredClaim, isAsserted: boolean) => {
    const stated = { isAsserted, confidence: probabilityOf(claim[5]) };
    return { claim, confidence: onItsSide(stated, context.limits) };
  };
  const facts = [
    ...asserted.map((claim) => toFact(claim, true)),
    ...proposed.map((claim) => toFact(claim, false)),
  ].filter(({ claim }) => claim[5] <= confidenceUnits);
  const [surest] = facts.toSorted((x, y) => y.confidence - x.confidence || x.claim[3] - y.claim[3]);
  if (surest === undefined) return null;
  const wording = wordingAt(work, surest.claim, context);
  const type = surest.claim[2]; // Of a document that was read before a move, the name from then.
  return { seq, type, fact: { confidence: surest.confidence, wording } };
}

/** Moves facts over the limit. What people have confirmed stays. */
export function teachFacts(work: FactsWork, lessons: Lessons, context: FactsContext): readonly Taught[] {
  const moved = <Claim extends StoredClaim>(claims: readonly Claim[], isAsserted: boolean) =>
    claims.flatMap((claim) => {
      const lesson = lessons.get(claim[2]);
      if (lesson === undefined || claim[5] > confidenceUnits) return [];
      const stated = { isAsserted, confidence: probabilityOf(claim[5]) };
      const wording = () => wordingAt(work, claim, context);
      const confidence = applyLesson(lesson, { ...stated, wording }, context.limits);
      return confidence === null ? [] : [{ claim, units: Math.round(confidence * confidenceUnits) }];
    });
  const [doubted, trusted] = [moved(work.edges, true), moved(work.proposals, false)];
  const proposed = doubted.map(({ claim, units }) => proposeEdge(work, claim, units));
  const asserted = trusted.map(({ claim, units }) => assertProposal(work, claim, { units, context }));
  const left = new Set<StoredClaim>([...doubted, ...trusted].map(({ claim }) => claim));
  work.edges = [...work.edges.filter((edge) => !left.has(edge)), ...asserted];
  work.proposals = [...work.proposals.filter((proposal) => !left.has(proposal)), ...proposed];
  return countByType(asserted, proposed);
}

function countByType(
  asserted: readonly StoredEdge[],
  proposed: readonly StoredProposal[],
): readonly Taught[] {
  const types = [...new Set([...asserted, ...proposed].map((claim) => claim[2]))].sort();
  const count = (claims: readonly StoredClaim[], type: string) =>
    claims.filter((claim) => claim[2] === type).length;
  return types.map((type) => ({ type, asserted: count(asserted, type), proposed: count(proposed, type) }));
}

function wordingAt(work: FactsWork, claim: StoredClaim, context: FactsContext): string {
  const names = endNames(work, claim);
  return wordingOf(sentenceAt(work, [claim[3], claim[4]], context), names.source, names.target);
}
