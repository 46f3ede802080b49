/** The loss of a sentence and its gradients: a softmax of each mention over the set's types and none. */
import { ANCHORS } from "../../packages/server/src/engine/ingest/extract/types/anchors.ts";
import { CUES } from "../../packages/server/src/engine/ingest/extract/types/lexical-cues.ts";
import type { TypeProfile } from "../../packages/server/src/engine/ingest/extract/types/type-profile.ts";
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { addOuter, addScaled, dot, multiplyAdd, multiplyAddBack, rowOf } from "./dense.ts";
import { passWords, type Readings, type WordPass, zeroReadings } from "./learn-words.ts";
import type { LearningMention, LearningSentence } from "./learning-set.ts";
import { type Parameters, shapeGain } from "./parameters.ts";

const { input, span, lengths, views } = NETWORK;
const anchorCount = ANCHORS.length;
const leastSquare = 1e-2;
const leftOut = 0.2;
/** Smaller slopes change nothing; half of the time is spent without this. */
const leastSlope = 1e-4;

export interface LearningStep {
  readonly parameters: Parameters;
  readonly gradients: Parameters;
  readonly profiles: readonly TypeProfile[];
  /** Of each type whether it is in the ontology of this step; mentions of the others are passed over. */
  readonly isUsed: readonly boolean[];
  readonly random: () => number;
}

export interface SentenceLoss {
  readonly loss: number;
  readonly mentions: number;
}

/** Adds the gradients of the sum of the losses of the sentence's mentions. */
export function learnSentence(sentence: LearningSentence, step: LearningStep): SentenceLoss {
  const { parameters, gradients, isUsed, random } = step;
  const centred = sentence.states.map((value, k) => value - parameters.mean![k % input]!);
  const kept = centred.map((value) => (random() < leftOut ? 0 : value / (1 - leftOut)));
  const words = passWords(sentence, kept, parameters);
  const slopes = zeroReadings(sentence.count);
  const running = runningSums(centred, sentence.count);
  let loss = 0;
  let mentions = 0;
  for (const mention of sentence.mentions) {
    if (mention.label === -2 || (mention.label >= 0 && !isUsed[mention.label])) continue;
    mentions++;
    loss += learnMention(mention, { ...step, words, slopes, running, count: sentence.count });
  }
  if (mentions > 0) words.back(slopes, gradients);
  return { loss, mentions };
}

/** Row i: the sum of the rows before i. */
function runningSums(rows: Float32Array, count: number): Float32Array {
  const sums = new Float32Array((count + 1) * input);
  for (let k = 0; k < rows.length; k++) sums[k + input] = sums[k]! + rows[k]!;
  return sums;
}

interface MentionStep extends LearningStep {
  readonly words: WordPass;
  readonly slopes: Readings;
  readonly running: Float32Array;
  readonly count: number;
}

function learnMention(mention: LearningMention, step: MentionStep): number {
  const { parameters, gradients, profiles, isUsed } = step;
  const { reading, gain } = readSpan(mention, step);
  const anchors = parameters.anchorBias!.slice();
  multiplyAdd(reading, parameters.anchor!, anchors);
  const none = parameters.noneBias![0]! + dot(reading, parameters.none!) - mention.prior;
  const looks = readViews(mention, step);
  const view = new Float32Array(input);
  for (let at = 0; at < views; at++) addView(looks, at, parameters, view);
  const cueScores = scoreCues(mention.hits, profiles.length, parameters.lexical!);
  const shares = profiles.map((profile) => shareAnchors(anchors, profile.anchors));
  const logits = profiles.map((profile, type) =>
    isUsed[type] ? shares[type]!.log + dot(view, profile.direction) + cueScores[type]! : -1e9,
  );
  const highest = Math.max(none, ...logits);
  const powers = [none, ...logits].map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  const slopes = powers.map((power, at) => power / sum - (at === mention.label + 1 ? 1 : 0));
  const loss = -Math.log(Math.max(1e-9, powers[mention.label + 1]! / sum));
  if (slopes.every((slope) => Math.abs(slope) < leastSlope * 10)) return loss;
  const readingSlope = new Float32Array(span);
  const anchorSlope = new Float32Array(anchorCount);
  const viewSlope = new Float32Array(input);
  for (const [type, profile] of profiles.entries()) {
    const slope = slopes[type + 1]!;
    if (Math.abs(slope) < leastSlope) continue;
    addScaled(shares[type]!.shares, slope, anchorSlope);
    addScaled(profile.direction, slope, viewSlope);
  }
  learnCues(mention.hits, slopes, gradients.lexical!);
  for (let at = 0; at < views; at++) learnView(looks, at, { viewSlope, gradients });
  addScaled(anchorSlope, 1, gradients.anchorBias!);
  addOuter(reading, anchorSlope, gradients.anchor!);
  multiplyAddBack(anchorSlope, parameters.anchor!, readingSlope);
  gradients.noneBias![0] = gradients.noneBias![0]! + slopes[0]!;
  addScaled(reading, slopes[0]!, gradients.none!);
  addScaled(parameters.none!, slopes[0]!, readingSlope);
  for (let k = 0; k < span; k++) readingSlope[k] = readingSlope[k]! * gain[k]!;
  backToWords(mention, readingSlope, step);
  return loss;
}

function lengthOf({ from, to }: LearningMention): number {
  return Math.min(to - from, lengths - 1);
}

/** The reading of a span with some numbers left out, and its slope by its sum. */
function readSpan(
  mention: LearningMention,
  { words, parameters, count, random }: MentionStep,
): { readonly reading: Float32Array; readonly gain: Float32Array } {
  const { from, to, kind } = mention;
  const { first, last, before, after, middle } = words.readings;
  const reading = parameters.spanBias!.slice();
  addScaled(rowOf(parameters.kind!, kind, span), 1, reading);
  addScaled(rowOf(parameters.length!, lengthOf(mention), span), 1, reading);
  addScaled(rowOf(first, from, span), 1, reading);
  addScaled(rowOf(last, to - 1, span), 1, reading);
  if (from > 0) addScaled(rowOf(before, from - 1, span), 1, reading);
  if (to < count) addScaled(rowOf(after, to, span), 1, reading);
  for (let at = from; at < to; at++) addScaled(rowOf(middle, at, span), 1 / (to - from), reading);
  const gain = reading.map((value) => (value <= 0 || random() < leftOut ? 0 : 1 / (1 - leftOut)));
  for (let k = 0; k < span; k++) reading[k] = reading[k]! * gain[k]!;
  return { reading, gain };
}

function backToWords(
  mention: LearningMention,
  slope: Float32Array,
  { slopes, gradients, count }: MentionStep,
): void {
  const { from, to, kind } = mention;
  addScaled(slope, 1, gradients.spanBias!);
  addScaled(slope, 1, rowOf(gradients.kind!, kind, span));
  addScaled(slope, 1, rowOf(gradients.length!, lengthOf(mention), span));
  addScaled(slope, 1, rowOf(slopes.first, from, span));
  addScaled(slope, 1, rowOf(slopes.last, to - 1, span));
  if (from > 0) addScaled(slope, 1, rowOf(slopes.before, from - 1, span));
  if (to < count) addScaled(slope, 1, rowOf(slopes.after, to, span));
  for (let at = from; at < to; at++) addScaled(slope, 1 / (to - from), rowOf(slopes.middle, at, span));
}

/** A row of unit length for each view; see span-views.ts. */
function readViews({ from, to }: LearningMention, { running, count }: MentionStep): Float32Array {
  const looks = new Float32Array(views * input);
  const windows = [from, to, from - 2, from, to, to + 2, to - 1, to];
  for (let at = 0; at < views; at++) {
    const low = Math.max(0, windows[2 * at]!) * input;
    const high = Math.min(count, windows[2 * at + 1]!) * input;
    const row = rowOf(looks, at, input);
    let square = leastSquare;
    for (let k = 0; k < input; k++) {
      row[k] = running[high + k]! - running[low + k]!;
      square += row[k]! ** 2;
    }
    const scale = 1 / Math.sqrt(square);
    for (let k = 0; k < input; k++) row[k] = row[k]! * scale;
  }
  return looks;
}

function addView(looks: Float32Array, at: number, ...[parameters, view]: [Parameters, Float32Array]): void {
  const scale = parameters.viewScale![at]!;
  const first = at * input;
  for (let k = 0; k < input; k++)
    view[k] = view[k]! + looks[first + k]! * (scale + shapeGain * parameters.viewShape![first + k]!);
}

interface ViewLearning {
  readonly viewSlope: Float32Array;
  readonly gradients: Parameters;
}

function learnView(looks: Float32Array, at: number, { viewSlope, gradients }: ViewLearning): void {
  const shapes = gradients.viewShape!;
  const first = at * input;
  let scale = 0;
  for (let k = 0; k < input; k++) {
    const slope = looks[first + k]! * viewSlope[k]!;
    scale += slope;
    shapes[first + k] = shapes[first + k]! + shapeGain * slope;
  }
  gradients.viewScale![at] = gradients.viewScale![at]! + scale;
}

function shareAnchors(
  left: Float32Array,
  right: Float32Array,
): { readonly log: number; readonly shares: Float32Array } {
  const joined = left.map((value, k) => value + right[k]!);
  const highest = Math.max(...joined);
  const powers = joined.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return { log: highest + Math.log(sum), shares: powers.map((power) => power / sum) };
}

function scoreCues(hits: readonly number[], types: number, weights: Float32Array): Float32Array {
  const scores = new Float32Array(types);
  const present = new Set<number>();
  for (const hit of hits) {
    const cue = hit % CUES.length;
    const type = (hit - cue) / CUES.length;
    scores[type] = scores[type]! + weights[cue]! - weights[CUES.length + cue]!;
    present.add(cue);
  }
  let others = 0;
  for (const cue of present) others += weights[CUES.length + cue]!;
  return scores.map((score) => score + others);
}

/** `slopes` begin with that of none. */
function learnCues(hits: readonly number[], slopes: readonly number[], gradient: Float32Array): void {
  const present = new Set<number>();
  for (const hit of hits) {
    const cue = hit % CUES.length;
    const slope = slopes[1 + (hit - cue) / CUES.length]!;
    gradient[cue] = gradient[cue]! + slope;
    gradient[CUES.length + cue] = gradient[CUES.length + cue]! - slope;
    present.add(cue);
  }
  const all = slopes.slice(1).reduce((total, slope) => total + slope, 0);
  for (const cue of present) gradient[CUES.length + cue] = gradient[CUES.length + cue]! + all;
}
