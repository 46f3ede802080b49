/** A worker that places nodes by the forces between them (ForceAtlas2 of Jacomy and others, 2014), a few steps at a time. */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export interface LayoutTask {
  /** x and y of each node in turn. */
  readonly places: Float32Array;
  /** Source and target of each edge in turn, as places in the list of nodes. */
  readonly edges: Uint32Array;
}

export interface LayoutStep {
  /** As in the task. */
  readonly places: Float32Array;
  readonly isLast: boolean;
}

const manyNodes = 1_000;

/** Each round is drawn, which takes the page longer the more nodes there are: many have fewer rounds, of more steps. */
function effortFor(nodes: number): { readonly rounds: number; readonly steps: number } {
  return nodes > manyNodes ? { rounds: 5, steps: 30 } : { rounds: 30, steps: 10 };
}

self.addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const { places, edges } = data;
  const graph = new Graph({ multi: true, type: "directed" });
  for (let node = 0; node < places.length / 2; node++) {
    graph.addNode(node, { x: places[2 * node] ?? 0, y: places[2 * node + 1] ?? 0 });
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
    const moved = new Float32Array(places.length);
    graph.forEachNode((name, { x, y }) => {
      const node = Number(name);
      moved[2 * node] = Number(x);
      moved[2 * node + 1] = Number(y);
    });
    const step: LayoutStep = { places: moved, isLast: round === rounds };
    self.postMessage(step, { transfer: [moved.buffer] });
  }
});
