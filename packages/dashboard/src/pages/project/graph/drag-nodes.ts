import type { Renderer } from "./drawn-graph.ts";
import type { Position } from "./radial-layout.ts";

/** Lets entities be dragged; one that was is told with its place. Returns whether the last press was a drag and no click. */
export function letDrag(sigma: Renderer, onPin: (id: string, position: Position) => void): () => boolean {
  let dragged: string | null = null;
  let isMoved = false;
  sigma.on("downNode", ({ node }) => {
    dragged = node;
    isMoved = false;
  });
  sigma.on("moveBody", ({ event, preventSigmaDefault }) => {
    if (dragged === null) return;
    isMoved = true;
    preventSigmaDefault();
    const { x, y } = sigma.viewportToGraph(event);
    sigma.getGraph().mergeNodeAttributes(dragged, { x, y });
  });
  const drop = () => {
    if (dragged !== null && isMoved && sigma.getGraph().hasNode(dragged)) {
      const { x, y } = sigma.getGraph().getNodeAttributes(dragged);
      onPin(dragged, { x, y });
    }
    dragged = null;
  };
  sigma.on("upNode", drop);
  sigma.on("upStage", drop);
  return () => isMoved;
}
