import type { EntityDetail } from "@kcs/sdk";
import { counted } from "../../../components/counted.ts";
import { maxNeighbours, type Scene } from "./scene.ts";

/** Which relationships of the chosen entity are drawn, of how many, and how many more of those that were expanded. */
export function neighbourhoodWords(
  {
    entity_id: id,
    name,
    relationships,
    history,
  }: Pick<EntityDetail, "entity_id" | "name" | "relationships" | "history">,
  {
    scene,
    total,
    expanded,
    isNow,
  }: {
    readonly scene: Scene;
    /** Of the entity; null: not known. */
    readonly total: number | null;
    /** Number of entities whose neighbourhoods are drawn, too. */
    readonly expanded: number;
    /** What holds now is drawn, not what held at another time. */
    readonly isNow: boolean;
  },
): string {
  const own = relationships.length;
  const further = scene.edges
    .filter(({ source, target }) => source !== id && target !== id)
    .reduce((sum, { there, back }) => sum + there.length + back.length, 0);
  const more =
    further === 0
      ? ""
      : `, and ${further.toLocaleString("en")} more with ${counted(expanded, "expanded entity", "expanded entities")}`;
  if (own === 0) return `${name} has no relationship${isNow && history.length > 0 ? " that holds now" : ""}`;
  if (own > maxNeighbours.centre) {
    const of = total === null ? "" : ` of ${total.toLocaleString("en")}`;
    return `The ${maxNeighbours.centre} best supported${of} relationships of ${name}${more}`;
  }
  return `${own === 1 ? "The only relationship" : `All ${own} relationships`} of ${name}${more}`;
}
