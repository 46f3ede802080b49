import { useEffect, useState } from "react";
import type { KnowledgeGraph } from "./knowledge-graph.ts";
import type { LayoutStep, LayoutTask } from "./layout-thread.ts";

/** Places the nodes anew, in steps that are seen, whenever `revision` changes; true until they stand still. */
export function useLayout(graph: KnowledgeGraph, revision: number): boolean {
  const [isMoving, setMoving] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph changes in place; its revision says so.
  useEffect(() => {
    if (graph.order < 2) return;
    const nodes = graph.nodes();
    const worker = new Worker(new URL("./layout-thread.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { places, isLast } }: MessageEvent<LayoutStep>) => {
      place(graph, nodes, places);
      if (isLast) setMoving(false);
    });
    const task = taskOf(graph, nodes);
    worker.postMessage(task, [task.places.buffer, task.edges.buffer]);
    setMoving(true);
    return () => {
      worker.terminate();
      setMoving(false);
    };
  }, [graph, revision]);
  return isMoving;
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
