/** What is learned: the tensors of the typing network, with the views split into a scale and a shape. */
import { CUES } from "../../packages/server/src/engine/ingest/extract/types/lexical-cues.ts";
import { LAYOUT, NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { createRandom, normal } from "./random.ts";

const { input, shape, hidden, span, views } = NETWORK;

export type Parameters = Readonly<Record<string, Float32Array>>;

/** How much a shape's number counts: small, so that it is learned slowly and kept small. */
export const shapeGain = 10;

const spreads: Readonly<Record<string, number>> = {
  project: 1 / Math.sqrt(input),
  projectShape: 0.5 / Math.sqrt(shape),
  left: 0.5 / Math.sqrt(hidden),
  right: 0.5 / Math.sqrt(hidden),
  first: 1 / Math.sqrt(hidden),
  last: 1 / Math.sqrt(hidden),
  middle: 1 / Math.sqrt(hidden),
  before: 0.5 / Math.sqrt(hidden),
  after: 0.5 / Math.sqrt(hidden),
  anchor: 0.8 / Math.sqrt(span),
};
/** In the order of `CUES`. */
const firstCueWeights = [2, 2, 1, -0.5, 1.5, 0.3, 2, 0.5, 1, 0.5, 1, 0.5, 0.5, 2, 1, -1];

export function createParameters(mean: Float32Array, seed: number): Parameters {
  const random = createRandom(seed);
  const parameters = zeroParameters();
  for (const [name, values] of Object.entries(parameters)) {
    const spread = spreads[name];
    if (spread !== undefined) for (let k = 0; k < values.length; k++) values[k] = spread * normal(random);
  }
  parameters.mean!.set(mean);
  parameters.noneBias!.fill(1);
  parameters.viewScale!.set([4, 1, 1, 1]);
  parameters.lexical!.set(firstCueWeights.slice(0, CUES.length));
  return parameters;
}

export function zeroParameters(): Parameters {
  const sizes = LAYOUT.flatMap(([name, rows, columns]): (readonly [string, number])[] =>
    name === "view"
      ? [
          ["viewScale", views],
          ["viewShape", views * input],
        ]
      : [[name, rows * columns]],
  );
  return Object.fromEntries(sizes.map(([name, size]) => [name, new Float32Array(size)]));
}

/** The file of the weights: for each tensor a scale as float32, then int8 values. */
export function encodeWeights(parameters: Parameters): Uint8Array {
  const parts = LAYOUT.map(([name]) => {
    const values = name === "view" ? joinViews(parameters) : parameters[name]!;
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-8);
    const scale = new Float32Array([largest / 127]);
    const bytes = new Uint8Array(4 + values.length);
    new DataView(bytes.buffer).setFloat32(0, scale[0]!, true);
    bytes.set(new Uint8Array(Int8Array.from(values, (value) => Math.round(value / scale[0]!)).buffer), 4);
    return bytes;
  });
  return Buffer.concat(parts);
}

function joinViews({ viewScale, viewShape }: Parameters): Float32Array {
  return viewShape!.map((value, k) => viewScale![Math.floor(k / input)]! + shapeGain * value);
}
