/** Distinguishes questions for an overview of upper levels from questions for a fact, by English cues. */
import type { GatheringPlan, UpperType } from "../../graph/gathering.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { inSingular, readableName } from "../../text/type-names.ts";

export interface OverviewQuestion {
  /** Upper types that the question names, or that aggregate a type that it names. Empty: it names no type. */
  readonly types: ReadonlySet<string>;
  /** Whether the question names an upper type itself. */
  readonly isNamed: boolean;
  /**
   * True: it asks for all nodes of a kind, or for the parts of one. False: it asks for one fact about a node.
   */
  readonly isBroad: boolean;
}

const OVERVIEW =
  /\b(?:overviews?|summar(?:y|i[sz]e|ies)|at a glance|big picture|high[- ]level|in broad strokes)\b|\b(?:main|major|key|central|overall|broad|principal|general) (?:themes?|topics?|areas?|subjects?|groups?|clusters?|categories|kinds|parts|structure)\b|\bwhat (?:is|are) (?:all )?(?:this|these|the) (?:collection|corpus|texts?|documents?|data|project)s? about\b/;
const LISTING = /^(?:please )?(?:list|name|enumerate|show(?: me)?|describe)\b|^how many\b/;
const LISTING_WORD = /\b(?:what|which|name|list|show|enumerate|give|describe|how many)\b/;
/** After a {@link LISTING_WORD}. */
const ALL = /\b(?:are there|exist|is there|are known|are mentioned|do we have|all)\b/;
const PARTS =
  /\b(?:consists?|comprises?|made up|composed|includes?|contains?|belongs?|members?|parts? of|divided|grouped|organi[sz]ed|structured|gathers?|gathered|falls? under|under)\b/;
const ASKS = /^(?:in |to |of |for |under )?(?:what|which|how|list|name|describe)\b/;
/** Only this much of the question is read, to bound the cost of the patterns. */
const MAX_UNITS = 2_000;

/** null for a question about a fact. Linear in the length of the question and in the number of type names. */
export function readOverview(question: string, plan: GatheringPlan): OverviewQuestion | null {
  const text = question.slice(0, MAX_UNITS).toLowerCase().replace(/\s+/g, " ").trim();
  const words = ` ${inSingular(text.replace(/[^\p{L}\p{N}]+/gu, " ").trim())} `;
  const has = (noun: string) => words.includes(` ${noun} `);
  const named = plan.upperTypes.filter(({ nouns }) => nouns.some(has));
  const lower = new Set(
    plan.schema.nodeTypes
      .filter(({ name, aliases }) => [name, ...aliases].some((each) => has(inSingular(readableName(each)))))
      .map(({ name }) => name),
  );
  const above = plan.upperTypes.filter(({ aggregates }) => aggregates.some((name) => lower.has(name)));
  const types = namesOf(named.length > 0 ? named : above);
  const isOverview = OVERVIEW.test(text);
  const isBroad =
    isOverview ||
    (isListing(text) && types.size > 0) ||
    (PARTS.test(text) && ASKS.test(text) && named.length > 0);
  if (!isBroad && !(ASKS.test(text) && named.length > 0)) return null;
  return { types, isNamed: named.length > 0, isBroad };
}

function isListing(text: string): boolean {
  const word = LISTING_WORD.exec(text);
  return LISTING.test(text) || (word !== null && ALL.test(text.slice(word.index + word[0].length)));
}

function namesOf(types: readonly UpperType[]): ReadonlySet<string> {
  return new Set(types.map(({ name }) => name));
}

/** Whether the question contains the name as whole words; both in normal form. */
export function isInQuestion(question: string, key: string): boolean {
  return key.length >= 2 && ` ${question} `.includes(` ${key} `);
}

/** The normal form of the first 400 code units. */
export function normalQuestion(question: string): string {
  return normalizeName(question.slice(0, 400));
}
