/** A worker that lays out an overview, and tells from time to time how far it is. */
import { type LayoutTask, layOutGroups } from "./lay-out-groups.ts";
import { manyNodes } from "./line-length.ts";

export interface LayoutStep {
  /** x and y of each node, interleaved. */
  readonly positions: Float32Array;
  readonly isLast: boolean;
}

/** The page draws each step, which takes longer for larger graphs. */
const stepMs = { few: 400, many: 1_500 } as const;

self.addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const tell = (positions: Float32Array, isLast: boolean) => {
    const step: LayoutStep = { positions, isLast };
    self.postMessage(step, { transfer: [positions.buffer] });
  };
  const pauseMs = stepMs[data.sizes.length > manyNodes ? "many" : "few"];
  let told = performance.now();
  const last = layOutGroups(data, (places) => {
    if (performance.now() - told < pauseMs) return;
    tell(places(), false);
    told = performance.now();
  });
  tell(last, true);
});
