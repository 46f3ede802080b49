import { Link } from "@tanstack/react-router";
import type { NamedEntity } from "../../../api/renamed-entity.ts";
import type { GraphAddress } from "./graph-address.ts";
import { maxTrail } from "./trail.ts";
import { keptOf } from "./use-graph-steps.ts";

/** Where the names of entities lead: to their neighbourhoods in the graph, or to their pages. */
export type EntityPlace = "graph" | "page";

/** The name of an entity, in its own direction of writing. */
export function EntityLink({
  projectId,
  entityId,
  called,
  place,
}: {
  readonly projectId: string;
  readonly entityId: string;
  /** With it the entity is found again when a correction has given it another id. */
  readonly called: NamedEntity;
  readonly place: EntityPlace;
}) {
  const { name, type } = called;
  if (place === "page")
    return (
      <Link to="/projects/$projectId/entity" params={{ projectId }} search={{ id: entityId, name, type }}>
        <bdi>{name}</bdi>
      </Link>
    );
  return (
    <Link
      to="/projects/$projectId/graph"
      params={{ projectId }}
      search={(before: GraphAddress) => {
        const { size: _size, ...kept } = keptOf(before);
        return { ...kept, entity: entityId, called: name, calledType: type };
      }}
      state={({ trail = 0 }) => ({ trail: Math.min(trail + 1, maxTrail) })}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}
