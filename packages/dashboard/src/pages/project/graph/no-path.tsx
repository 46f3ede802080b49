import { useQuery } from "@tanstack/react-query";
import { entityQuery } from "../../../api/graph.ts";

export interface PathEnds {
  /** Ids of entities. */
  readonly from: string;
  readonly to: string;
}

/** What there is not, with the names of both ends. The map has lines between what is only mentioned together, too. */
export function NoPath({ projectId, ends }: { readonly projectId: string; readonly ends: PathEnds }) {
  const { from, to } = ends;
  const start = useQuery(entityQuery(projectId, from));
  const end = useQuery(entityQuery(projectId, to));
  const isTogether = [start, end].some(({ data }) =>
    data?.associations?.some(({ entity: { entity_id: id } }) => id === from || id === to),
  );
  const [first, last] = [start, end].map(({ data }) => <bdi key={data?.entity_id}>{data?.name ?? "…"}</bdi>);
  if (isTogether)
    return (
      <>
        {first} and {last} are only mentioned together: no relationship leads from one to the other.
      </>
    );
  return (
    <>
      No relationships lead from {first} to {last}. What is only mentioned together does not count.
    </>
  );
}

export function EntityName({ projectId, id }: { readonly projectId: string; readonly id: string }) {
  const { data } = useQuery(entityQuery(projectId, id));
  return <bdi>{data?.name ?? "…"}</bdi>;
}
