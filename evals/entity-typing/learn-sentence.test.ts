import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { learnSentence } from "./learn-sentence.ts";
import type { LearningSentence } from "./learning-set.ts";
import { createParameters, zeroParameters } from "./parameters.ts";
import { createRandom, normal } from "./random.ts";

const random = createRandom(7);
const noise = (size: number) => Float32Array.from({ length: size }, () => normal(random));
const count = 5;
const mention = { from: 1, to: 3, kind: 0, label: 1, prior: 0, hits: [0, 19] };
const sentence: LearningSentence = {
  states: noise(count * NETWORK.input),
  shapes: noise(count * NETWORK.shape),
  count,
  gold: 1,
  mentions: [mention, { ...mention, from: 2, to: 5, kind: 8, label: -1, hits: [4] }],
  typed: {
    tokens: [],
    mentions: [],
    states: { states: new Float32Array(), dimensions: NETWORK.input, starts: [], ends: [] },
    offset: 0,
  },
};
const profiles = [0, 1].map((type) => ({
  readable: "",
  head: "",
  direction: noise(NETWORK.input).map((value) => value / 20),
  anchors: noise(NETWORK.anchors),
  anchor: type,
  examples: new Set<string>(),
}));
const keepAll = () => 0.9;

describe("the gradients of a sentence", () => {
  const parameters = createParameters(new Float32Array(NETWORK.input), 3);
  const learn = (gradients = zeroParameters()) => {
    const { loss } = learnSentence(sentence, {
      parameters,
      gradients,
      profiles,
      isUsed: [true, true],
      random: keepAll,
    });
    return { loss, gradients };
  };
  const { gradients } = learn();

  for (const name of Object.keys(parameters).filter((other) => other !== "mean")) {
    it(`are the slopes of its loss by ${name}`, () => {
      const values = parameters[name]!;
      const slopes = gradients[name]!;
      const steepest = slopes.reduce(
        (best, slope, k) => (Math.abs(slope) > Math.abs(slopes[best]!) ? k : best),
        0,
      );
      const step = 1e-3;
      const before = values[steepest]!;
      values[steepest] = before + step;
      const above = learn().loss;
      values[steepest] = before - step;
      const below = learn().loss;
      values[steepest] = before;
      const measured = (above - below) / (2 * step);
      const expected = slopes[steepest]!;
      assert.ok(
        Math.abs(measured - expected) < 0.02 * Math.abs(expected) + 2e-3,
        `${measured}, not ${expected}`,
      );
    });
  }

  it("pass over mentions of types that are not in use and of no known type", () => {
    const unknown = { ...sentence, mentions: [{ ...mention, label: -2 }, mention] };
    const step = {
      parameters,
      gradients: zeroParameters(),
      profiles,
      isUsed: [true, false],
      random: keepAll,
    };
    assert.deepEqual(learnSentence(unknown, step), { loss: 0, mentions: 0 });
  });
});
