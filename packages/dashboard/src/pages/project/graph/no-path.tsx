import { useQuery } from "@tanstack/react-query";
import { entityQuery } from "../../../api/graph.ts";

export interface PathEnds {
  /** Ids of entities. */
  readonly from: string;
  readonly to: string;
}

/** What there is not, with the names of both ends. */
export function NoPath({ projectId, ends }: { readonly projectId: string; readonly ends: PathEnds }) {
  return (
    <>
      No relationships lead from <EntityName projectId={projectId} id={ends.from} /> to{" "}
      <EntityName projectId={projectId} id={ends.to} />.
    </>
  );
}

export function EntityName({ projectId, id }: { readonly projectId: string; readonly id: string }) {
  const { data } = useQuery(entityQuery(projectId, id));
  return <bdi>{data?.name ?? "…"}</bdi>;
}
