/** Features from the model's own states: what it makes of an end of the relation in this sentence. */

import type {
  CandidateView,
  EdgePrototypes,
  ExampleStates,
  FeatureInput,
  JoinedExamples,
} from "./feature-input.ts";
import { type Similarity, standardise } from "./word-edge-similarity.ts";
import { dot } from "./word-vectors.ts";

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
  const remembered = (key: string, make: () => Similarity): Similarity => {
    const known = input.states.get(key);
    if (known !== undefined) return known;
    const made = make();
    input.states.set(key, made);
    return made;
  };
  const likeLabels = (state: Float32Array) =>
    standardise(Float32Array.from(input.edgeVectors, (vector) => dot(vector, state)));
  const head = target.before.find((word) => word.isVerb || word.isNoun);
  const own = remembered(`target ${candidate.target}`, () => likeLabels(input.view.stateOf(mention)));
  const ofHead =
    head === undefined
      ? 0
      : (remembered(`head ${head.at}`, () =>
          likeLabels(input.view.stateOf({ from: head.at, to: head.at + 1 })),
        ).relative[edge] ?? 0);
  const sentence = remembered("sentence", () => likeLabels(input.view.sentence.encoded.vector));
  row.push(own.relative[edge] ?? 0, own.raw[edge] ?? 0, ofHead, sentence.relative[edge] ?? 0);
  writeLikeExamples(row, { view, input, remembered });
}

interface Comparison {
  readonly view: CandidateView;
  readonly input: FeatureInput;
  readonly remembered: (key: string, make: () => Similarity) => Similarity;
}

const SHARES = { target: 0.5, source: 0.25, sentence: 0.25 };

function writeLikeExamples(row: number[], { view, input, remembered }: Comparison): void {
  const { source, target, edge } = view.candidate;
  const mention = input.view.mentions[target];
  const examples = input.prototypes[edge]?.states ?? [];
  if (mention === undefined || examples.length === 0) {
    row.push(0, 0, 0, 0, 0, 0, 0);
    return;
  }
  const { all, firsts } = input.examples;
  const dots = (key: string, score: (example: ExampleStates) => number): Float32Array => {
    const known = input.exampleDots.get(key);
    if (known !== undefined) return known;
    const made = Float32Array.from(all, score);
    input.exampleDots.set(key, made);
    return made;
  };
  const bestOverEdges = (score: (example: number) => number) =>
    standardise(
      Float32Array.from(input.prototypes, (_, at) => {
        let best = 0;
        for (let example = firsts[at] ?? 0; example < (firsts[at + 1] ?? 0); example++)
          best = Math.max(best, score(example));
        return best;
      }),
    );
  const [atTarget, atSource] = [`${target}`, `${source.range.from} ${source.range.to}`];
  const targetDots = dots(`target ${atTarget}`, ({ target: state }) =>
    dot(state, input.view.stateOf(mention)),
  );
  const sourceDots = dots(`source ${atSource}`, ({ source: state }) =>
    state === null ? 0 : dot(state, input.view.stateOf(source.range)),
  );
  const textDots = dots("text", ({ sentence }) => dot(sentence, input.view.sentence.encoded.vector));
  const targets = remembered(`targets ${atTarget}`, () => bestOverEdges((one) => targetDots[one] ?? 0));
  const sources = remembered(`sources ${atSource}`, () => bestOverEdges((one) => sourceDots[one] ?? 0));
  const texts = remembered("texts", () => bestOverEdges((one) => textDots[one] ?? 0));
  const pairs = remembered(`pairs ${atSource} ${atTarget}`, () =>
    bestOverEdges((one) => {
      const ends = SHARES.target * (targetDots[one] ?? 0) + SHARES.source * (sourceDots[one] ?? 0);
      return ends + SHARES.sentence * (textDots[one] ?? 0);
    }),
  );
  row.push(targets.raw[edge] ?? 0, targets.relative[edge] ?? 0, sources.raw[edge] ?? 0);
  row.push(texts.raw[edge] ?? 0, texts.relative[edge] ?? 0, pairs.raw[edge] ?? 0, pairs.relative[edge] ?? 0);
}

/** One row of examples for the prototypes of all edge types, in their order. */
export function joinExamples(prototypes: readonly (EdgePrototypes | null)[]): JoinedExamples {
  const all: ExampleStates[] = [];
  const firsts = [0];
  for (const prototype of prototypes) {
    all.push(...(prototype?.states ?? []));
    firsts.push(all.length);
  }
  return { all, firsts };
}
