import { Focus, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { createDrawing, type Drawing, type DrawingEvents } from "./drawing.ts";
import styles from "./graph-canvas.module.css";
import type { Positions } from "./radial-layout.ts";
import type { Scene } from "./scene.ts";
import { paintOf } from "./type-sign.ts";
import { useDark } from "./use-dark.ts";
import { useTypeSlots } from "./use-type-slots.ts";

/** Of the width and height of the picture, for an arrow key. */
const step = 0.1;
const pans: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

export interface GraphCanvasProps extends DrawingEvents {
  readonly scene: Scene;
  /** What it is without filters: when it changes, the camera shows all of it. */
  readonly subject: Scene | null;
  readonly positions: Positions;
  /** The line that stands out. */
  readonly chosenEdge: string | null;
  /** The places are not the last ones yet. */
  readonly isMoving: boolean;
  /** For files of the picture. */
  readonly drawing: RefObject<Drawing | null>;
}

/** A drawing with pan and zoom. The lists beside it have the same information. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { scene, subject, positions, chosenEdge, isMoving, drawing } = props;
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const shown = useRef<Scene | null>(null);
  const isDark = useDark();
  const slots = useTypeSlots();

  useEffect(() => {
    if (container.current === null) return;
    drawing.current = createDrawing(container.current, {
      onNode: (id, isMore) => latest.current.onNode(id, isMore),
      onEdge: (id) => latest.current.onEdge(id),
      onStage: () => latest.current.onStage(),
      onPin: (id, position) => latest.current.onPin(id, position),
    });
    return () => {
      drawing.current?.end();
      drawing.current = null;
      shown.current = null;
    };
  }, [drawing]);

  useEffect(() => {
    const isNew = shown.current !== subject;
    shown.current = subject;
    drawing.current?.show({ scene, positions, look: { paint: paintOf(isDark), isDark, slots } }, isNew);
  }, [drawing, scene, subject, positions, isDark, slots]);

  useEffect(() => {
    drawing.current?.highlight(chosenEdge);
    if (!isMoving) drawing.current?.approach();
  }, [drawing, chosenEdge, isMoving]);

  const onKeyDown = (event: KeyboardEvent) => {
    const pan = pans[event.key];
    if (pan !== undefined) drawing.current?.pan(...pan);
    else if (event.key === "+" || event.key === "=") drawing.current?.zoom("in");
    else if (event.key === "-") drawing.current?.zoom("out");
    else if (event.key === "0") drawing.current?.zoom("all");
    else return;
    event.currentTarget.removeAttribute("data-pointed");
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={container}
        className={styles.canvas}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that move and zoom it.
        tabIndex={0}
        aria-label="The graph. Arrow keys move it, plus and minus zoom, 0 shows all of it. Its entities are under List."
        onKeyDown={onKeyDown}
        onPointerDown={({ currentTarget }) => currentTarget.setAttribute("data-pointed", "")}
        onBlur={({ currentTarget }) => currentTarget.removeAttribute("data-pointed")}
      />
      <div className={styles.tools}>
        <Button size="icon" aria-label="Zoom in" onPress={() => drawing.current?.zoom("in")}>
          <ZoomIn aria-hidden size={16} />
        </Button>
        <Button size="icon" aria-label="Zoom out" onPress={() => drawing.current?.zoom("out")}>
          <ZoomOut aria-hidden size={16} />
        </Button>
        <Button size="icon" aria-label="Show all" onPress={() => drawing.current?.zoom("all")}>
          <Focus aria-hidden size={16} />
        </Button>
      </div>
    </>
  );
}
