/** A worker that places nodes by the forces between them (ForceAtlas2 of Jacomy and others, 2014), a few steps at a time. */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export interface LayoutTask {
  /** x and y of each node in turn. */
  readonly places: Float32Array;
  /** Source and target of each edge in turn, as places in the list of nodes. */
  readonly edges: Uint32Array;
}

const steps = 10;
const manyNodes = 1_000;

/** The fewer nodes, the more steps they are worth. */
function roundsFor(nodes: number): number {
  return nodes > manyNodes ? 15 : 30;
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
  for (let round = 0; round < roundsFor(graph.order); round++) {
    forceAtlas2.assign(graph, { iterations: steps, settings });
    const moved = new Float32Array(places.length);
    graph.forEachNode((name, { x, y }) => {
      const node = Number(name);
      moved[2 * node] = Number(x);
      moved[2 * node + 1] = Number(y);
    });
    self.postMessage(moved, { transfer: [moved.buffer] });
  }
});
