/** Features of where and what the two ends are: place in the sentence, form, fit of their types. */

import type { TokenRange } from "../statements/tagged-token.ts";
import type { SourceEnd } from "./candidates.ts";
import type { CandidateView } from "./feature-input.ts";
import type { TypedMention } from "./relation-types.ts";
import type { SentenceView } from "./sentence-context.ts";

const kinds = ["proper", "noun", "quoted", "date", "number", "demonym"] as const;
const prepositions = [
  ["by"],
  ["in", "at"],
  ["of"],
  ["on"],
  ["from"],
  ["for"],
  ["as"],
  ["with"],
  ["to", "into"],
  ["", ","],
];

export const shapeNames = [
  "sourceFit",
  "targetFit",
  "fitProduct",
  "sourceShare",
  "targetShare",
  "shareProduct",
  "sourceIsFirst",
  "sourceBeforeVerb",
  "pronounStart",
  "targetBefore",
  "distance",
  "mentionsBetween",
  "verbsBetween",
  "commasBetween",
  "semicolon",
  "adjacent",
  "copula",
  "sourceIsVariant",
  "targetIsVariant",
  "sourceLength",
  "targetLength",
  "sourceIsQuoted",
  "sourcePossessive",
  "targetPossessive",
  "listed",
  "targetAtEnd",
  "targetInBrackets",
  "fullDate",
  "edgeTakesDate",
  "edgeTakesNumber",
  ...kinds.map((kind) => `target:${kind}`),
  ...prepositions.map(([first]) => `preposition:${first}`),
];

export function writeShape(row: number[], view: CandidateView, sentence: SentenceView): void {
  const { candidate, profile, target: context, between } = view;
  const target = sentence.mentions[candidate.target];
  if (target === undefined) return;
  const { source } = candidate;
  const { from } = source.range;
  const { sourceFit, targetFit } = candidate;
  row.push(sourceFit.fit, targetFit.fit, Math.sqrt(sourceFit.fit * targetFit.fit));
  row.push(sourceFit.share, targetFit.share, Math.sqrt(sourceFit.share * targetFit.share));
  row.push(
    from <= 2 ? 1 : 0,
    from < sentence.firstVerb ? 1 : 0,
    sentence.openingPronoun !== null && from > 0 ? 1 : 0,
    target.from < from ? 1 : 0,
    Math.min(between.tokens, 30) / 30,
    Math.min(between.mentions, 5) / 5,
    Math.min(between.verbs, 4) / 4,
    Math.min(between.commas, 4) / 4,
    between.hasSemicolon ? 1 : 0,
    between.tokens <= 1 ? 1 : 0,
    between.isCopula && from < target.from ? 1 : 0,
  );
  writeForms(row, { source, target, sentence });
  row.push(Math.min(context.listed, 3) / 3, target.to >= sentence.tokens.length - 2 ? 1 : 0);
  row.push(sentence.tokens[target.from - 1]?.text === "(" ? 1 : 0, isFullDate(target, sentence) ? 1 : 0);
  row.push(profile.value === "date" ? 1 : 0, profile.value === "number" ? 1 : 0);
  for (const kind of kinds) row.push(target.kind === kind ? 1 : 0);
  for (const group of prepositions) row.push(group.includes(context.preposition) ? 1 : 0);
}

interface Ends {
  readonly source: SourceEnd;
  readonly target: TypedMention;
  readonly sentence: SentenceView;
}

function writeForms(row: number[], { source, target, sentence }: Ends): void {
  const isPossessive = ({ to }: TokenRange) => /^['’]s?$/.test(sentence.tokens[to]?.text ?? "");
  row.push(
    source.isVariant ? 1 : 0,
    target.variantOf === null ? 0 : 1,
    Math.min(source.range.to - source.range.from, 8) / 8,
    Math.min(target.to - target.from, 8) / 8,
    source.kind === "quoted" ? 1 : 0,
    isPossessive(source.range) ? 1 : 0,
    isPossessive(target) ? 1 : 0,
  );
}

function isFullDate(mention: TypedMention, sentence: SentenceView): boolean {
  if (mention.kind !== "date" || mention.to - mention.from < 2) return false;
  return sentence.tokens.slice(mention.from, mention.to).some((token) => /^\p{L}/u.test(token.text));
}
