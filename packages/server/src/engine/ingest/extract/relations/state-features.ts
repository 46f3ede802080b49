/** Features from the model's own states: what it makes of an end of the relation in this sentence. */

import { dotAll, type Embed, toUnit } from "../vectors.ts";
import { type EdgeProfile, WORDED_EDGES } from "./edge-profile.ts";
import {
  type CandidateView,
  type EdgePrototypes,
  type ExampleStates,
  type FeatureInput,
  type JoinedExamples,
  memoryKey,
  type Similarity,
} from "./feature-input.ts";

/** Keeps what is equally near to every edge type from telling between them. */
const LEAST_DEVIATION = 0.05;

export const stateNames = [
  "targetStateLike",
  "targetStateLikeRaw",
  "headStateLike",
  "sentenceLike",
  "exampleTargetState",
  "exampleTargetStateLead",
  "exampleSourceState",
  "exampleSentence",
  "exampleSentenceLead",
  "examplePair",
  "examplePairLead",
] as const;

export function writeStateFeatures(row: number[], view: CandidateView, input: FeatureInput): void {
  const { candidate, target } = view;
  const { edge } = candidate;
  const mention = input.view.mentions[candidate.target];
  if (mention === undefined) return;
  const likeLabels = (key: number, stateOf: () => Float32Array): Similarity => {
    const known = input.states.get(key);
    if (known !== undefined) return known;
    const made = standardise(Float32Array.from(dotAll(stateOf(), input.edgeVectors)));
    input.states.set(key, made);
    return made;
  };
  const head = target.before.find((word) => word.isVerb || word.isNoun);
  const own = likeLabels(memoryKey("target", candidate.target), () => input.view.stateOf(mention));
  const ofHead =
    head === undefined
      ? 0
      : (likeLabels(memoryKey("head", head.at), () => input.view.stateOf({ from: head.at, to: head.at + 1 }))
          .relative[edge] ?? 0);
  const sentence = likeLabels(memoryKey("sentence"), () => input.view.sentence.encoded.vector);
  row.push(own.relative[edge] ?? 0, own.raw[edge] ?? 0, ofHead, sentence.relative[edge] ?? 0);
  writeLikeExamples(row, view, input);
}

const SHARES = { target: 0.5, source: 0.25, sentence: 0.25 };

function writeLikeExamples(row: number[], { candidate }: CandidateView, input: FeatureInput): void {
  const { source, target, edge } = candidate;
  const mention = input.view.mentions[target];
  const own = input.prototypes[edge]?.states ?? [];
  if (mention === undefined || own.length === 0) {
    row.push(0, 0, 0, 0, 0, 0, 0);
    return;
  }
  const { examples, view } = input;
  const dots = (key: number, rows: readonly Float32Array[], stateOf: () => Float32Array): Float32Array => {
    const known = input.exampleDots.get(key);
    if (known !== undefined) return known;
    const made = Float32Array.from(dotAll(stateOf(), rows));
    input.exampleDots.set(key, made);
    return made;
  };
  const keys = {
    target: memoryKey("targets", target),
    source: memoryKey("sources", source.mention),
    text: memoryKey("texts"),
    pair: memoryKey("pairs", source.mention, target),
  };
  const ofTarget = dots(keys.target, examples.targets, () => view.stateOf(mention));
  const ofSource = dots(keys.source, examples.sources, () => view.stateOf(source.range));
  const ofText = dots(keys.text, examples.sentences, () => view.sentence.encoded.vector);
  const targets = bestOverEdges(input, keys.target, (one) => ofTarget[one]!);
  const sources = bestOverEdges(input, keys.source, (one) => ofSource[one]!);
  const texts = bestOverEdges(input, keys.text, (one) => ofText[one]!);
  const pairs = bestOverEdges(input, keys.pair, (one) => {
    const ends = SHARES.target * ofTarget[one]! + SHARES.source * ofSource[one]!;
    return ends + SHARES.sentence * ofText[one]!;
  });
  row.push(targets.raw[edge] ?? 0, targets.relative[edge] ?? 0, sources.raw[edge] ?? 0);
  row.push(texts.raw[edge] ?? 0, texts.relative[edge] ?? 0, pairs.raw[edge] ?? 0, pairs.relative[edge] ?? 0);
}

/** The best of each edge type's examples by their numbers; `score` takes an index into the examples of all. */
function bestOverEdges(
  { states, prototypes, examples: { firsts } }: FeatureInput,
  key: number,
  score: (example: number) => number,
): Similarity {
  const known = states.get(key);
  if (known !== undefined) return known;
  const best = Float32Array.from(prototypes, (_, at) => {
    let most = 0;
    for (let one = firsts[at] ?? 0; one < (firsts[at + 1] ?? 0); one++) most = Math.max(most, score(one));
    return most;
  });
  const made = standardise(best);
  states.set(key, made);
  return made;
}

/** One row of examples for the prototypes of all edge types, in their order. */
export function joinExamples(prototypes: readonly (EdgePrototypes | null)[]): JoinedExamples {
  const all: ExampleStates[] = [];
  const firsts = [0];
  for (const prototype of prototypes) {
    all.push(...(prototype?.states ?? []));
    firsts.push(all.length);
  }
  return {
    targets: all.map(({ target }) => target),
    sources: all.map(({ source, target }) => source ?? new Float32Array(target.length)),
    sentences: all.map(({ sentence }) => sentence),
    firsts,
  };
}

/** Embeds each edge type's name, and of the first ones its triple in words. */
export async function embedEdges(
  edges: readonly EdgeProfile[],
  embed: Embed,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const [at, edge] of edges.entries()) {
    const label = await embed(edge.label);
    const triple = at < WORDED_EDGES ? await embed(edge.verbalised) : label;
    vectors.push(toUnit(label.map((value, at) => 0.7 * value + 0.3 * (triple[at] ?? 0))));
  }
  return vectors;
}

/** Standardised over the edge types. */
export function standardise(raw: Float32Array): Similarity {
  const mean = raw.reduce((sum, value) => sum + value, 0) / (raw.length || 1);
  const variance = raw.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (raw.length || 1);
  const deviation = Math.sqrt(variance) + LEAST_DEVIATION;
  return { raw, relative: raw.map((value) => (value - mean) / deviation) };
}
