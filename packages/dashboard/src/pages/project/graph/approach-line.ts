/** Brings a line near: of two dots that touch nobody can read which is which. */
import type { Renderer } from "./drawn-graph.ts";

/** Of the picture's smaller side. */
const wanted = 0.4;

type Camera = ReturnType<Renderer["getCamera"]>;

export interface Approach {
  /** Moves the camera unless the ends are in sight and apart. */
  approach(ends: readonly [string, string], durationMs: number): void;
  /** To where the camera was before the first line. */
  goBack(durationMs: number): void;
  /** Stays where it is. */
  forget(): void;
}

export function createApproach(sigma: Renderer): Approach {
  let before: ReturnType<Camera["getState"]> | null = null;
  let frame = 0;
  return {
    approach(ends, durationMs) {
      cancelAnimationFrame(frame);
      // Places are computed with the next frame.
      frame = requestAnimationFrame(() => {
        const view = viewOf(sigma, ends);
        if (view === null) return;
        before ??= sigma.getCamera().getState();
        void sigma.getCamera().animate(view, { duration: durationMs });
      });
    },
    goBack(durationMs) {
      if (before !== null) void sigma.getCamera().animate(before, { duration: durationMs });
      this.forget();
    },
    forget() {
      cancelAnimationFrame(frame);
      before = null;
    },
  };
}

/** Where the camera must be; null: where it is. */
export function viewOf(
  sigma: Pick<Renderer, "getNodeDisplayData" | "framedGraphToViewport" | "getDimensions" | "getCamera">,
  ends: readonly [string, string],
): { readonly x: number; readonly y: number; readonly ratio: number } | null {
  const [from, to] = ends.map((id) => sigma.getNodeDisplayData(id));
  if (from === undefined || to === undefined) return null;
  const [start, end] = [sigma.framedGraphToViewport(from), sigma.framedGraphToViewport(to)];
  const { width, height } = sigma.getDimensions();
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const least = wanted * Math.min(width, height);
  const isInSight = [start, end].every(({ x, y }) => x > 0 && y > 0 && x < width && y < height);
  if (isInSight && length >= least / 2) return null;
  const camera = sigma.getCamera();
  const ratio = camera.getBoundedRatio((camera.getState().ratio * length) / least);
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, ratio };
}
