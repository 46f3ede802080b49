import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { projectStatsQuery } from "../../../api/projects.ts";
import { shapesOf, type TypeShapes } from "./type-sign.ts";

const none: TypeShapes = new Map();
/** The types of a project seldom change, and many marks ask for them. */
const freshMs = 60_000;

/** The shapes of the types of the project that is open. */
export function useTypeShapes(): TypeShapes {
  const { projectId = "" } = useParams({ strict: false });
  const { data = none } = useQuery({
    ...projectStatsQuery(projectId),
    enabled: projectId !== "",
    staleTime: freshMs,
    select: shapesIn,
  });
  return data;
}

function shapesIn({ entities_by_type: types }: ProjectStats): TypeShapes {
  return shapesOf(types.map(({ type }) => type));
}
