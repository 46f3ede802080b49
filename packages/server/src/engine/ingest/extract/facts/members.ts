/** Reads which things a named instance of an upper level gathers: only where the text says so plainly. */
import type { MemberMention, Span } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { type MemberEdge, planGathering } from "../../../graph/gathering.ts";
import { findUnsettledParts } from "../statements/unsettled-parts.ts";
import type { Opening } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { Passage, PassageSentence } from "./passage.ts";
import type { JoinedRelation } from "./relation-facts.ts";

export interface MemberInput {
  readonly passage: Passage;
  readonly entities: readonly FoundEntity[];
  readonly relations: readonly JoinedRelation[];
  /** One for each sentence. */
  readonly openings: readonly (Opening | null)[];
}

const MAX_MEMBERS = 200;
/** Units of text between two names in which a phrase may stand. */
const MAX_BETWEEN = 80;

/** What no pattern matches. */
const UNRELATED = "?";
const BE = "(?:(?:is|are|was|were|became) )?";
const PART =
  "(?:an? |the |all |both |each )?(?:[a-z-]{1,40} ){0,2}(?:parts?|members?|units?|divisions?|branch(?:es)?|subsidiar(?:y|ies)|components?|departments?) (?:of|in)";
/** "A and B belong to the G." */
const BELONGS = new RegExp(
  `^,? ?(?:(?:which|who|that|all|both|also|now|today) ){0,4}(?:belongs? to|belonging to|${BE}${PART}|falls? under|comes? under|joined|works? (?:for|at|in|under)|serves? (?:in|with|under)|plays? for|makes? up|forms?|constitutes?|${BE}(?:assigned|attached) to|${BE}(?:grouped|organi[sz]ed) (?:in|into|under)|${BE}under|(?:is|are) in)(?: the)?$`,
);
/** "The G consists of the ships A, B and C." */
const GATHERS =
  /^,? ?(?:(?:which|that|also|now|today) ){0,4}(?:(?:is|are) (?:made up|composed) of|consists? of|comprises?|includes?|contains?|unites?|groups|gathers|employs|brings together|combines)(?: (?:[a-z-]{1,40}|\d{1,9})){0,4}:?$/;
const PARTS = "(?:parts|members|units|divisions|branches|components|departments|subsidiaries)";
/** "Its members are A and B." */
const ITS_PARTS = new RegExp(`^(?:['’]s?)?(?: [a-z-]{1,40})? ${PARTS} (?:are|include):?(?: (?:the|both))?$`);
/** "A of the G", "the G's flagship A", "the G: A", "the G (A". */
const OF_GROUP = /^,? (?:of|from|in)(?: the)?$/;
const HAS_MEMBER = /^(?:['’]s?(?: [a-z-]{1,40}){0,2}|:| ?\(|,? (?:namely|such as|including)(?: the)?)$/;
/** Then the phrase between says something else. */
const DENIED =
  /\b(?:no|not|never|nor|neither|without|except|former(?:ly)?|once|lost|left|may|might|could|would|should|hardly|until)\b|n['’]t\b/i;
/** Between the items of a list. */
const LISTED = /^(?:,|,? ?(?:and|&|as well as))(?: (?:the|its|an?))?(?: [a-z-]+)?$/;
const BULLET = /^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+/;
/** Marks around the name that a heading or an item of a list begins with. */
const MARKS = /^[\s#*_"“'‘-]*(?:the\s+)?$/i;
const CLOSING = /^[\s#*_"”'’]*(?:[:—–-][\s*_]*)?$/;

/** A function of the chunk; at most 200 of one. */
export function createMemberReader(schema: OntologySchema): (input: MemberInput) => readonly MemberMention[] {
  const { upperTypes } = planGathering(schema);
  if (upperTypes.length === 0) return () => [];
  const upper = new Map(upperTypes.map((type) => [type.name, type]));
  const gathers = (parent: FoundEntity, member: FoundEntity) =>
    parent.key !== member.key && upper.get(parent.type)?.aggregates.includes(member.type) === true;
  const isMemberEdge = (edges: readonly MemberEdge[], relation: JoinedRelation) =>
    edges.some(
      ({ kind }) =>
        kind.type === relation.type &&
        kind.sourceType === relation.source.type &&
        kind.targetType === relation.target.type,
    );
  return ({ passage, entities, relations, openings }) => {
    const parents = entities.filter(({ type }) => upper.has(type));
    const found: Gathered[] = relations.flatMap((relation): readonly Gathered[] => {
      const span = passage.sentences[relation.sentence] ?? passage;
      return [relation.source, relation.target].flatMap((parent, at) => {
        const member = at === 0 ? relation.target : relation.source;
        const edges = upper.get(parent.type)?.memberEdges ?? [];
        return gathers(parent, member) && isMemberEdge(edges, relation) ? [{ parent, member, span }] : [];
      });
    });
    if (parents.length > 0) {
      const bySentence = Map.groupBy(entities, ({ sentence }) => sentence);
      const subjects = passage.sentences.map(
        ({ index }) =>
          openings[index]?.entity ?? bySentence.get(index)?.find(({ from }) => from <= 1) ?? null,
      );
      for (const [at, sentence] of passage.sentences.entries()) {
        const referred = referredTo({
          sentence,
          opening: openings[at] ?? null,
          before: subjects[at - 1],
        });
        const known = entities.find(({ key }) => key === referred?.key);
        const pronoun = referred === null || known === undefined ? [] : [{ ...referred, type: known.type }];
        const own = [...(bySentence.get(at) ?? []), ...pronoun];
        found.push(...readSentence(passage, { sentence, own, gathers }));
      }
      found.push(...readLists(passage, entities, { upper, gathers }));
    }
    return distinct(found).slice(0, MAX_MEMBERS);
  };
}

/** What "it" or "its" at the beginning of a sentence stands for, in its place. */
function referredTo(input: {
  readonly sentence: PassageSentence;
  readonly opening: Opening | null;
  readonly before: FoundEntity | null | undefined;
}): FoundEntity | null {
  const { sentence, opening, before } = input;
  if (opening !== null) {
    return {
      ...opening.entity,
      start: opening.range.start,
      end: opening.range.end,
      sentence: sentence.index,
    };
  }
  const [first] = sentence.tokens;
  if (first?.lower !== "its" || before === null || before === undefined) return null;
  return { ...before, start: first.start, end: first.end, sentence: sentence.index };
}

interface Gathered {
  readonly parent: FoundEntity;
  readonly member: FoundEntity;
  readonly span: Span;
}

type Gathers = (parent: FoundEntity, member: FoundEntity) => boolean;

function distinct(found: readonly Gathered[]): readonly MemberMention[] {
  const keys = new Map<string, MemberMention>();
  for (const { parent, member, span } of found) {
    const id = [parent.type, parent.key, member.type, member.key].join("\n");
    const mention = {
      parent: { type: parent.type, key: parent.key },
      member: { type: member.type, key: member.key },
      ...{ start: span.start, end: span.end },
    };
    if (!keys.has(id)) keys.set(id, mention);
  }
  return [...keys.values()];
}

/** What is asked, supposed or denied is not said. */
function isPlain(text: string): boolean {
  return !/\?\s*$/.test(text) && !/^(?:if|whether|unless|suppose|neither|none|no|not)\b/i.test(text);
}

function readSentence(
  passage: Passage,
  { sentence, own, gathers }: { sentence: PassageSentence; own: readonly FoundEntity[]; gathers: Gathers },
): readonly Gathered[] {
  if (!isPlain(passage.textOf(sentence))) return [];
  const { tokens } = sentence;
  const unsettled = findUnsettledParts(tokens);
  const isTold = ({ start }: FoundEntity) =>
    unsettled[tokens.findIndex((token) => token.start === start)] !== 1;
  const inOrder = own
    .filter((entity) => entity.start >= sentence.start && isTold(entity))
    .sort((a, b) => a.start - b.start);
  const between = (one: FoundEntity | undefined, other: FoundEntity | undefined) => {
    if (one === undefined || other === undefined || other.start - one.end > MAX_BETWEEN) return UNRELATED;
    const phrase = passage.textOf({ start: one.end, end: other.start }).replace(/\s+/g, " ").trimEnd();
    return DENIED.test(phrase) ? UNRELATED : phrase;
  };
  return inOrder.flatMap((parent, at) => {
    const members: FoundEntity[] = [];
    const before = inOrder[at - 1];
    if (before !== undefined && gathers(parent, before)) {
      const phrase = between(before, parent);
      if (OF_GROUP.test(phrase)) members.push(before);
      if (BELONGS.test(phrase.replace(/^ /, "")))
        members.push(...listBefore(inOrder, at - 1, { parent, between, gathers }));
    }
    const after = inOrder[at + 1];
    if (after !== undefined && gathers(parent, after)) {
      const phrase = between(parent, after);
      if (GATHERS.test(phrase.replace(/^ /, "")) || HAS_MEMBER.test(phrase) || ITS_PARTS.test(phrase))
        members.push(...listAfter(inOrder, at + 1, { parent, between, gathers }));
    }
    return members.map((member) => ({ parent, member, span: sentence }));
  });
}

interface Listing {
  readonly parent: FoundEntity;
  readonly between: (one: FoundEntity | undefined, other: FoundEntity | undefined) => string;
  readonly gathers: Gathers;
}

function listBefore(inOrder: readonly FoundEntity[], from: number, listing: Listing): readonly FoundEntity[] {
  const { parent, between, gathers } = listing;
  const found: FoundEntity[] = [];
  for (let at = from; at >= 0; at--) {
    const entity = inOrder[at];
    if (entity === undefined || !gathers(parent, entity)) break;
    if (at < from && !LISTED.test(between(entity, inOrder[at + 1]).trim())) break;
    found.unshift(entity);
  }
  return found;
}

function listAfter(inOrder: readonly FoundEntity[], from: number, listing: Listing): readonly FoundEntity[] {
  const { parent, between, gathers } = listing;
  const found: FoundEntity[] = [];
  for (let at = from; at < inOrder.length; at++) {
    const entity = inOrder[at];
    if (entity === undefined || !gathers(parent, entity)) break;
    if (at > from && !LISTED.test(between(inOrder[at - 1], entity).trim())) break;
    found.push(entity);
  }
  return found;
}

/** Items of a list that begin with a member, under a line that is nothing but the parent's name. */
function readLists(
  passage: Passage,
  entities: readonly FoundEntity[],
  { upper, gathers }: { readonly upper: ReadonlyMap<string, unknown>; readonly gathers: Gathers },
): readonly Gathered[] {
  const found: Gathered[] = [];
  let parent: FoundEntity | null = null;
  for (const line of linesOf(passage)) {
    const text = passage.textOf(line);
    if (text.trim() === "") continue;
    const inside = entities.filter(({ start, end }) => start >= line.start && end <= line.end);
    const bullet = BULLET.exec(text)?.[0].length ?? 0;
    const first = inside.find(({ start }) =>
      MARKS.test(passage.textOf({ start: line.start + bullet, end: start })),
    );
    if (bullet > 0) {
      if (parent !== null && first !== undefined && gathers(parent, first))
        found.push({ parent, member: first, span: line });
      continue;
    }
    const isAlone = first !== undefined && CLOSING.test(passage.textOf({ start: first.end, end: line.end }));
    parent = first !== undefined && isAlone && upper.has(first.type) ? first : null;
  }
  return found;
}

function linesOf(passage: Passage): readonly Span[] {
  const lines: Span[] = [];
  let start = passage.start;
  for (const line of passage.textOf(passage).split("\n")) {
    lines.push({ start, end: start + line.length });
    start += line.length + 1;
  }
  return lines;
}
