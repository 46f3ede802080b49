import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ontologyVersionQuery } from "../../../api/ontologies.ts";
import { projectConfigQuery, projectStatsQuery } from "../../../api/projects.ts";
import { firstNames } from "./first-names.ts";
import { slotsOf, type TypeSlots } from "./type-sign.ts";

const none: TypeSlots = new Map();
/** The types of a project seldom change, and many marks ask for them. */
const freshMs = 60_000;

/** The signs of the types of the project that is open. */
export function useTypeSlots(): TypeSlots {
  const { projectId = "" } = useParams({ strict: false });
  const { data = none } = useQuery({ ...typeSlotsQuery(projectId), enabled: projectId !== "" });
  return data;
}

/** One query for all marks; read again with the project. */
function typeSlotsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "type-slots"],
    async queryFn({ client }) {
      const [{ entities_by_type: types }, { ontology }] = await Promise.all([
        client.fetchQuery(projectStatsQuery(projectId)),
        client.fetchQuery(projectConfigQuery(projectId)),
      ]);
      const version =
        ontology === null
          ? null
          : await client.fetchQuery(ontologyVersionQuery(ontology.id, ontology.version));
      return slotsOf(
        types.map(({ type }) => type),
        firstNames(version?.schema ?? null),
      );
    },
    staleTime: freshMs,
  });
}
