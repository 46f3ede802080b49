/** What the last expansion changed, where that is next to nothing: the button alone would be another one. */
import { filterScene, type HiddenTypes, maxNeighbours, type Scene } from "./scene.ts";

/** The drawing before and after an entity was expanded. */
export interface LastExpansion {
  readonly name: string;
  /** Of the entity; the best supported ones are drawn. */
  readonly relationships: number;
  readonly before: Scene;
  readonly after: Scene;
}

/** "" where entities were added. */
export function expansionWords(last: LastExpansion | null, hidden: HiddenTypes): string {
  if (last === null) return "";
  const [before, after] = [filterScene(last.before, hidden), filterScene(last.after, hidden)];
  if (after.nodes.length > before.nodes.length) return "";
  const isPart = last.relationships > maxNeighbours.other;
  const which = isPart
    ? `The neighbours of the ${maxNeighbours.other} best supported relationships`
    : "All neighbours";
  const isHidden = last.after.nodes.length > after.nodes.length;
  const lines = after.edges.length - before.edges.length;
  const added = lines === 0 ? "" : `; ${lines === 1 ? "1 line was" : `${lines} lines were`} added`;
  return `${which} of ${last.name} are drawn already${isHidden ? " or hidden by the filter" : ""}${added}.`;
}
