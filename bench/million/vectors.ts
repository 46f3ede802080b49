/** The vectors of the chunks: of real ones by the embedder, once and kept in a file; of mixed ones by a rule. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "../soak/random.ts";

/**
 * A mixed chunk's vector: that of one chunk times a share from 0.35 to 0.65, and that of the other times the rest, each component
 * with an even noise of at most 0.015 more or less (0.17 for the whole vector), then brought to length 1.
 */
const SHARE = { least: 0.35, most: 0.65 } as const;
const NOISE = 0.015;

/** `number` decides about share and noise: the same gives the same vector. */
export type MixVectors = (one: Float32Array, other: Float32Array, number: number) => Float32Array;

export function createMixer(seed: number): MixVectors {
  return (one, other, number) => {
    const random = createRandom(Math.imul(seed + number, 2654435761));
    const share = SHARE.least + (SHARE.most - SHARE.least) * random.fraction();
    const mixed = new Float32Array(one.length);
    let squares = 0;
    for (let at = 0; at < mixed.length; at++) {
      const noise = NOISE * (2 * random.fraction() - 1);
      const value = share * (one[at] ?? 0) + (1 - share) * (other[at] ?? 0) + noise;
      mixed[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let at = 0; at < mixed.length; at++) mixed[at] = (mixed[at] ?? 0) / length;
    return mixed;
  };
}

/** By the number of the text. */
export interface Vectors {
  readonly vectors: readonly Float32Array[];
  /** null where they were in the file. */
  readonly seconds: number | null;
}

/** The file has a name of its own for each list of texts. */
export async function embedOnce(
  texts: readonly string[],
  embed: (text: string) => Promise<Float32Array>,
  { folder, atOnce }: { readonly folder: string; readonly atOnce: number },
): Promise<Vectors> {
  const hash = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16);
  const file = join(folder, `vectors-${hash}.f32`);
  const kept = await readFile(file).catch(() => null); // Usually it does not exist.
  if (kept !== null)
    return { vectors: split(new Float32Array(new Uint8Array(kept).buffer), texts.length), seconds: null };
  const began = performance.now();
  const vectors: Float32Array[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < texts.length; at = next++) vectors[at] = await embed(texts[at] ?? "");
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const seconds = (performance.now() - began) / 1000;
  const dimensions = vectors[0]?.length ?? 0;
  const all = new Float32Array(texts.length * dimensions);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * dimensions);
  await writeFile(file, new Uint8Array(all.buffer));
  return { vectors, seconds };
}

function split(all: Float32Array, count: number): readonly Float32Array[] {
  const dimensions = all.length / count;
  return Array.from({ length: count }, (_, at) => all.subarray(at * dimensions, (at + 1) * dimensions));
}
