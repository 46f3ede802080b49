/** A worker that lays out a graph by forces: relationships pull, entities push, and none covers another. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";

import { lineLength, manyNodes } from "./line-length.ts";

export interface LayoutTask {
  /** x and y of each node, interleaved; NaN: it has no place yet. */
  readonly positions: Float32Array;
  /** Radius of each node. */
  readonly sizes: Float32Array;
  /** Source and target of each edge, interleaved, as indexes into the list of nodes. */
  readonly edges: Uint32Array;
}

export interface LayoutStep {
  /** As in the task. */
  readonly positions: Float32Array;
  readonly isLast: boolean;
}

/** The page draws each step, which takes longer for larger graphs. */
const stepMs = { few: 400, many: 1_500 } as const;
const room = 9;

self.addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const { positions, sizes, edges } = data;
  const nodes: SimulationNodeDatum[] = Array.from(sizes, (_, at) => {
    const [x = Number.NaN, y = Number.NaN] = positions.subarray(2 * at, 2 * at + 2);
    return Number.isNaN(x) ? { index: at } : { index: at, x, y };
  });
  const links = Array.from({ length: edges.length / 2 }, (_, at) => ({
    source: edges[2 * at] ?? 0,
    target: edges[2 * at + 1] ?? 0,
  }));
  const isLarge = nodes.length > manyNodes;
  const ticks = isLarge ? 120 : 300;
  const simulation = forceSimulation(nodes)
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force(
      "link",
      forceLink(links)
        .distance(lineLength(nodes.length))
        .strength(isLarge ? 0.7 : 0.6),
    )
    // Without a greatest distance: it would show as arcs of small components that it holds off.
    .force(
      "charge",
      forceManyBody()
        .strength(isLarge ? -60 : -190)
        .theta(isLarge ? 1.1 : 0.9),
    )
    .force("x", forceX(0).strength(0.04))
    .force("y", forceY(0).strength(0.068));
  // Costs as much as the other forces together.
  if (!isLarge) simulation.force("room", forceCollide((_, at) => (sizes[at] ?? 0) + room).iterations(2));
  let told = performance.now();
  for (let tick = 1; tick <= ticks; tick++) {
    simulation.tick();
    const isLast = tick === ticks;
    if (!isLast && performance.now() - told < stepMs[isLarge ? "many" : "few"]) continue;
    told = performance.now();
    const moved = new Float32Array(nodes.flatMap(({ x = 0, y = 0 }) => [x, y]));
    const step: LayoutStep = { positions: moved, isLast };
    self.postMessage(step, { transfer: [moved.buffer] });
  }
});
