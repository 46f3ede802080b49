/** What is drawn, of how much and why: beside the drawing, and in a picture of it. */
import type { Scene } from "./scene.ts";
import type { ReadScene } from "./use-scene.ts";

type Read = Pick<ReadScene, "scene" | "note" | "total" | "isOfDocument" | "when">;

/** `shown`: without what the filter hides. */
export function drawnWords(read: Read, shown: Scene): string {
  const { scene, note, isOfDocument, when } = read;
  if (scene === null) return "";
  const [nodes, lines] = [scene.nodes.length - shown.nodes.length, scene.edges.length - shown.edges.length];
  if (nodes > 0) {
    const of = `${counted(shown.nodes.length)} of ${counted(scene.nodes.length)}`;
    const what = isOfDocument ? "entities that the document names" : "entities";
    return `${of} ${what} are drawn, ${counted(nodes)} hidden by the filter${leftOut(read)}${when}`;
  }
  if (lines === 0) return note;
  return `${note}; ${counted(lines)} of ${counted(scene.edges.length)} lines are hidden by the filter`;
}

/** What the filter does not look at. */
function leftOut({ scene, total }: Read): string {
  if (scene === null || total === null || total <= scene.nodes.length) return "";
  const rest = Number.isFinite(total) ? `${counted(total - scene.nodes.length)} less connected` : "further";
  return `; ${rest} ones are not on the map`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
