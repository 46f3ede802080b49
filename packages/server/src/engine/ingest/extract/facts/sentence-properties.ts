/** Reads the values of properties out of sentences: "founded in 1987", "is the capital of Y", "has a population of 1,200". */

import type { Span } from "../../../../domain/graph.ts";
import type { Stem } from "../relations/word-forms.ts";
import { isFormOfBe, isNegation, type TaggedToken } from "../statements/tagged-token.ts";
import { findUnsettledParts, overlaps } from "../statements/unsettled-parts.ts";
import { isKindOf, type Opening } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { PassageSentence } from "./passage.ts";
import type { PropertyProfile, PropertyProfiles, StatedValue } from "./property-names.ts";

export interface SentenceProperties {
  readonly profiles: PropertyProfiles;
  readonly stem: Stem;
  readonly entities: readonly FoundEntity[];
  /** One for each sentence. */
  readonly openings: readonly (Opening | null)[];
  readonly documentSubject: FoundEntity | null;
}

/** Between the property's word and its value. */
const REACH_TOKENS = 5;
const doubts =
  /^(?:may|might|could|would|should|if|expected|planned|reportedly|allegedly|perhaps|possibly|probably)$/;
/** May stand between a property's word and its value. */
const bridges =
  /^(?:in|on|at|of|is|was|were|are|be|around|about|approximately|circa|c|the|a|an|by|for|to|as|:|=|[~≈(]|over|nearly|almost)$/;

export function readSentenceProperties(
  sentence: PassageSentence,
  context: SentenceProperties,
): readonly StatedValue[] {
  const { tokens } = sentence;
  if (tokens.at(-1)?.text === "?") return [];
  const own = context.entities.filter(({ sentence: index }) => index === sentence.index);
  const owner = ownerOf(sentence, own, context);
  const stems = tokens.map(({ lower }) => context.stem(lower));
  const unsettled = findUnsettledParts(tokens);
  const found: StatedValue[] = [];
  for (const entity of new Set([...(owner === null ? [] : [owner]), ...own])) {
    for (const profile of context.profiles.of(entity.type)) {
      const trigger = findTrigger(stems, profile);
      if (trigger === null || isDoubted(tokens, trigger) || overlaps(unsettled, trigger)) continue;
      const reading = { sentence, profile, trigger, entity, own };
      const isOwner = entity === owner && !isOthers(reading, context.profiles);
      const value = profile.kind === "text" ? textValue(reading) : measuredValue(reading, isOwner);
      if (value !== null) found.push({ profile, entity, start: value.start, end: value.end });
    }
  }
  return found;
}

/** The only one whose type has properties, or what the sentence's pronoun or "the company" stands for. */
function ownerOf(
  { index, tokens }: PassageSentence,
  own: readonly FoundEntity[],
  { profiles, openings, documentSubject }: SentenceProperties,
): FoundEntity | null {
  const declared = own.filter(({ type }) => profiles.of(type).length > 0);
  const [first] = declared;
  const opening = openings[index]?.entity ?? null;
  if (opening !== null) return opening;
  if (first !== undefined) {
    const isOnly = declared.every(({ key }) => key === first.key);
    // "X is a company that A founded in 1987": what opens a sentence is what it is about.
    return isOnly || first.from <= 1 ? first : null;
  }
  return isKindOf(tokens.slice(0, 2), documentSubject?.type ?? null) ? documentSubject : null;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function findTrigger(stems: readonly string[], { forms }: PropertyProfile): Range | null {
  for (const form of forms) {
    // "date of birth": small words may stand among the property's own.
    const width = form.length === 1 ? 1 : form.length + 1;
    for (let from = 0; from < stems.length; from++) {
      if (!form.includes(stems[from] ?? "")) continue;
      const to = Math.min(stems.length, from + width);
      const inside = stems.slice(from, to);
      if (form.every((stem) => inside.includes(stem))) return { from, to };
    }
  }
  return null;
}

function isDoubted(tokens: readonly TaggedToken[], { from, to }: Range): boolean {
  return tokens
    .slice(Math.max(0, from - 4), to + 2)
    .some((token) => isNegation(token) || doubts.test(token.lower));
}

interface Reading {
  /** Of the sentence. */
  readonly own: readonly FoundEntity[];
  readonly sentence: PassageSentence;
  readonly profile: PropertyProfile;
  readonly trigger: Range;
  readonly entity: FoundEntity;
}

/** "She married X, who died in 1998": another that has the property stands nearer to its word. */
function isOthers(
  { own, entity, profile, trigger }: Reading,
  profiles: SentenceProperties["profiles"],
): boolean {
  const nearest = own.findLast(
    ({ to, type }) => to <= trigger.from && profiles.of(type).some(({ name }) => name === profile.name),
  );
  return nearest !== undefined && nearest.key !== entity.key;
}

/** A date or an amount right after the property's word, or an amount right before it ("12 metres tall"). */
function measuredValue({ sentence, profile, trigger, own }: Reading, isOwner: boolean) {
  if (!isOwner) return null;
  const { mentions, tokens } = sentence;
  const values = mentions
    .filter(({ kind, variantOf }) => kind === profile.kind && variantOf === null)
    .filter((value) => !own.some(({ from, to }) => from < value.to && value.from < to))
    .map((value) => withUnit(value, tokens));
  const after = values.find(({ from }) => {
    const between = tokens.slice(trigger.to, from);
    const isNear = from >= trigger.to && between.length <= REACH_TOKENS;
    return (
      isNear &&
      between.every((token) => bridges.test(token.lower) || token.tag === "ADV" || isPlace(sentence, token))
    );
  });
  if (after !== undefined) return after;
  return profile.kind === "number" ? (values.find(({ to }) => to === trigger.from) ?? null) : null;
}

const units =
  /^(?:[A-Z]{3}|[kKMG]?(?:Hz|V|W|Wh|A|B|Pa|N|J)|[munkcd]?[gml]|km²|m²|mm|cm|km|kg|%|°C?|l|litres?|liters?|months?|years?|days?|hours?|minutes?|people|inhabitants)$/;

function withUnit<Value extends Span & Range>(value: Value, tokens: readonly TaggedToken[]): Value {
  const next = tokens[value.to];
  return next !== undefined && units.test(next.text) ? { ...value, to: value.to + 1, end: next.end } : value;
}

/** "born in Porto in 1951": a name may stand before the date. */
function isPlace({ mentions }: PassageSentence, token: TaggedToken): boolean {
  return mentions.some(
    ({ kind, start, end }) => kind === "proper" && start <= token.start && token.end <= end,
  );
}

/** "the <property> of Y is X", "Y's <property> is X", "X is the <property> of Y", "<property>: X". */
function textValue({ sentence, trigger, entity }: Reading) {
  const { tokens, mentions } = sentence;
  const isOfEntity = tokens[trigger.to]?.lower === "of" && isAt(entity, skipArticle(tokens, trigger.to + 1));
  const isPossessed = /^['’]s?$/.test(tokens[trigger.from - 1]?.text ?? "") && entity.to === trigger.from - 1;
  if (!isOfEntity && !isPossessed) return null;
  const values = mentions.filter(({ kind }) => kind !== "demonym");
  const copula = tokens[isOfEntity ? entity.to : trigger.to];
  if (copula !== undefined && isFormOfBe(copula)) {
    const from = skipArticle(tokens, (isOfEntity ? entity.to : trigger.to) + 1);
    return values.find((value) => value.from === from) ?? null;
  }
  // "X is the director of Y", "X, director of Y,"
  if (!isOfEntity) return null;
  let to = trigger.from;
  if (/^(?:the|an?)$/.test(tokens[to - 1]?.lower ?? "")) to--;
  const joint = tokens[to - 1];
  if (joint === undefined || !(isFormOfBe(joint) || joint.text === ",")) return null;
  const before = values.filter(
    (value) => value.to === to - 1 && value.kind !== "noun" && value.variantOf === null,
  );
  return before[0] ?? null;
}

function skipArticle(tokens: readonly TaggedToken[], at: number): number {
  return /^(?:the|an?)$/.test(tokens[at]?.lower ?? "") ? at + 1 : at;
}

function isAt({ from }: FoundEntity, at: number): boolean {
  return from === at || from === at - 1;
}
