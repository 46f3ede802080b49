/** Speed and vectors of the bundled model of two checkouts, each in a thread, in turns of some texts. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { synthesizeChunk } from "../../packages/server/src/measure-model.ts";
import type { EmbeddedTexts, EmbedThreadData } from "./embed-thread.ts";
import { loadCheckout } from "./open-checkout.ts";

type Figures = Readonly<Record<string, number>>;

export const TEXTS_PER_ROUND = 10;
/** The first rounds compile the code. */
const WARM_ROUNDS = 6;

async function startEmbedding(data: EmbedThreadData) {
  await loadCheckout(data.checkout); // It allows the runtime, which threads inherit.
  const worker = new Worker(new URL("./embed-thread.ts", import.meta.url), { workerData: data });
  await once(worker, "message");
  return {
    async embed(texts: readonly string[]): Promise<EmbeddedTexts> {
      worker.postMessage(texts);
      const [embedded] = (await once(worker, "message")) as [EmbeddedTexts]; // The thread sends nothing else.
      return embedded;
    },
    stop: () => worker.terminate(),
  };
}

/** Processor time for the texts of each round; whether all vectors were the same to the bit. */
export async function compareSpeed(
  { before, now, modelDir }: { readonly before: string; readonly now: string; readonly modelDir: string },
  rounds: number,
): Promise<{
  readonly sameVectors: boolean;
  readonly rounds: readonly { readonly before: Figures; readonly now: Figures }[];
}> {
  const old = await startEmbedding({ checkout: before, modelDir });
  const today = await startEmbedding({ checkout: now, modelDir });
  let sameVectors = true;
  const measured: { before: Figures; now: Figures }[] = [];
  for (let at = 0; at < rounds + WARM_ROUNDS; at++) {
    const texts = Array.from({ length: TEXTS_PER_ROUND }, (_, text) =>
      synthesizeChunk(at * TEXTS_PER_ROUND + text),
    );
    const isOldFirst = at % 2 === 0;
    const first = await (isOldFirst ? old : today).embed(texts);
    const second = await (isOldFirst ? today : old).embed(texts);
    sameVectors &&= first.vectors.every((vector, text) => isSame(vector, second.vectors[text]));
    const figures = [first, second].map(({ embedCpuMs }) => ({ embedCpuMs }));
    const [of = {}, by = {}] = isOldFirst ? figures : figures.toReversed();
    if (at >= WARM_ROUNDS) measured.push({ before: of, now: by });
  }
  await Promise.all([old.stop(), today.stop()]);
  return { sameVectors, rounds: measured };
}

/** To the bit. */
function isSame(one: Float32Array, other: Float32Array | undefined): boolean {
  return other !== undefined && Buffer.from(one.buffer).equals(Buffer.from(other.buffer));
}
