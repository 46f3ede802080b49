import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { projectStatsQuery } from "../../../api/projects.ts";
import { slotsOf, type TypeSlots } from "./type-sign.ts";

const none: TypeSlots = new Map();
/** The types of a project seldom change, and many marks ask for them. */
const freshMs = 60_000;

/** The signs of the types of the project that is open. */
export function useTypeSlots(): TypeSlots {
  const { projectId = "" } = useParams({ strict: false });
  const { data = none } = useQuery({
    ...projectStatsQuery(projectId),
    enabled: projectId !== "",
    staleTime: freshMs,
    select: slotsIn,
  });
  return data;
}

function slotsIn({ entities_by_type: types }: ProjectStats): TypeSlots {
  return slotsOf(types.map(({ type }) => type));
}
