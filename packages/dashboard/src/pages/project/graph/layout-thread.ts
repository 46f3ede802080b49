/** A worker that computes a force-directed layout (ForceAtlas2, Jacomy et al. 2014), a few steps at a time. */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export interface LayoutTask {
  /** x and y of each node, interleaved. */
  readonly positions: Float32Array;
  /** Source and target of each edge, interleaved, as indexes into the list of nodes. */
  readonly edges: Uint32Array;
}

export interface LayoutStep {
  /** As in the task. */
  readonly positions: Float32Array;
  readonly isLast: boolean;
}

const manyNodes = 1_000;

/** The page draws each round, which takes longer for larger graphs. Large graphs therefore get fewer rounds with more steps. */
function effortFor(nodes: number): { readonly rounds: number; readonly steps: number } {
  return nodes > manyNodes ? { rounds: 5, steps: 30 } : { rounds: 30, steps: 10 };
}

self.addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const { positions, edges } = data;
  const graph = new Graph({ multi: true, type: "directed" });
  for (let node = 0; node < positions.length / 2; node++) {
    graph.addNode(node, { x: positions[2 * node] ?? 0, y: positions[2 * node + 1] ?? 0 });
  }
  for (let edge = 0; edge < edges.length; edge += 2) graph.addEdge(edges[edge] ?? 0, edges[edge + 1] ?? 0);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: graph.order > manyNodes / 2,
    adjustSizes: false,
  };
  const { rounds, steps } = effortFor(graph.order);
  for (let round = 1; round <= rounds; round++) {
    forceAtlas2.assign(graph, { iterations: steps, settings });
    const moved = new Float32Array(positions.length);
    graph.forEachNode((name, { x, y }) => {
      const node = Number(name);
      moved[2 * node] = Number(x);
      moved[2 * node + 1] = Number(y);
    });
    const step: LayoutStep = { positions: moved, isLast: round === rounds };
    self.postMessage(step, { transfer: [moved.buffer] });
  }
});
