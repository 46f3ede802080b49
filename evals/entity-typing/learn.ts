/** Learns the typing network by Adam with decoupled weight decay (https://arxiv.org/abs/1711.05101). */
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { learnSentence } from "./learn-sentence.ts";
import type { LearningSentence, LearningSet } from "./learning-set.ts";
import { createParameters, type Parameters, zeroParameters } from "./parameters.ts";
import { createRandom, shuffled } from "./random.ts";

const { input } = NETWORK;

export interface Learning {
  readonly epochs: number;
  readonly seed: number;
  readonly rate: number;
  /** Share of a set's types that each batch goes without, so that it is another ontology. */
  readonly typesLeftOut: number;
  /** Of a set in an epoch; a larger set is sampled anew each time. */
  readonly mostSentences: number;
}

export const LEARNING: Learning = { epochs: 3, seed: 0, rate: 3e-3, typesLeftOut: 0.2, mostSentences: 600 };

const batchSize = 16;
const decay = 1e-2;
const shapeDecay = 2e-2;
/** Single numbers that count much have far to go. */
const paces: Readonly<Record<string, number>> = { lexical: 10, viewScale: 5, noneBias: 5 };

interface Batch {
  readonly set: LearningSet;
  readonly sentences: readonly LearningSentence[];
}

/** Sets that are named twice are seen twice in an epoch. Deterministic; a minute or two on one core. */
export function learn(
  sets: readonly LearningSet[],
  { epochs, seed, rate, typesLeftOut, mostSentences }: Learning,
): Parameters {
  const random = createRandom(seed + 1);
  const parameters = createParameters(meanState(sets), seed);
  const sizes = sets.map(({ sentences }) => Math.min(mostSentences, sentences.length));
  const steps = epochs * sizes.reduce((sum, size) => sum + Math.ceil(size / batchSize), 0);
  const update = createUpdate(parameters);
  let step = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const batches = sets.flatMap((set) => batchesOf(set, mostSentences, random));
    let total = 0;
    for (const at of shuffled(batches.length, random)) {
      const { set, sentences } = batches[at]!;
      const isUsed = set.profiles.map(() => random() >= typesLeftOut);
      const gradients = zeroParameters();
      let loss = 0;
      let mentions = 0;
      for (const sentence of sentences) {
        const part = learnSentence(sentence, {
          parameters,
          gradients,
          profiles: set.profiles,
          isUsed,
          random,
        });
        loss += part.loss;
        mentions += part.mentions;
      }
      update(gradients, 1 / (mentions + 1), (rate / 2) * (1 + Math.cos((Math.PI * step) / steps)));
      total += loss / (mentions + 1);
      step++;
    }
    process.stderr.write(`epoch ${epoch}: loss ${(total / batches.length).toFixed(4)}\n`);
  }
  return parameters;
}

function batchesOf(set: LearningSet, most: number, random: () => number): readonly Batch[] {
  const order = shuffled(set.sentences.length, random).slice(0, most);
  const batches: Batch[] = [];
  for (let at = 0; at < order.length; at += batchSize) {
    const sentences = order.slice(at, at + batchSize).map((index) => set.sentences[index]!);
    batches.push({ set, sentences });
  }
  return batches;
}

function meanState(sets: readonly LearningSet[]): Float32Array {
  const mean = new Float64Array(input);
  let count = 0;
  for (const { sentences } of sets) {
    for (const { states } of sentences.slice(0, 300)) {
      for (let k = 0; k < states.length; k++) mean[k % input] = mean[k % input]! + states[k]!;
      count += states.length / input;
    }
  }
  return Float32Array.from(mean, (value) => value / Math.max(1, count));
}

function createUpdate(parameters: Parameters): (gradients: Parameters, scale: number, rate: number) => void {
  const firsts = zeroParameters();
  const seconds = zeroParameters();
  let step = 0;
  return (gradients, scale, rate) => {
    step++;
    const [firstShare, secondShare] = [1 - 0.9 ** step, 1 - 0.999 ** step];
    for (const [name, values] of Object.entries(parameters)) {
      if (name === "mean") continue;
      const [first, second, slopes] = [firsts[name]!, seconds[name]!, gradients[name]!];
      const pace = paces[name] ?? 1;
      const pull = name === "viewShape" ? shapeDecay : 0;
      for (let k = 0; k < values.length; k++) {
        const slope = slopes[k]! * scale + pull * values[k]!;
        first[k] = 0.9 * first[k]! + 0.1 * slope;
        second[k] = 0.999 * second[k]! + 0.001 * slope * slope;
        const change = first[k]! / firstShare / (Math.sqrt(second[k]! / secondShare) + 1e-8);
        values[k] = values[k]! - rate * (pace * change + decay * values[k]!);
      }
    }
  };
}
