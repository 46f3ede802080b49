import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { GraphAddress } from "./graph-address.ts";
import { maxTrail } from "./trail.ts";
import { keptOf } from "./use-graph-steps.ts";

/** Where the names of entities lead: to their neighbourhoods in the graph, or to their pages. */
export type EntityPlace = "graph" | "page";

/** The name of an entity, in its own direction of writing. */
export function EntityLink({
  projectId,
  entityId,
  place,
  children,
}: {
  readonly projectId: string;
  readonly entityId: string;
  readonly place: EntityPlace;
  readonly children: ReactNode;
}) {
  if (place === "page")
    return (
      <Link to="/projects/$projectId/entity" params={{ projectId }} search={{ id: entityId }}>
        <bdi>{children}</bdi>
      </Link>
    );
  return (
    <Link
      to="/projects/$projectId/graph"
      params={{ projectId }}
      search={(before: GraphAddress) => {
        const { size: _size, ...kept } = keptOf(before);
        return { ...kept, entity: entityId };
      }}
      state={({ trail = 0 }) => ({ trail: Math.min(trail + 1, maxTrail) })}
    >
      <bdi>{children}</bdi>
    </Link>
  );
}
