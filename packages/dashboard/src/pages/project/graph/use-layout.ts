import { useEffect, useState } from "react";
import type { KnowledgeGraph } from "./knowledge-graph.ts";
import type { LayoutStep, LayoutTask } from "./layout-thread.ts";

/** Lays the graph out in visible steps whenever `revision` changes. Returns true while the layout runs. */
export function useLayout(graph: KnowledgeGraph, revision: number): boolean {
  const [isMoving, setMoving] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph is mutated in place, and its revision signals the change.
  useEffect(() => {
    if (graph.order < 2) return;
    const nodes = graph.nodes();
    const worker = new Worker(new URL("./layout-thread.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { positions, isLast } }: MessageEvent<LayoutStep>) => {
      movePositions(graph, nodes, positions);
      if (isLast) setMoving(false);
    });
    const task = taskOf(graph, nodes);
    worker.postMessage(task, [task.positions.buffer, task.edges.buffer]);
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
  const positions = new Float32Array(
    nodes.flatMap((node) => [graph.getNodeAttribute(node, "x"), graph.getNodeAttribute(node, "y")]),
  );
  const edges = new Uint32Array(
    graph
      .mapEdges((_edge, _attributes, source, target) => [numbers.get(source) ?? 0, numbers.get(target) ?? 0])
      .flat(),
  );
  return { positions, edges };
}

/** Updates all nodes with a single event, so that the graph is drawn once. */
function movePositions(graph: KnowledgeGraph, nodes: readonly string[], positions: Float32Array): void {
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  graph.updateEachNodeAttributes(
    (node, attributes) => {
      const number = numbers.get(node);
      if (number === undefined) return attributes;
      return {
        ...attributes,
        x: positions[2 * number] ?? attributes.x,
        y: positions[2 * number + 1] ?? attributes.y,
      };
    },
    { attributes: ["x", "y"] },
  );
}
