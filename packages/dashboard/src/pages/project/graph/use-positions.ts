import { useEffect, useMemo, useState } from "react";
import { sizeOf } from "./drawn-graph.ts";
import type { LayoutTask } from "./lay-out-groups.ts";
import type { LayoutStep } from "./layout-thread.ts";
import type { Shape } from "./pack-groups.ts";
import { layOutScene, type Positions } from "./radial-layout.ts";
import type { Scene } from "./scene.ts";
import { useMedia } from "./use-media.ts";

export interface Placement {
  /** null: the first places are being computed. */
  readonly positions: Positions | null;
  readonly isMoving: boolean;
}

const none: Placement = { positions: null, isMoving: true };

/** Neighbourhoods and paths are placed at once, an overview by a thread in visible steps. Pinned entities stay where they are. */
export function usePositions(scene: Scene | null, pins: Positions): Placement {
  const [stepped, setStepped] = useState<{ readonly scene: Scene; readonly placement: Placement } | null>(
    null,
  );
  const isOverview = scene?.kind === "overview";
  // Of the window: the picture itself changes with what is beside it, and only few shapes leave entities where they are elsewhere.
  const shape = useMedia("(orientation: portrait)") ? "tall" : "wide";
  const placed = useMemo(
    () => (scene === null || isOverview ? null : layOutScene(scene)),
    [scene, isOverview],
  );

  useEffect(() => {
    if (scene === null || !isOverview || scene.nodes.length === 0) return;
    const worker = new Worker(new URL("./layout-thread.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { positions, isLast } }: MessageEvent<LayoutStep>) => {
      setStepped({ scene, placement: { positions: byId(scene, positions), isMoving: !isLast } });
      if (isLast) worker.terminate();
    });
    const task = taskOf(scene, shape);
    worker.postMessage(task, [task.sizes.buffer, task.edges.buffer]);
    return () => worker.terminate();
  }, [scene, isOverview, shape]);

  const { positions, isMoving } =
    placed !== null
      ? { positions: placed, isMoving: false }
      : stepped?.scene === scene
        ? stepped.placement
        : none;
  return useMemo(
    () => ({ positions: positions === null ? null : new Map([...positions, ...pins]), isMoving }),
    [positions, isMoving, pins],
  );
}

function byId({ nodes }: Scene, positions: Float32Array): Positions {
  return new Map(
    nodes.map(({ id }, at) => [id, { x: positions[2 * at] ?? 0, y: positions[2 * at + 1] ?? 0 }]),
  );
}

function taskOf({ nodes, edges }: Scene, shape: Shape): LayoutTask {
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]));
  return {
    sizes: Float32Array.from(nodes, ({ degree }) => sizeOf(degree, nodes.length)),
    edges: Uint32Array.from(
      edges.flatMap(({ source, target }) => [numbers.get(source) ?? 0, numbers.get(target) ?? 0]),
    ),
    shape,
  };
}
