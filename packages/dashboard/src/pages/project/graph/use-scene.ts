import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { entityQuery, overviewQuery, pathQuery, relationshipsQuery } from "../../../api/graph.ts";
import { projectStatsQuery } from "../../../api/projects.ts";
import { maxDrawnNeighbours } from "./bound-hubs.ts";
import type { LastExpansion } from "./expansion-words.ts";
import { type GraphAddress, sizes } from "./graph-address.ts";
import { neighbourhoodWords } from "./neighbourhood-words.ts";
import { type OverviewPart, partOf, readSizeOf } from "./overview-part.ts";
import { maxNeighbours, type Scene, sceneAround, sceneOfOverview, sceneOfPath } from "./scene.ts";

/** Neighbours whose own neighbourhoods are drawn at depth 2. */
const maxOpened = 24;

export interface ReadScene {
  readonly scene: Scene | null;
  /** What a filter can choose from: also what is left out for the sake of a clear map. */
  readonly choice: Scene | null;
  readonly error: Error | null;
  readonly isReading: boolean;
  /** What is drawn of how much, and why not all; without filters. */
  readonly note: string;
  /** Of an overview: only what one document names. */
  readonly isOfDocument: boolean;
  /** Behind it, the time at which it holds; "" where none is chosen. */
  readonly when: string;
  /** Of an overview: the number of entities that can be drawn, infinite while nobody counts them; null: not known, or something else is drawn. */
  readonly total: number | null;
  /** Of an overview of everything: the number of entities without relationships, which are not drawn; else 0. */
  readonly alone: number;
  /** Of a neighbourhood in which somebody has expanded entities. */
  readonly expanded: LastExpansion | null;
}

/** What the address asks for. */
export function useScene(projectId: string, address: GraphAddress): ReadScene {
  const overview = useOverview(projectId, address);
  const around = useNeighbourhood(projectId, address);
  const path = usePath(projectId, address);
  if (address.entity === undefined) return overview;
  return address.to === undefined ? around : path;
}

function useOverview(
  projectId: string,
  { entity, size = sizes[0], document, asOf, without = [], withoutLinks = [] }: GraphAddress,
): ReadScene {
  const { data, error, isFetching } = useQuery({
    ...overviewQuery(projectId, { size: readSizeOf(size), document, asOf }),
    enabled: entity === undefined,
  });
  const isOfAll = entity === undefined && document === undefined && asOf === undefined;
  const { data: stats } = useQuery({ ...projectStatsQuery(projectId), enabled: isOfAll });
  const isFiltered = without.length > 0 || withoutLinks.length > 0;
  const isFirst = size === sizes[0] && document === undefined && !isFiltered;
  const whole = useMemo(
    () => (data === undefined ? null : partOf(data, { size, isFirst: false })),
    [data, size],
  );
  const part = useMemo(
    () => (isFirst && data !== undefined ? partOf(data, { size, isFirst }) : whole),
    [data, size, isFirst, whole],
  );
  const choice = useMemo(() => (whole === null ? null : sceneOfOverview(whole)), [whole]);
  const scene = useMemo(
    () => (part === null ? null : part.isWithoutPairs ? sceneOfOverview(part) : choice),
    [part, choice],
  );
  const all = stats?.entities_by_type.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const when = whenWords(asOf);
  const isOfDocument = document !== undefined;
  const note = part === null ? "" : `${noteOf(part, isOfDocument)}${when}`;
  const isUncounted = isOfDocument && part?.isAll === false;
  const total = isUncounted ? Number.POSITIVE_INFINITY : (data?.connected_entities ?? null);
  const alone = !isOfAll || total === null || data?.is_complete !== true ? 0 : Math.max(0, all - total);
  return {
    scene,
    choice,
    error,
    isReading: isFetching,
    note,
    isOfDocument,
    when,
    total,
    alone,
    expanded: null,
  };
}

function whenWords(asOf: string | undefined): string {
  return asOf === undefined ? "" : ` · as of ${asOf}, or without a date`;
}

function noteOf(part: OverviewPart, isOfDocument: boolean): string {
  const { entities, connected_entities: connected, is_complete: isComplete, isAll } = part;
  const drawn = counted(entities.length);
  const bounded = part.isBounded ? `; of each at most ${maxDrawnNeighbours} neighbours` : "";
  if (isOfDocument) return `${drawn} ${isAll ? "" : "of the "}entities that the document names${bounded}`;
  if (entities.length >= connected) return `All ${drawn} entities with relationships`;
  const note = `The ${drawn} best connected of ${counted(connected)} entities with relationships${isComplete ? "" : " that were read"}${bounded}`;
  return part.isWithoutPairs ? `${note}; pairs are left out` : note;
}

function useNeighbourhood(
  projectId: string,
  { entity, depth = 1, open = [], to, asOf }: GraphAddress,
): ReadScene {
  const isOn = entity !== undefined && to === undefined;
  const centre = useQuery({ ...entityQuery(projectId, entity ?? "", asOf), enabled: isOn });
  const near = useMemo(
    () =>
      centre.data === undefined || depth < 2 ? [] : neighboursOf(centre.data, entity).slice(0, maxOpened),
    [centre.data, depth, entity],
  );
  const opened = useMemo(
    () => (centre.data === undefined ? [] : [...new Set([...open, ...near])].filter((id) => id !== entity)),
    [centre.data, open, near, entity],
  );
  const others = useQueries({
    queries: opened.map((id) => ({ ...entityQuery(projectId, id, asOf), enabled: isOn })),
    combine: (results) => ({
      details: results.flatMap(({ data }) => data ?? []),
      isReading: results.some(({ isFetching }) => isFetching),
    }),
  });
  const scene = useMemo(
    () =>
      centre.data === undefined || others.isReading ? null : sceneAround([centre.data, ...others.details]),
    [centre.data, others],
  );
  const last = open.at(-1);
  const expanded = useMemo(() => {
    const detail = others.details.find(({ entity_id: id }) => id === last);
    if (centre.data === undefined || scene === null || detail === undefined) return null;
    const without = others.details.filter((each) => each !== detail || near.includes(each.entity_id));
    const before = sceneAround([centre.data, ...without]);
    return { name: detail.name, relationships: detail.relationships.length, before, after: scene };
  }, [centre.data, others, scene, last, near]);
  const shown = centre.data?.relationships.length ?? 0;
  // The entity itself has only the best supported of many.
  const { data: related } = useQuery({
    ...relationshipsQuery(projectId, entity ?? "", asOf),
    enabled: isOn && shown > maxNeighbours.centre,
  });
  const note =
    centre.data === undefined || scene === null
      ? ""
      : neighbourhoodWords(centre.data, {
          ...{ scene, total: related?.total ?? null, expanded: others.details.length },
          isNow: asOf === undefined,
        });
  const isReading = centre.isFetching || others.isReading;
  const times = centre.data === undefined ? "" : timesOf(centre.data.history.length, asOf);
  return {
    scene,
    choice: scene,
    error: centre.error,
    isReading,
    note: `${note}${times}`,
    isOfDocument: false,
    when: whenWords(asOf),
    total: null,
    alone: 0,
    expanded,
  };
}

/** What is drawn holds at one time. */
function timesOf(others: number, asOf: string | undefined): string {
  const when = whenWords(asOf);
  return others === 0 ? when : `${when} · ${counted(others)} at other times, listed beside`;
}

function usePath(projectId: string, { entity = "", to }: GraphAddress): ReadScene {
  const { data, error, isFetching } = useQuery({
    ...pathQuery(projectId, { from: entity, to: to ?? "" }),
    enabled: to !== undefined && entity !== "",
  });
  const scene = useMemo(
    () => (data === undefined ? null : sceneOfPath(entity, data.relationships)),
    [data, entity],
  );
  const steps = data?.relationships.length ?? 0;
  const note = steps === 0 ? "No path" : `A shortest path: ${steps} ${steps === 1 ? "step" : "steps"}`;
  return {
    ...{ scene, choice: scene, error, isReading: isFetching, note },
    ...{ isOfDocument: false, when: "", total: null, alone: 0, expanded: null },
  };
}

function neighboursOf(
  {
    relationships,
  }: { readonly relationships: readonly { source: { entity_id: string }; target: { entity_id: string } }[] },
  entity: string | undefined,
): readonly string[] {
  const ends = relationships.map(({ source, target }) =>
    source.entity_id === entity ? target.entity_id : source.entity_id,
  );
  return [...new Set(ends)];
}

export function counted(count: number): string {
  return count.toLocaleString("en");
}
