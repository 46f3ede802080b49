/** What is recorded of the vectors of texts: their hash, and some numbers for processors whose last digits differ. */
import { createHash } from "node:crypto";

export interface Embedding {
  embed(text: string): Promise<Float32Array>;
  encode(text: string): Promise<{ readonly vector: Float32Array; readonly states: Float32Array }>;
}

export interface RecordedText {
  /** Of the text in the list of texts. */
  readonly at: number;
  /** Of the bytes of the vector, and of the states of all tokens. */
  readonly vector: string;
  readonly states: string;
  readonly tokens: number;
  /** Every 24th number of the vector. */
  readonly numbers: readonly number[];
}

/** Every fifth text is recorded: 40 of 200. */
const STEP = 5;
const DIMENSIONS = 384;

export async function describeTexts(
  model: Embedding,
  texts: readonly string[],
): Promise<readonly RecordedText[]> {
  const rows: RecordedText[] = [];
  for (const [at, text] of texts.entries()) {
    if (at % STEP !== 0) continue;
    const vector = await model.embed(text);
    const { states } = await model.encode(text);
    rows.push({
      ...{ at, vector: hashOf(vector), states: hashOf(states), tokens: states.length / DIMENSIONS },
      numbers: [...vector].filter((_, place) => place % 24 === 0).map((value) => Number(value.toFixed(4))),
    });
  }
  return rows;
}

/** Numbers are stored with the lowest byte first on every platform on which the model runs. */
function hashOf({ buffer, byteOffset, byteLength }: Float32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
