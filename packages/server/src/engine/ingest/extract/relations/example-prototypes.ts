/** Reads the examples of edge types once, into what candidates are compared with. */

import type { EdgeExample } from "../../../../domain/ontology-schema.ts";
import type { MentionKind } from "../mentions/entity-mention.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import type { WordVectors } from "../pairs/word-vectors.ts";
import type { TagSentence } from "../statements/create-tagger.ts";
import type { EdgeProfile } from "./edge-profile.ts";
import { wordsVector } from "./example-features.ts";
import type { EdgePrototypes, ExampleStates } from "./feature-input.ts";
import type { EncodedSentence, TypedMention } from "./relation-types.ts";
import { type ContextWord, type SentenceView, viewSentence } from "./sentence-context.ts";
import { isContentWord, type Stem } from "./word-forms.ts";

/** Of one edge type; further ones are not read. */
const MAX_EXAMPLES = 40;
const noScores = new Float32Array(0);

export interface ExampleReading {
  readonly tag: TagSentence;
  readonly stem: Stem;
  readonly vectors: WordVectors;
  readonly encode: (text: string) => Promise<EncodedSentence>;
  /** What is taken off every state. */
  readonly mean: Float32Array;
}

interface ReadExample {
  readonly before: readonly ContextWord[];
  readonly between: readonly ContextWord[] | null;
  readonly inside: readonly ContextWord[];
  readonly after: readonly ContextWord[];
  /** null without a verb before the target. */
  readonly verb: string | null;
  /** null where the source is not in the text. */
  readonly joint: { readonly isCopula: boolean; readonly isFirst: boolean; readonly tokens: number } | null;
  readonly preposition: string;
  readonly kind: MentionKind;
  /** null where the source is not in the text. */
  readonly isTargetAfter: boolean | null;
  /** null for an example without a text. */
  readonly states: ExampleStates | null;
}

/** One for each edge type, null where its examples say nothing. Loads the vectors of the examples' words. */
export async function readPrototypes(
  edges: readonly EdgeProfile[],
  reading: ExampleReading,
): Promise<readonly (EdgePrototypes | null)[]> {
  const read: (readonly ReadExample[])[] = [];
  for (const { edge } of edges) {
    const examples: ReadExample[] = [];
    for (const example of edge.examples.slice(0, MAX_EXAMPLES)) {
      const one = await readExample(example, reading);
      if (one !== null) examples.push(one);
    }
    read.push(examples);
  }
  const words = read
    .flat()
    .flatMap(({ before, between, inside, after }) => [...before, ...(between ?? []), ...inside, ...after]);
  await reading.vectors.load(words.map(({ lemma }) => lemma));
  const counts = countStems(read.flat());
  return read.map((examples) =>
    examples.length === 0 ? null : toPrototypes(examples, counts, reading.vectors),
  );
}

async function readExample(
  example: EdgeExample,
  { tag, stem, encode, mean }: ExampleReading,
): Promise<ReadExample | null> {
  if (example.target === null) return null;
  const text = example.text ?? example.target;
  const encoded = await encode(text);
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens).map(
    (mention): TypedMention => ({ ...mention, typeScores: noScores }),
  );
  const view = viewSentence({ index: 0, tokens, mentions, encoded, offset: 0 }, stem, mean);
  const target = locate(view, text, example.target);
  if (target === null) return null;
  const mention = mentions[target];
  const source = example.source === null || example.text === null ? null : locate(view, text, example.source);
  const sourceRange = source === null ? undefined : mentions[source];
  if (mention === undefined) return null;
  const context = view.contextOf(target);
  const isApart =
    sourceRange !== undefined && (sourceRange.to <= mention.from || mention.to <= sourceRange.from);
  const between = isApart ? view.between(sourceRange, mention) : null;
  return {
    after: example.text === null ? [] : context.after,
    verb: verbBefore(view, mention),
    joint:
      between === null || sourceRange === undefined
        ? null
        : { isCopula: between.isCopula, isFirst: sourceRange.from <= 2, tokens: between.tokens },
    before: example.text === null ? [] : context.before,
    between: between?.words ?? null,
    inside: view.wordsOf(target),
    preposition: context.preposition,
    kind: mention.kind,
    isTargetAfter: isApart ? sourceRange.from < mention.from : null,
    states:
      example.text === null
        ? null
        : {
            target: view.stateOf(mention),
            source: isApart ? view.stateOf(sourceRange) : null,
            sentence: encoded.vector,
          },
  };
}

function verbBefore(view: SentenceView, { from }: TypedMention): string | null {
  return (
    view.frames.findLast(({ to, head }) => to <= from && (view.cover[head.at] ?? -1) < 0)?.head.stems[0] ??
    null
  );
}

/** The mention that is written like the name; else one that has most of its words. */
function locate(view: SentenceView, text: string, name: string): number | null {
  const wanted = plainForm(name);
  const words = new Set(wanted.split(" "));
  let best = { index: -1, overlap: 0.5 };
  for (const [index, mention] of view.mentions.entries()) {
    const form = plainForm(text.slice(mention.start, mention.end));
    if (form === wanted) return index;
    const own = form.split(" ");
    const shared = own.filter((word) => words.has(word)).length;
    const overlap = shared / Math.max(own.length, words.size);
    if (overlap > best.overlap) best = { index, overlap };
  }
  return best.index < 0 ? null : best.index;
}

function plainForm(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** In how many examples of all edge types a stem stands. */
function countStems(examples: readonly ReadExample[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const example of examples) {
    for (const stem of stemsOf(example)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

function stemsOf({ before, between }: ReadExample): ReadonlySet<string> {
  const words = [...before, ...(between ?? [])].filter((word) => word.isVerb || word.isNoun);
  return new Set(words.filter(({ lemma }) => isContentWord(lemma)).flatMap(({ stems }) => stems));
}

function toPrototypes(
  examples: readonly ReadExample[],
  counts: ReadonlyMap<string, number>,
  vectors: WordVectors,
): EdgePrototypes {
  const own = countStems(examples);
  const triggers = new Map<string, number>();
  for (const [stem, count] of own) {
    // Often here, seldom elsewhere; a stem of a single example counts half.
    triggers.set(stem, (count / (counts.get(stem) ?? count)) * (count / (count + 1)));
  }
  const directed = examples.flatMap(({ isTargetAfter }) => (isTargetAfter === null ? [] : [isTargetAfter]));
  const joints = examples.flatMap(({ joint }) => joint ?? []);
  const vectorsOf = (pick: (example: ReadExample) => readonly ContextWord[]) =>
    examples.flatMap((example) => wordsVector(pick(example), vectors) ?? []);
  return {
    before: vectorsOf(({ before }) => before),
    between: vectorsOf(({ between }) => between ?? []),
    targets: vectorsOf(({ inside }) => inside),
    triggers,
    prepositions: shares(examples.map(({ preposition }) => preposition)),
    kinds: shares(examples.map(({ kind }) => kind)),
    phrases: examples.map(({ inside }) => inside.map(({ lemma }) => lemma)),
    after: vectorsOf(({ after }) => after),
    verbs: shares(examples.flatMap(({ verb }) => verb ?? [])),
    copula: share(joints.map(({ isCopula }) => isCopula)),
    sourceFirst: share(joints.map(({ isFirst }) => isFirst)),
    distances: joints.map(({ tokens }) => tokens),
    states: examples.flatMap(({ states }) => states ?? []),
    targetAfter: share(directed),
  };
}

/** Drawn towards a half. */
const share = (marks: readonly boolean[]) => (marks.filter(Boolean).length + 0.5) / (marks.length + 1);

function shares<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const found = new Map<T, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1 / values.length);
  return found;
}
