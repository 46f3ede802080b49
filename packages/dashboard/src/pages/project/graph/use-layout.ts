import { useEffect } from "react";
import type { KnowledgeGraph } from "./knowledge-graph.ts";
import type { LayoutTask } from "./layout-thread.ts";

/** Places the nodes anew, in steps that are seen, whenever `revision` changes. */
export function useLayout(graph: KnowledgeGraph, revision: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph changes in place; its revision says so.
  useEffect(() => {
    if (graph.order < 2) return;
    const nodes = graph.nodes();
    const worker = new Worker(new URL("./layout-thread.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Float32Array>) => place(graph, nodes, data));
    const task = taskOf(graph, nodes);
    worker.postMessage(task, [task.places.buffer, task.edges.buffer]);
    return () => worker.terminate();
  }, [graph, revision]);
}

function taskOf(graph: KnowledgeGraph, nodes: readonly string[]): LayoutTask {
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const places = new Float32Array(
    nodes.flatMap((node) => [graph.getNodeAttribute(node, "x"), graph.getNodeAttribute(node, "y")]),
  );
  const edges = new Uint32Array(
    graph
      .mapEdges((_edge, _attributes, source, target) => [numbers.get(source) ?? 0, numbers.get(target) ?? 0])
      .flat(),
  );
  return { places, edges };
}

/** One event for all nodes: the drawing follows once. */
function place(graph: KnowledgeGraph, nodes: readonly string[], places: Float32Array): void {
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  graph.updateEachNodeAttributes(
    (node, attributes) => {
      const number = numbers.get(node);
      if (number === undefined) return attributes;
      return {
        ...attributes,
        x: places[2 * number] ?? attributes.x,
        y: places[2 * number + 1] ?? attributes.y,
      };
    },
    { attributes: ["x", "y"] },
  );
}
